import { type ReactNode, useState } from 'react'
import { listStrategies, type Strategy } from '../../../contract/investing/strategies.ts'
import { withErrorBoundary } from '../../../design/ErrorBoundary.tsx'
import { Status } from '../../../design/Status.tsx'
import type { Column, TableProps } from '../../../design/Table.tsx'
import { call } from '../../lib/api.ts'
import { useResource } from '../../lib/resource.ts'
import { MarketTables } from './positions.tsx'
import styles from './Strategies.module.css'
import { dayText, deepestFall, liveWords, ORDERS, signedPercent, verdictWords } from './words.ts'

type StrategyTableProps = Pick<TableProps<Strategy>, 'data' | 'onRetry' | 'onOpen' | 'hrefOf'>

export function StrategyTable({ data, ...props }: StrategyTableProps): ReactNode {
  const [chosen, choose] = useState(0)
  const order = ORDERS[chosen] ?? ORDERS[0]
  const rows = data.state === 'ready' ? data.rows : []
  const hasReal = rows.some(({ market }) => market.real)
  const closed = rows.map(({ live }) => live.to ?? '').sort()[rows.length - 1]
  return (
    <>
      <p className="soft small">
        {hasReal ? '' : 'Market and prices are simulated; the tests ran from 2020 to June 2026. '}
        All figures are after costs. Drawdown is the largest fall from an earlier peak.
        {closed && ` Records run to the close of ${dayText(closed)}.`}
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
        data={data.state === 'ready' ? { ...data, rows: rows.toSorted(order.compare) } : data}
        rowKey={({ _id }) => _id}
        skeletonRows={8}
        emptyText="No strategy is open. Your money stays cash, and you can withdraw it."
        {...props}
      />
      {data.state === 'ready' && !hasReal && (
        <p className="soft small">
          Tests on real coins are on the <a href="/strategies">strategies page</a>. None runs here.
        </p>
      )}
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
    key: 'status',
    header: 'Status',
    narrow: 'end',
    cell: ({ status }) => <Status status={status} {...(status === 'active' && { label: 'Running' })} />,
  },
  {
    key: 'does',
    header: 'What it does',
    lines: 2,
    narrow: 'line',
    cell: (row) => (
      <span className={styles.does}>
        {row.does} <span className={styles.verdict}>{verdictWords(row)}</span>
      </span>
    ),
  },
  figure('fall', 'Test drawdown', deepestFall),
  figure('test', 'Test return', ({ backtest }) =>
    backtest === null ? '–' : signedPercent(backtest.totalReturn),
  ),
  figure('live', 'Since start', liveWords),
]

function figure(key: string, header: string, cell: (row: Strategy) => string): Column<Strategy> {
  return {
    key,
    header,
    align: 'end',
    narrow: 'line',
    label: true,
    cell: (row) => <span className={styles.figure}>{cell(row)}</span>,
  }
}

export const StrategyList = withErrorBoundary(List, '/dashboard/overview')

function List() {
  const all = useResource('strategies', () => call(listStrategies))
  return (
    <StrategyTable
      data={all.state === 'ready' ? { state: 'ready', rows: all.data } : all}
      onRetry={all.reload}
      hrefOf={({ slug }) => `/dashboard/strategies?strategy=${slug}`}
    />
  )
}
