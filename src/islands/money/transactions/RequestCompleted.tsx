import type { ReactNode } from 'react'
import type { FiledRequest } from '../../../contract/common.ts'
import { ButtonLink } from '../../../design/Button.tsx'
import { DateTime } from '../../../design/DateTime.tsx'
import { Modal } from '../../../design/Modal.tsx'

interface RequestCompletedProps {
  title: string
  filed: FiledRequest | null
  onClose: () => void
  children?: ReactNode
}

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
          <code translate="no">{filed.ref}</code>
        </a>{' '}
        was sent and is awaiting approval. You can cancel it in your transaction history until then.
      </p>
      {filed.heldUntil && <HoldWords until={filed.heldUntil} />}
      {children}
    </Modal>
  )
}

export function HoldWords({ until }: { until: string }) {
  return (
    <>
      <p>
        It is paid on <DateTime at={until} /> at the earliest, because its destination is new. Until then you
        can stop it.
      </p>
      <p>
        A withdrawal that you confirm with a second factor does not wait, if your password, e-mail address and
        second factor did not change in the last three days. Turn one on{' '}
        <a href="/dashboard/profile#security">in your profile</a>. This withdrawal keeps its time.
      </p>
    </>
  )
}
