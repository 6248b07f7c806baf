import type { BookAccount } from '../../../contract/console/investorFile.ts'
import type { OperatorInvestor } from '../../../contract/console/investors.ts'
import { DateTime } from '../../../design/DateTime.tsx'
import { type Fact, Facts } from '../../../design/Facts.tsx'
import { Money } from '../../../design/Money.tsx'
import { Panel } from '../../../design/Panel.tsx'
import { urlWith } from '../../lib/url.ts'
import { AccountStatus } from './AccountStatus.tsx'
import styles from './InvestorFacts.module.css'
import { identityWord } from './identityWord.ts'

/** Who it is, and the figures that the investor sees too, each leading to what it is made of. */
export function InvestorFacts({ investor }: { investor: OperatorInvestor }) {
  const { frozenReason, closedAt, kyc, balances } = investor
  return (
    <div className={styles.beside}>
      <Panel title="Facts">
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
      </Panel>
      {balances && (
        <Panel title="Figures">
          <Facts facts={figuresOf(balances)} />
        </Panel>
      )}
    </div>
  )
}

function figuresOf(balances: NonNullable<OperatorInvestor['balances']>): Fact[] {
  return FIGURES.map(([key, label, words]) => ({
    label,
    value: (
      <a
        className={styles.figure}
        href={urlWith(location.href, { entries: null, kind: null, status: null, ...words })}
      >
        <Money value={balances[key]} />
        <span className="visually-hidden">: what {label.toLowerCase()} is made of</span>
      </a>
    ),
  }))
}

const entries = (account: BookAccount) => ({ tab: 'ledger', entries: account })

const FIGURES = [
  ['totalBalance', 'Total balance', { tab: 'ledger' }],
  ['available', 'Available', entries('available')],
  ['deposits', 'Deposits', entries('paid_in')],
  ['pendingDeposits', 'Pending deposits', { tab: 'requests', kind: 'deposit', status: 'pending' }],
  ['withdrawals', 'Withdrawals', entries('paid_out')],
  ['pendingWithdrawals', 'Pending withdrawals', entries('held')],
  ['bonus', 'Bonus', entries('granted')],
  ['profits', 'Profits', { tab: 'ledger' }],
  ['owed', 'Owed', entries('owed')],
] as const
