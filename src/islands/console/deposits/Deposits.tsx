import { listDeposits, type OperatorDeposit } from '../../../contract/console/deposits.ts'
import { DateTime } from '../../../design/DateTime.tsx'
import { Money } from '../../../design/Money.tsx'
import type { Column } from '../../../design/Table.tsx'
import { coinOnNetwork } from '../cases/coinWords.ts'
import { OneLine } from '../cases/OneLine.tsx'
import { Person } from '../cases/Person.tsx'
import { type QueueKind, QueueScreen } from '../cases/QueueScreen.tsx'
import type { Filter } from '../cases/StatusFilter.tsx'
import { DepositCase } from './DepositCase.tsx'
import { DepositStatus } from './DepositStatus.tsx'

/** /operator/deposits: what investors say they paid in, and the decisions about it. */
export function Deposits() {
  return <QueueScreen kind={deposits} />
}

const filters: readonly [Filter, ...Filter[]] = [
  { value: 'pending', label: 'Pending', counted: 'deposits' },
  { value: 'approved', label: 'Approved' },
  { value: 'rejected', label: 'Rejected' },
  { value: 'cancelled', label: 'Cancelled' },
  { value: 'reversed', label: 'Reversed' },
  { value: '', label: 'All' },
]

const columns: readonly Column<OperatorDeposit>[] = [
  { key: 'ref', header: 'Reference', narrow: 'line', cell: ({ ref }) => <OneLine>{ref}</OneLine> },
  { key: 'investor', header: 'Investor', narrow: 'start', cell: ({ investor }) => <Person {...investor} /> },
  {
    key: 'amount',
    header: 'Amount',
    narrow: 'end',
    align: 'end',
    cell: ({ amount }) => <Money value={amount} />,
  },
  { key: 'coin', header: 'Coin', narrow: 'line', cell: ({ type, network }) => coinOnNetwork(type, network) },
  {
    key: 'at',
    header: 'When',
    narrow: 'start',
    cell: ({ createdAt }) => (
      <OneLine>
        <DateTime at={createdAt} />
      </OneLine>
    ),
  },
  { key: 'status', header: 'Status', narrow: 'end', cell: (deposit) => <DepositStatus deposit={deposit} /> },
]

const deposits: QueueKind<NonNullable<(typeof listDeposits)['query']>, OperatorDeposit> = {
  endpoint: listDeposits,
  what: 'deposits',
  one: 'deposit',
  searchedBy: 'Name, e-mail, reference or transaction id',
  filters,
  columns,
  waits: ({ status }) => status === 'pending',
  titleOf: (deposit) => (deposit ? `Deposit ${deposit.ref}` : 'Deposit'),
  Case: DepositCase,
}
