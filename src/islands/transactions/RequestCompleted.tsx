import type { Filed } from '../../contract/common.ts'
import { ButtonLink } from '../../design/ButtonLink.tsx'
import { DateTime } from '../../design/DateTime.tsx'
import { Notice } from '../../design/Notice.tsx'
import { useResource } from '../lib/resource.ts'

interface RequestCompletedProps {
  title: string
  /** What was filed; null while nothing was. */
  filed: Filed | null
  onClose: () => void
}

/** Says in a dialog that a deposit or withdrawal request was filed and awaits approval, and leads to the history. */
export function RequestCompleted({ title, filed, onClose }: RequestCompletedProps) {
  const dialog = useResource(filed && 'dialog', () => import('../../design/Modal.tsx'))
  if (filed === null || dialog.state === 'loading') return null
  const history = (
    <ButtonLink href="/dashboard/transaction-history" variant="primary">
      Transaction History
    </ButtonLink>
  )
  // What was filed is said, come what may: without the dialog, on the page.
  if (dialog.state === 'failed') {
    return (
      <Notice tone="success" title={title} live actions={history}>
        <Words filed={filed} />
      </Notice>
    )
  }
  const { Modal } = dialog.data
  return (
    <Modal open onClose={onClose} title={title} actions={history}>
      <Words filed={filed} />
    </Modal>
  )
}

function Words({ filed: { ref, heldUntil } }: { filed: Filed }) {
  return (
    <>
      <p>
        Your request <code>{ref}</code> was sent and is awaiting approval. Its status is in your transaction
        history.
      </p>
      {heldUntil && (
        <p>
          Because its destination is new, it is paid on <DateTime at={heldUntil} /> at the earliest.
        </p>
      )}
    </>
  )
}
