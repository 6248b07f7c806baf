import type { Transaction } from '../../contract/transactions.ts'
import { DateTime } from '../../design/DateTime.tsx'
import { Facts } from '../../design/Facts.tsx'
import { Money } from '../../design/Money.tsx'
import { Status } from '../../design/Status.tsx'
import { site } from '../../site.ts'
import { SendNothing } from '../deposit/SendNothing.tsx'
import { capitalised, coinLabel, networkLabel } from './words.ts'

/** What is known of a deposit or withdrawal, but for its timeline. */
export function TransactionFacts({ transaction }: { transaction: Transaction }) {
  const { paymentTo } = transaction
  return (
    <>
      <Facts
        facts={[
          { label: 'Reference', value: <code>{transaction.ref}</code> },
          { label: 'Status', value: <Status status={transaction.status} /> },
          { label: 'Amount', value: <Money value={transaction.amount} /> },
          { label: 'Fee', value: <Money value={transaction.fee} /> },
          { label: 'Requested', value: <DateTime at={transaction.createdAt} /> },
          text('Asset transferred', coinLabel(transaction.type)),
          text('Network', networkLabel(transaction.network)),
          address('Paid to', paymentTo),
          address('Withdrawal address', transaction.address),
          text('Bank', transaction.bankName),
          text('Account number', transaction.accountNumber),
          text('Account holder', transaction.accountHolderName),
          text('Withdrawal type', transaction.withdrawalType && capitalised(transaction.withdrawalType)),
          transaction.heldUntil
            ? { label: 'Not paid before', value: <DateTime at={transaction.heldUntil} /> }
            : null,
        ]}
      />
      {paymentTo && site.mode === 'simulated' && (
        <SendNothing>No one can be paid at this address.</SendNothing>
      )}
    </>
  )
}

function text(label: string, value: string | undefined) {
  return value ? { label, value } : null
}

function address(label: string, value: string | undefined) {
  return value ? { label, value: <code>{value}</code> } : null
}
