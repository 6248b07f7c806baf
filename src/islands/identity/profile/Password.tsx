import { useState } from 'react'
import type { SessionAnswer } from '../../../contract/identity/signIn.ts'
import { Button } from '../../../design/Button.tsx'
import { Modal } from '../../../design/Modal.tsx'
import { Panel } from '../../../design/Panel.tsx'
import { UpdatePassword } from './UpdatePassword.tsx'

interface PasswordProps {
  session: SessionAnswer | null
  /** Other sessions have ended. */
  onChanged: () => void
}

/** Where the password is changed. */
export function Password({ session, onChanged }: PasswordProps) {
  const [isOpen, setOpen] = useState(false)
  return (
    <Panel title="Password">
      <p className="small soft">
        We keep it as a hash only, so nobody here can read it or tell you what it is. Use one that you use
        nowhere else.
      </p>
      <div className="row">
        <Button aria-haspopup="dialog" onClick={() => setOpen(true)}>
          Change Password
        </Button>
      </div>
      <Modal open={isOpen} onClose={() => setOpen(false)} title="Update Password">
        <UpdatePassword
          name={session?.name ?? ''}
          email={session?.email ?? ''}
          onDone={() => {
            setOpen(false)
            onChanged()
          }}
        />
      </Modal>
    </Panel>
  )
}
