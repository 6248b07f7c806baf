import { useState } from 'react'
import type { Proposal } from '../../../contract/console/proposals.ts'
import type { Settings } from '../../../contract/console/settingValues.ts'
import { Button } from '../../../design/Button.tsx'
import { Modal } from '../../../design/Modal.tsx'
import { toast } from '../../../design/toasts.ts'
import { useOperator } from '../cases/useOperator.ts'
import type { Queue } from '../cases/useQueue.ts'
import { Propose } from './Propose.tsx'
import { proposableBy } from './proposable.ts'

/** What leads to the forms that propose, fetched when they are asked for. Nothing, for whose roles propose none of it. */
export function ProposeSomething({ queue, settings }: { queue: Queue<Proposal>; settings: Settings | null }) {
  const { me } = useOperator()
  const [isProposing, setProposing] = useState(false)
  if (me === null || proposableBy(me.roles).length === 0) return null
  return (
    <>
      <div className="row">
        <Button variant="primary" onClick={() => setProposing(true)}>
          Propose something
        </Button>
      </div>
      <Modal open={isProposing} onClose={() => setProposing(false)} title="Propose" size="large">
        <Propose
          settings={settings}
          onCancel={() => setProposing(false)}
          onProposed={() => {
            setProposing(false)
            queue.reload()
            toast.success('Proposed. Another operator decides.')
          }}
        />
      </Modal>
    </>
  )
}
