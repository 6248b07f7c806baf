import type { Transaction } from '../../contract/transactions.ts'
import { Modal } from '../../design/Modal.tsx'
import { OnDemand } from '../lib/OnDemand.tsx'
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
  return (
    <OnDemand name="transaction content" load={() => import('./TransactionContent.tsx')}>
      {({ TransactionContent }) => <TransactionContent opened={transaction} onChanged={onChanged} />}
    </OnDemand>
  )
}
