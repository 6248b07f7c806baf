import { CircleAlert, Info, TriangleAlert } from 'lucide-react'
import type { ReactNode } from 'react'
import type { BankDetails, OperatorWithdrawal, Severity } from '../../../contract/console/withdrawals.ts'
import type { BankIdentityField } from '../../../contract/money/withdrawals.ts'
import { Copied } from '../../../design/CopyButton.tsx'
import { DateTime } from '../../../design/DateTime.tsx'
import { type Fact, Facts } from '../../../design/Facts.tsx'
import styles from './Withdrawals.module.css'
import { aloneWords, changedWords, countryWords, methodOf, SEVERITY_WORDS, signalWords } from './words.ts'

interface DestinationProps {
  withdrawal: Pick<OperatorWithdrawal, 'type' | 'network' | 'address' | 'bank' | 'lastPaid'>
}

/** The whole destination. Marks the fields that differ from the last paid destination. */
export function Destination({ withdrawal }: DestinationProps) {
  const { address, bank, lastPaid } = withdrawal
  return (
    <section aria-label="Destination">
      <h3 className={styles.destinationTitle}>Where it goes</h3>
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
          {lastPaid.changed.length === 0 ? 'Same destination as' : 'Compared with'} {lastPaid.ref}, paid on{' '}
          <DateTime at={lastPaid.at} />.
        </p>
      )}
    </section>
  )
}

/** The destination in one line, for the summary of a decision. */
export function DestinationLine({ withdrawal }: DestinationProps) {
  const { address, bank, lastPaid } = withdrawal
  const changed = changedWords(lastPaid?.changed ?? [])
  return (
    <p>
      <span className="soft">{methodOf(withdrawal)}, </span>
      <code>{address ?? bank?.accountNumber}</code>
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
  return folded([
    fact('Country of the bank', countryWords(bank.country), 'country'),
    fact('Bank', bank.bankName, 'bankName'),
    fact('Branch', bank.branchName, 'branchName'),
    fact('Branch code', bank.branchCode, 'branchCode'),
    fact('Account holder', bank.accountHolderName, 'accountHolderName'),
    fact('Account number', <Copied text={bank.accountNumber} what="account number" />, 'accountNumber'),
    fact('Account type', bank.accountType, 'accountType'),
    fact('Person', `${bank.title} ${bank.firstName} ${bank.surname}`, 'title', 'firstName', 'surname'),
    fact('Occupation', bank.occupation),
    fact('Client number', bank.clientNumber, 'clientNumber'),
    fact('Investment number', bank.investmentNumber, 'investmentNumber'),
    fact('Product', bank.productName, 'productName'),
    fact('Withdrawal', bank.withdrawalType ?? 'Not given'),
    fact('Reason given', bank.withdrawalReason),
  ])
}

/**
 * Folds the fields that are “none” into one line, because few payments need them. The bank form sends that word for a blank
 * field. A changed field stays.
 */
function folded(facts: readonly Fact[]): Fact[] {
  const isBlank = ({ value }: Fact) => value === 'none'
  const blank = facts.filter(isBlank).map(({ label }) => label.toLowerCase())
  return [
    ...facts.filter((fact) => !isBlank(fact)),
    ...(blank.length === 0 ? [] : [{ label: 'Entered as “none”', value: blank.join(', ') }]),
  ]
}

/** Signs of fraud, most serious first, and whether this operator may pay the withdrawal alone. */
export function Signals({ withdrawal }: { withdrawal: Pick<OperatorWithdrawal, 'signals' | 'alone'> }) {
  const { signals, alone } = withdrawal
  if (signals === undefined) return null
  return (
    <section className={styles.signals} aria-label="What stands out">
      <h3 className={styles.title}>What stands out</h3>
      {signals.length === 0 ? (
        <p className="soft">Nothing. It is like this investor’s earlier withdrawals.</p>
      ) : (
        <ul className={styles.list}>
          {signals.map((signal) => (
            <li key={signal.signal} className={styles[signal.severity]}>
              <SeverityLabel of={signal.severity} />
              <span>{signalWords(signal)}.</span>
            </li>
          ))}
        </ul>
      )}
      {alone && <p className="soft small">{aloneWords(alone)}</p>}
    </section>
  )
}

const icons = { high: CircleAlert, medium: TriangleAlert, low: Info }

function SeverityLabel({ of }: { of: Severity }) {
  const Icon = icons[of]
  return (
    <span className={styles.severity}>
      <Icon aria-hidden="true" size={16} />
      {SEVERITY_WORDS[of]}
    </span>
  )
}
