import type { OperatorInvestor } from '../../contract/operator/investors.ts'
import { DateTime } from '../../design/DateTime.tsx'
import { type Fact, Facts } from '../../design/Facts.tsx'
import { Money } from '../../design/Money.tsx'
import { AccountStatus } from './AccountStatus.tsx'
import styles from './InvestorFacts.module.css'
import { identityWord } from './identityWord.ts'

/** Who it is, and the figures that the investor sees too. */
export function InvestorFacts({ investor }: { investor: OperatorInvestor }) {
  const { frozenReason, closedAt, kyc, balances } = investor
  return (
    <div className={styles.beside}>
      <Facts
        facts={[
          { label: 'Account', value: <AccountStatus {...investor} /> },
          closedAt !== null && { label: 'Closed', value: <DateTime at={closedAt} show="date" /> },
          frozenReason !== null && { label: 'Frozen because', value: frozenReason },
          investor.fullname.toLowerCase() !== investor.name.toLowerCase() && {
            label: 'Full name',
            value: investor.fullname,
          },
          {
            label: 'Email',
            value: `${investor.email}${investor.emailVerified ? ', verified' : ', not verified'}`,
          },
          { label: 'Phone', value: investor.phone },
          { label: 'Country', value: investor.country },
          { label: 'Identity', value: identityWord(kyc) },
          { label: 'Since', value: <DateTime at={investor.createdAt} show="date" /> },
        ]}
      />
      {balances && <Facts facts={figuresOf(balances)} />}
    </div>
  )
}

function figuresOf(balances: NonNullable<OperatorInvestor['balances']>): Fact[] {
  return FIGURES.map(([key, label]) => ({ label, value: <Money value={balances[key]} /> }))
}

const FIGURES = [
  ['totalBalance', 'Total balance'],
  ['available', 'Available'],
  ['deposits', 'Deposits'],
  ['pendingDeposits', 'Pending deposits'],
  ['withdrawals', 'Withdrawals'],
  ['pendingWithdrawals', 'Pending withdrawals'],
  ['bonus', 'Bonus'],
  ['profits', 'Profits'],
  ['owed', 'Owed'],
] as const
