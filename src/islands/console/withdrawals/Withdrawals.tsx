import { listWithdrawals, type OperatorWithdrawal } from '../../../contract/console/withdrawals.ts'
import { DateTime } from '../../../design/DateTime.tsx'
import { Money } from '../../../design/Money.tsx'
import { Status } from '../../../design/Status.tsx'
import type { Column } from '../../../design/Table.tsx'
import { OneLine } from '../cases/OneLine.tsx'
import { Person } from '../cases/Person.tsx'
import { type QueueKind, QueueScreen } from '../cases/QueueScreen.tsx'
import type { Filter } from '../cases/StatusFilter.tsx'
import { WithdrawalCase } from './WithdrawalCase.tsx'
import { methodOf, statusWord } from './words.ts'

/** /operator/withdrawals: what investors want paid out; approved first, then paid and recorded. */
export function Withdrawals() {
  return <QueueScreen kind={withdrawals} />
}

const filters: readonly [Filter, ...Filter[]] = [
  { value: 'pending', label: 'Pending', counted: 'withdrawals' },
  { value: 'approved', label: 'To be paid', counted: 'payouts' },
  { value: 'completed', label: 'Completed' },
  { value: 'rejected', label: 'Rejected' },
  { value: 'cancelled', label: 'Cancelled' },
  { value: 'reversed', label: 'Reversed' },
  { value: '', label: 'All' },
]

const columns: readonly Column<OperatorWithdrawal>[] = [
  { key: 'ref', header: 'Reference', narrow: 'line', cell: ({ ref }) => <OneLine>{ref}</OneLine> },
  { key: 'investor', header: 'Investor', narrow: 'start', cell: ({ investor }) => <Person {...investor} /> },
  {
    key: 'amount',
    header: 'Amount',
    narrow: 'end',
    align: 'end',
    cell: ({ amount }) => <Money value={amount} />,
  },
  { key: 'method', header: 'Paid by', narrow: 'line', cell: methodOf },
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
  {
    key: 'status',
    header: 'Status',
    narrow: 'end',
    cell: ({ status }) => <Status status={status} label={statusWord(status)} />,
  },
]

const withdrawals: QueueKind<NonNullable<(typeof listWithdrawals)['query']>, OperatorWithdrawal> = {
  endpoint: listWithdrawals,
  what: 'withdrawals',
  one: 'withdrawal',
  searchedBy: 'Name, e-mail, reference, transaction id or address',
  filters,
  columns,
  waits: ({ status }, shown) => status === (shown === 'approved' ? 'approved' : 'pending'),
  titleOf: (withdrawal) => (withdrawal ? `Withdrawal ${withdrawal.ref}` : 'Withdrawal'),
  Case: WithdrawalCase,
}
