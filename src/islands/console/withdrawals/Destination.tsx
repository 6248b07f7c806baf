import type { ReactNode } from 'react'
import type { BankDetails, OperatorWithdrawal } from '../../../contract/console/withdrawals.ts'
import type { BankIdentityField } from '../../../contract/money/withdrawals.ts'
import { Copied } from '../../../design/CopyButton.tsx'
import { DateTime } from '../../../design/DateTime.tsx'
import { type Fact, Facts } from '../../../design/Facts.tsx'
import styles from './Withdrawals.module.css'
import { describeChangedFields, describeCountry, describePayoutMethod } from './words.ts'

interface DestinationProps {
  withdrawal: Pick<OperatorWithdrawal, 'type' | 'network' | 'address' | 'bank' | 'lastPaid' | 'ownerProvedAt'>
}

/** The whole destination. Marks the fields that differ from the last paid destination. */
export function Destination({ withdrawal }: DestinationProps) {
  const { address, bank, lastPaid, ownerProvedAt } = withdrawal
  return (
    <section aria-label="Destination">
      <h3 className={styles.destinationTitle}>Where it goes</h3>
      <Facts
        facts={[
          bank === null && { label: 'Coin', value: describePayoutMethod(withdrawal) },
          address !== null && {
            label: 'Address',
            value: <Copied text={address} what="withdrawal address" />,
          },
          ownerProvedAt !== undefined && {
            label: 'Owner',
            value: (
              <span>
                Proved by its owner, <DateTime at={ownerProvedAt} show="date" />
              </span>
            ),
          },
          ...(bank === null ? [] : listBankFacts(bank, lastPaid?.changed ?? [])),
        ]}
      />
      {lastPaid && (
        <p className="soft small">
          <span>{lastPaid.changed.length === 0 ? 'Same destination as' : 'Compared with'}</span>{' '}
          <span translate="no">{lastPaid.ref}</span>, paid on <DateTime at={lastPaid.at} />.
        </p>
      )}
    </section>
  )
}

/** The destination in one line, for the summary of a decision. */
export function DestinationLine({ withdrawal }: DestinationProps) {
  const { address, bank, lastPaid } = withdrawal
  const changed = describeChangedFields(lastPaid?.changed ?? [])
  return (
    <p>
      <span className="soft">{describePayoutMethod(withdrawal)}, </span>
      <code translate="no">{address ?? bank?.accountNumber}</code>
      {bank && (
        <span className="soft">
          {' '}
          of <bdi>{bank.accountHolderName}</bdi>
        </span>
      )}
      {changed !== '' && (
        <strong className={styles.changed}>Changed since the last payment: {changed}.</strong>
      )}
    </p>
  )
}

function listBankFacts(bank: BankDetails, changed: readonly BankIdentityField[]): Fact[] {
  const buildFact = (label: string, value: ReactNode, ...fields: BankIdentityField[]): Fact => ({
    label,
    value: fields.some((field) => changed.includes(field)) ? (
      <span>
        <span>{value === '' ? 'Not given' : value}</span>{' '}
        <strong>(changed: {describeChangedFields(fields.filter((field) => changed.includes(field)))})</strong>
      </span>
    ) : (
      value
    ),
  })
  return mergeBlankFacts([
    buildFact('Country of the bank', describeCountry(bank.country), 'country'),
    buildFact('Bank', bank.bankName, 'bankName'),
    buildFact('Branch', bank.branchName, 'branchName'),
    buildFact('Branch code', bank.branchCode, 'branchCode'),
    buildFact('Account holder', bank.accountHolderName, 'accountHolderName'),
    buildFact('Account number', <Copied text={bank.accountNumber} what="account number" />, 'accountNumber'),
    buildFact('Account type', bank.accountType, 'accountType'),
    buildFact(
      'Person',
      [bank.title, bank.firstName, bank.surname].filter(Boolean).join(' '),
      ...(['title', 'firstName', 'surname'] as const),
    ),
    buildFact('Occupation', bank.occupation),
    buildFact('Client number', bank.clientNumber, 'clientNumber'),
    buildFact('Investment number', bank.investmentNumber, 'investmentNumber'),
    buildFact('Product', bank.productName, 'productName'),
    buildFact('Withdrawal', bank.withdrawalType ?? ''),
    buildFact('Reason given', bank.withdrawalReason),
  ])
}

/** Folds the fields that were not given into one line, because few payments need them. A changed field stays. */
function mergeBlankFacts(facts: readonly Fact[]): Fact[] {
  const isBlank = ({ value }: Fact) => value === ''
  const blank = facts.filter(isBlank).map(({ label }) => label.toLowerCase())
  return [
    ...facts.filter((fact) => !isBlank(fact)),
    ...(blank.length === 0 ? [] : [{ label: 'Not given', value: blank.join(', ') }]),
  ]
}
