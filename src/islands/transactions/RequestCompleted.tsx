import type { Filed } from '../../contract/common.ts'
import { ButtonLink } from '../../design/ButtonLink.tsx'
import { DateTime } from '../../design/DateTime.tsx'
import { Modal } from '../../design/Modal.tsx'

interface RequestCompletedProps {
  title: string
  /** What was filed; null while nothing was. */
  filed: Filed | null
  onClose: () => void
}

/** Says that a deposit or withdrawal request was filed and awaits approval, and leads to the history. */
export function RequestCompleted({ title, filed, onClose }: RequestCompletedProps) {
  return (
    <Modal
      open={filed !== null}
      onClose={onClose}
      title={title}
      actions={
        <ButtonLink href="/dashboard/transaction-history" variant="primary">
          Transaction History
        </ButtonLink>
      }
    >
      {filed && (
        <>
          <p>
            Your request <code>{filed.ref}</code> was sent and is awaiting approval. Its status is in your
            transaction history.
          </p>
          {filed.heldUntil && (
            <p>
              Because its destination is new, it is paid on <DateTime at={filed.heldUntil} /> at the earliest.
            </p>
          )}
        </>
      )}
    </Modal>
  )
}
