import { lazy, Suspense, useState } from 'react'
import type { Proposal } from '../../../contract/console/proposals.ts'
import type { Settings } from '../../../contract/console/settingValues.ts'
import { Button } from '../../../design/Button.tsx'
import { Modal } from '../../../design/Modal.tsx'
import { toast } from '../../../design/toasts.ts'
import { CaseLoading } from '../cases/Case.tsx'
import { useOperator } from '../cases/useOperator.ts'
import type { Queue } from '../cases/useQueue.ts'
import { listProposableKinds } from './words.ts'

// Loaded when they are asked for, because they bring the rules of all settings along.
const ProposeForms = lazy(async () => ({ default: (await import('./Propose.tsx')).ProposeForms }))

/** The button that opens the forms. Hidden from operators whose roles may not propose anything here. */
export function ProposeSomething({ queue, settings }: { queue: Queue<Proposal>; settings: Settings | null }) {
  const { me } = useOperator()
  const [isProposing, setProposing] = useState(false)
  if (me === null || listProposableKinds(me.roles).length === 0) return null
  return (
    <>
      <div className="row">
        <Button variant="primary" onClick={() => setProposing(true)}>
          Propose something
        </Button>
      </div>
      <Modal open={isProposing} onClose={() => setProposing(false)} title="Propose" size="large">
        <Suspense fallback={<CaseLoading what="form" />}>
          <ProposeForms
            settings={settings}
            onCancel={() => setProposing(false)}
            onProposed={() => {
              setProposing(false)
              queue.reload()
              toast.success('Proposed. Another operator decides.')
            }}
          />
        </Suspense>
      </Modal>
    </>
  )
}
