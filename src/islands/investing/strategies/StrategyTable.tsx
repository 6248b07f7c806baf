import { type ReactNode, useState } from 'react'
import type { Strategy } from '../../../contract/investing/strategies.ts'
import { joinClasses } from '../../../design/classes.ts'
import { Status } from '../../../design/Status.tsx'
import type { Column, TableProps } from '../../../design/Table.tsx'
import { MarketTables } from './positions.tsx'
import styles from './Strategies.module.css'
import { Verdict } from './Verdict.tsx'
import { describeLiveReturn, formatSignedPercent, formatWorstDrawdown, ORDERS } from './words.ts'

type StrategyTableProps = Pick<TableProps<Strategy>, 'onOpen'> & { strategies: readonly Strategy[] }

export function StrategyTable({ strategies, onOpen }: StrategyTableProps): ReactNode {
  const [chosen, choose] = useState(0)
  const order = ORDERS[chosen] ?? ORDERS[0]
  const hasReal = strategies.some(({ market }) => market.real)
  return (
    <>
      <p className="soft small">
        {!hasReal && (
          <span>
            Simulated market, tested 2020 to June 2026, after costs.{' '}
            <a href="/strategies">Tests on real coins</a>.{' '}
          </span>
        )}
        <span>A drawdown is the fall from a peak.</span>
      </p>
      <label className={styles.sort}>
        Sort by{' '}
        <select value={chosen} onChange={({ target }) => choose(Number(target.value))}>
          {ORDERS.map(({ label }, index) => (
            <option key={label} value={index}>
              {label}
            </option>
          ))}
        </select>
      </label>
      <MarketTables
        caption={`All strategies, sorted by ${order.label.toLowerCase()}`}
        columns={COLUMNS}
        data={{ state: 'ready', rows: strategies.toSorted(order.compare) }}
        rowKey={({ _id }) => _id}
        emptyText="No strategy is open. Your money stays cash, and you can withdraw it."
        onOpen={onOpen}
      />
    </>
  )
}

const COLUMNS: readonly Column<Strategy>[] = [
  {
    key: 'name',
    header: 'Strategy',
    narrow: 'start',
    cell: ({ name }) => <span className={styles.name}>{name}</span>,
  },
  {
    key: 'checks',
    header: 'Our checks',
    narrow: 'line',
    cell: (row) => (
      <span className={styles.does}>
        {row.status !== 'active' && (
          <span>
            <Status status={row.status} />{' '}
          </span>
        )}
        <Verdict strategy={row} />
      </span>
    ),
  },
  buildFigureColumn('fall', 'Worst drawdown', formatWorstDrawdown, 'short-start'),
  buildFigureColumn(
    'test',
    'Return',
    ({ backtest }) => (backtest === null ? '–' : formatSignedPercent(backtest.totalReturn)),
    'wide-end',
  ),
  buildFigureColumn(
    'live',
    'Since start',
    ({ live }) => describeLiveReturn({ live }).replace(' in ', ', '),
    'line',
  ),
]

function buildFigureColumn(
  key: string,
  header: string,
  cell: (row: Strategy) => string,
  narrow: Column<Strategy>['narrow'],
): Column<Strategy> {
  return {
    key,
    header,
    align: 'end',
    narrow,
    label: true,
    cell: (row) => {
      const text = cell(row)
      return <span className={joinClasses(styles.figure, text.startsWith('−') && 'loss')}>{text}</span>
    },
  }
}
