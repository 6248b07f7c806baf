import type { ReactNode } from 'react'
import type { Filed } from '../../../contract/common.ts'
import { ButtonLink } from '../../../design/ButtonLink.tsx'
import { Modal } from '../../../design/Modal.tsx'
import { HoldWords } from './HoldWords.tsx'

interface RequestCompletedProps {
  title: string
  /** What was filed; null while nothing was. */
  filed: Filed | null
  onClose: () => void
  /** What else can be done now. */
  children?: ReactNode
}

/** Says in a dialog that a deposit or withdrawal request was filed and awaits approval, and leads to the history. */
export function RequestCompleted({ title, filed, onClose, children }: RequestCompletedProps) {
  if (filed === null) return null
  return (
    <Modal
      open
      onClose={onClose}
      title={title}
      actions={
        <ButtonLink href="/dashboard/transaction-history" variant="primary">
          Transaction History
        </ButtonLink>
      }
    >
      <p>
        Your request{' '}
        <a href={`/dashboard/transaction-history?open=${filed.ref}`}>
          <code>{filed.ref}</code>
        </a>{' '}
        was sent and is awaiting approval. Its status is in your transaction history, where you can cancel it
        while it is pending.
      </p>
      {filed.heldUntil && <HoldWords until={filed.heldUntil} />}
      {children}
    </Modal>
  )
}
