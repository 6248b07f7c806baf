import type { Transaction } from '../../../contract/money/transactions.ts'
import { Copied } from '../../../design/Copied.tsx'
import { DateTime } from '../../../design/DateTime.tsx'
import { Facts } from '../../../design/Facts.tsx'
import { site } from '../../../site.ts'
import { SendNothing } from '../deposits/SendNothing.tsx'
import { capitalised, coinLabel, feeWords, networkLabel } from './words.ts'

interface TransactionFactsProps {
  transaction: Transaction
  /** Of the transaction on the network, or the bank's, once there is one. */
  reference: string | undefined
}

/** What is known of a deposit or withdrawal beside its amount, its standing and its course. */
export function TransactionFacts({ transaction, reference }: TransactionFactsProps) {
  const { paymentTo, trxType } = transaction
  return (
    <>
      <Facts
        facts={[
          copied('Reference', transaction.ref, 'reference'),
          { label: 'Requested', value: <DateTime at={transaction.createdAt} /> },
          { label: 'Fee', value: feeWords(transaction.fee) },
          text('Asset transferred', coinLabel(transaction.type)),
          text('Network', networkLabel(transaction.network)),
          copied('Paid to', paymentTo, 'address'),
          copied('Withdrawal address', transaction.address, 'withdrawal address'),
          text('Bank', transaction.bankName),
          text('Account number', transaction.accountNumber),
          text('Account holder', transaction.accountHolderName),
          text('Withdrawal type', transaction.withdrawalType && capitalised(transaction.withdrawalType)),
          transaction.heldUntil
            ? { label: 'Not paid before', value: <DateTime at={transaction.heldUntil} /> }
            : null,
          trxType === 'online-service-withdrawal'
            ? copied('Bank reference', reference, 'bank reference')
            : copied('Transaction ID', reference, 'transaction ID'),
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

function copied(label: string, value: string | undefined, what: string) {
  return value ? { label, value: <Copied text={value} what={what} /> } : null
}
