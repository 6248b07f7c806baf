import type { Transaction } from '../../contract/transactions.ts'
import { LoadFailure } from '../../design/LoadFailure.tsx'
import { Modal } from '../../design/Modal.tsx'
import { Skeleton } from '../../design/Skeleton.tsx'
import { useResource } from '../lib/resource.ts'
import { KIND_LABELS } from './words.ts'

interface TransactionDetailsProps {
  /** The row that was opened; null while none is. */
  transaction: Transaction | null
  onClose: () => void
  /** The request was cancelled, or turned out to have been decided meanwhile. */
  onChanged: () => void
}

/** The dialog of one deposit or withdrawal. What stands in it is fetched when it is first opened. */
export function TransactionDetails({ transaction, onClose, onChanged }: TransactionDetailsProps) {
  return (
    <Modal
      open={transaction !== null}
      onClose={onClose}
      title={transaction ? KIND_LABELS[transaction.trxType] : ''}
      size="large"
    >
      {transaction && <Content key={transaction._id} transaction={transaction} onChanged={onChanged} />}
    </Modal>
  )
}

interface ContentProps {
  transaction: Transaction
  onChanged: () => void
}

function Content({ transaction, onChanged }: ContentProps) {
  const content = useResource('transaction content', () => import('./TransactionContent.tsx'))
  switch (content.state) {
    case 'loading':
      return <Skeleton height="block" />
    case 'failed':
      return <LoadFailure msg={content.msg} onRetry={content.reload} />
    case 'ready':
      return <content.data.TransactionContent opened={transaction} onChanged={onChanged} />
  }
}
