import type { ReactNode } from 'react'
import { listStrategies, type Strategy } from '../../../contract/investing/strategies.ts'
import { withErrorBoundary } from '../../../design/ErrorBoundary.tsx'
import { Money } from '../../../design/Money.tsx'
import { Status } from '../../../design/Status.tsx'
import type { Column, TableProps } from '../../../design/Table.tsx'
import { call } from '../../lib/api.ts'
import { useResource } from '../../lib/resource.ts'
import { MarketTables } from './positions.tsx'
import styles from './Strategies.module.css'
import { deepestFall, liveWords, worstFirst } from './words.ts'

type StrategyTableProps = Pick<TableProps<Strategy>, 'data' | 'onRetry' | 'onOpen' | 'hrefOf'>

export function StrategyTable(props: StrategyTableProps): ReactNode {
  const { data } = props
  const hasReal = data.state === 'ready' && data.rows.some(({ market }) => market.real)
  return (
    <>
      <p className="soft small">
        {`The one that fell deepest in its test stands first. ${hasReal ? '' : 'Market and prices are simulated. The tests ran from 2020 to June 2026. '}Money is simulated, costs are taken off.`}
      </p>
      <MarketTables
        caption="All strategies, the deepest fall first"
        columns={COLUMNS}
        rowKey={({ _id }) => _id}
        skeletonRows={8}
        emptyText="No strategy is open. Your money stays cash, and you can withdraw it."
        {...props}
      />
      {data.state === 'ready' && !hasReal && (
        <p className="soft small">Tests on real coins are on the strategies page. None runs here.</p>
      )}
    </>
  )
}

const COLUMNS: readonly Column<Strategy>[] = [
  { key: 'name', header: 'Strategy', narrow: 'start', cell: ({ name }) => name },
  {
    key: 'does',
    header: 'What it does',
    lines: 2,
    narrow: 'line',
    cell: ({ does }) => <span className={styles.does}>{does}</span>,
  },
  {
    key: 'fall',
    header: 'Deepest fall in the test',
    align: 'end',
    narrow: 'line',
    label: true,
    cell: (row) => <span className={styles.figure}>{deepestFall(row)}</span>,
  },
  {
    key: 'live',
    header: 'Since it started',
    align: 'end',
    narrow: 'line',
    label: true,
    cell: (row) => <span className={styles.figure}>{liveWords(row)}</span>,
  },
  {
    key: 'minimum',
    header: 'From',
    align: 'end',
    narrow: 'short-start',
    label: true,
    cell: ({ minimum }) => <Money value={minimum} />,
  },
  { key: 'status', header: 'Status', narrow: 'end', cell: ({ status }) => <Status status={status} /> },
]

export const StrategyList = withErrorBoundary(List, '/dashboard/overview')

function List() {
  const all = useResource('strategies', () => call(listStrategies))
  return (
    <StrategyTable
      data={all.state === 'ready' ? { state: 'ready', rows: worstFirst(all.data) } : all}
      onRetry={all.reload}
      hrefOf={({ slug }) => `/dashboard/strategies?strategy=${slug}`}
    />
  )
}
