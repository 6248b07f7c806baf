import { useState } from 'react'
import type { SessionAnswer } from '../../../contract/identity/signIn.ts'
import { Button } from '../../../design/Button.tsx'
import { Modal } from '../../../design/Modal.tsx'
import { Panel } from '../../../design/Panel.tsx'
import { ClosingSteps } from './ClosingSteps.tsx'

/** The way out, at the end of everything. Operators have none of their own: another one sees to their account. */
export function CloseAccount({ session }: { session: SessionAnswer | null }) {
  const [isAsking, setAsking] = useState(false)
  const close = () => setAsking(false)
  if (session?.role === 'operator') return null
  return (
    <Panel title="Close my account">
      <p className="small soft">
        For good: nobody can sign in to it again. Your money has to be out first. We say what is kept, and for
        how long, before you decide.
      </p>
      <div className="row">
        <Button aria-haspopup="dialog" onClick={() => setAsking(true)}>
          Close My Account
        </Button>
      </div>
      <Modal open={isAsking} onClose={close} title="Close my account">
        <ClosingSteps email={session?.email ?? ''} onLeave={close} />
      </Modal>
    </Panel>
  )
}
