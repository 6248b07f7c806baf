import type { Position } from '../../../contract/investing/allocations.ts'
import { Money } from '../../../design/Money.tsx'
import type { Column } from '../../../design/Table.tsx'
import { gainOf, isClosed } from './positions.ts'

/** What somebody has in a strategy, in a row. */
export const POSITION_COLUMNS: readonly Column<Position>[] = [
  { key: 'name', header: 'Strategy', narrow: 'start', cell: ({ name }) => name },
  {
    key: 'value',
    header: 'Value',
    align: 'end',
    narrow: 'end',
    cell: (position) => (isClosed(position) ? 'Redeemed' : <Money value={position.value} />),
  },
  {
    key: 'profit',
    header: 'Gain or loss',
    align: 'end',
    narrow: 'short-start',
    label: true,
    cell: (position) => <Money value={gainOf(position)} sign="always" tone="result" />,
  },
  {
    key: 'pending',
    header: 'Pending',
    align: 'end',
    narrow: 'wide-end',
    label: true,
    cell: ({ pendingIn, pendingOut }) => (
      <>
        {pendingIn > 0 && (
          <>
            <Money value={pendingIn} /> in
          </>
        )}
        {pendingIn > 0 && pendingOut > 0 && ', '}
        {pendingOut > 0 && (
          <>
            <Money value={pendingOut} /> out
          </>
        )}
        {pendingIn === 0 && pendingOut === 0 && 'Nothing'}
      </>
    ),
  },
]
