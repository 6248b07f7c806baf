import type { ReactNode } from 'react'
import type { BankDetails, OperatorWithdrawal } from '../../../contract/console/withdrawals.ts'
import type { BankIdentityField } from '../../../contract/money/withdrawals.ts'
import { Copied } from '../../../design/Copied.tsx'
import { DateTime } from '../../../design/DateTime.tsx'
import { type Fact, Facts } from '../../../design/Facts.tsx'
import styles from './Destination.module.css'
import { changedWords, methodOf } from './words.ts'

interface DestinationProps {
  withdrawal: Pick<OperatorWithdrawal, 'type' | 'network' | 'address' | 'bank' | 'lastPaid'>
}

/** Where the money goes, in full, with what differs from where the investor was paid last: this is what is paid to. */
export function Destination({ withdrawal }: DestinationProps) {
  const { address, bank, lastPaid } = withdrawal
  return (
    <section aria-label="Destination">
      <h3 className={styles.title}>Where it goes</h3>
      <Facts
        facts={[
          bank === null && { label: 'Coin', value: methodOf(withdrawal) },
          address !== null && {
            label: 'Address',
            value: <Copied text={address} what="withdrawal address" />,
          },
          ...(bank === null ? [] : bankFacts(bank, lastPaid?.changed ?? [])),
        ]}
      />
      {lastPaid && (
        <p className="soft small">
          {lastPaid.changed.length === 0 ? 'The same destination as' : 'Compared with'} {lastPaid.ref}, paid
          on <DateTime at={lastPaid.at} />.
        </p>
      )}
    </section>
  )
}

/** The destination in one line, to be read once more before it is decided. */
export function DestinationLine({ withdrawal }: DestinationProps) {
  const { address, bank, lastPaid } = withdrawal
  const changed = changedWords(lastPaid?.changed ?? [])
  return (
    <p>
      <span className="soft">{methodOf(withdrawal)}, </span>
      <code>{address ?? bank?.accountNumber}</code>
      {bank && <span className="soft"> of {bank.accountHolderName}</span>}
      {changed !== '' && (
        <strong className={styles.changed}>Changed since the last payment: {changed}.</strong>
      )}
    </p>
  )
}

function bankFacts(bank: BankDetails, changed: readonly BankIdentityField[]): Fact[] {
  const fact = (label: string, value: ReactNode, ...fields: BankIdentityField[]): Fact => ({
    label,
    value: fields.some((field) => changed.includes(field)) ? (
      <>
        {value} <strong>(changed: {changedWords(fields.filter((field) => changed.includes(field)))})</strong>
      </>
    ) : (
      value
    ),
  })
  return [
    fact('Bank', bank.bankName, 'bankName'),
    fact('Branch', `${bank.branchName}, code ${bank.branchCode}`, 'branchName', 'branchCode'),
    fact('Account holder', bank.accountHolderName, 'accountHolderName'),
    fact('Account number', <Copied text={bank.accountNumber} what="account number" />, 'accountNumber'),
    fact('Account type', bank.accountType, 'accountType'),
    fact('Person', `${bank.title} ${bank.firstName} ${bank.surname}`, 'title', 'firstName', 'surname'),
    fact('Occupation', bank.occupation),
    fact('Client number', bank.clientNumber, 'clientNumber'),
    fact('Investment number', bank.investmentNumber, 'investmentNumber'),
    fact('Product', bank.productName, 'productName'),
    fact('Withdrawal', bank.withdrawalType ?? 'Not said'),
    fact('Reason given', bank.withdrawalReason),
  ]
}
