import { useState } from 'react'
import type { Transaction } from '../../../contract/money/transactions.ts'
import { Modal } from '../../../design/Modal.tsx'
import { TransactionContent } from './TransactionContent.tsx'
import { KIND_LABELS } from './words.ts'

interface TransactionDetailsProps {
  /** The reference or id of what is open; blank while nothing is. */
  name: string
  /** The list, which may hold it. */
  rows: readonly Transaction[]
  onClose: () => void
  /** Called with what is known of it now: it may have been decided, or cancelled, since it was listed. */
  onLoaded: (transaction: Transaction) => void
}

/** The dialog of one deposit or withdrawal. What stands in it is fetched when it is first opened. */
export function TransactionDetails({ name, rows, onClose, onLoaded }: TransactionDetailsProps) {
  // A link may lead to one that the list does not hold.
  const [elsewhere, setElsewhere] = useState<Transaction | null>(null)
  const isNamed = (row: Transaction) => row.ref === name || row._id === name
  const row = rows.find(isNamed) ?? (elsewhere !== null && isNamed(elsewhere) ? elsewhere : undefined)
  return (
    <Modal
      open={name !== ''}
      onClose={onClose}
      title={row ? KIND_LABELS[row.trxType] : 'Transaction'}
      size="large"
    >
      {name && (
        <TransactionContent
          key={name}
          name={name}
          listed={row}
          onLoaded={(loaded) => {
            setElsewhere(loaded)
            onLoaded(loaded)
          }}
        />
      )}
    </Modal>
  )
}
