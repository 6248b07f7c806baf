import { listAllocations } from '../../contract/allocations.ts'
import { listStrategies, type Strategy } from '../../contract/strategies.ts'
import { ButtonLink } from '../../design/ButtonLink.tsx'
import { EmptyState } from '../../design/EmptyState.tsx'
import { ErrorBoundary } from '../../design/ErrorBoundary.tsx'
import { LoadFailure } from '../../design/LoadFailure.tsx'
import { Money } from '../../design/Money.tsx'
import { Panel } from '../../design/Panel.tsx'
import { Status } from '../../design/Status.tsx'
import { type Column, Table, type TableRows } from '../../design/Table.tsx'
import { unpushAddress, useAddressQuery, writeAddress } from '../lib/address.ts'
import { call } from '../lib/api.ts'
import { OnDemand } from '../lib/OnDemand.tsx'
import { useResource } from '../lib/resource.ts'
import { POSITION_COLUMNS } from './positionColumns.tsx'
import styles from './Strategies.module.css'
import { deepestFall, liveWords, worstFirst } from './words.ts'

/** The strategies with what the investor has in each; one of them opens, as the address says. */
export function Strategies() {
  return (
    <ErrorBoundary home="/dashboard/overview">
      <Screen />
    </ErrorBoundary>
  )
}

function Screen() {
  const words = useAddressQuery()
  const all = useResource('strategies', async () => {
    const [strategies, positions] = await Promise.all([call(listStrategies), call(listAllocations)])
    return { strategies: worstFirst(strategies), positions }
  })
  const slug = words?.get('strategy') ?? null
  if (all.state === 'failed') return <LoadFailure msg={all.msg} onRetry={all.reload} />
  const ready = all.state === 'ready' ? all.data : null
  const opened = ready?.strategies.find((each) => each.slug === slug)
  if (opened) {
    const position = ready?.positions.find(({ strategy }) => strategy === opened.slug) ?? null
    return (
      <OnDemand name="strategy" load={() => import('./OneStrategy.tsx')}>
        {({ OneStrategy }) => (
          <OneStrategy
            key={opened.slug}
            strategy={opened}
            position={position}
            onBack={() => unpushAddress({ strategy: null })}
            onChanged={all.reload}
          />
        )}
      </OnDemand>
    )
  }
  const rowsOf = <Row,>(rows: readonly Row[] | undefined): TableRows<Row> =>
    rows ? { state: 'ready', rows } : { state: 'loading' }
  return (
    <div className={styles.screen}>
      {ready !== null && ready.positions.length > 0 && (
        <Panel title="What you have in them">
          <Table
            caption="Your positions"
            columns={POSITION_COLUMNS}
            data={rowsOf(ready.positions)}
            rowKey={({ _id }) => _id}
            emptyText="Nothing is invested."
            onOpen={({ strategy }) => open(strategy)}
          />
        </Panel>
      )}
      <Panel title="All strategies">
        <p className="soft small">
          The one that fell deepest in its test stands first. Market, prices and money are simulated. The test
          ran from January 2020 to June 2026, costs taken off.
        </p>
        <Table
          caption="All strategies, the deepest fall first"
          columns={STRATEGY_COLUMNS}
          data={rowsOf(ready?.strategies)}
          rowKey={({ _id }) => _id}
          skeletonRows={8}
          emptyText={
            <EmptyState
              title="No strategy is open"
              action={<ButtonLink href="/dashboard/overview">Overview</ButtonLink>}
            >
              What is in your account stays cash, and you can withdraw it.
            </EmptyState>
          }
          onOpen={(row) => open(row.slug)}
        />
      </Panel>
    </div>
  )
}

function open(slug: string): void {
  writeAddress({ strategy: slug }, 'push')
}

const STRATEGY_COLUMNS: readonly Column<Strategy>[] = [
  {
    key: 'name',
    header: 'Strategy',
    lines: 2,
    narrow: 'line',
    cell: ({ name, does }) => (
      <>
        {name}
        <span className={styles.does}>{does}</span>
      </>
    ),
  },
  {
    key: 'fall',
    header: 'Deepest fall in the test',
    align: 'end',
    narrow: 'start',
    label: true,
    cell: (row) => <span className="number">{deepestFall(row)}</span>,
  },
  {
    key: 'live',
    header: 'Since it started',
    align: 'end',
    narrow: 'end',
    label: true,
    cell: (row) => <span className="number">{liveWords(row)}</span>,
  },
  {
    key: 'minimum',
    header: 'From',
    align: 'end',
    narrow: 'short-start',
    label: true,
    cell: ({ minimum }) => <Money value={minimum} />,
  },
  { key: 'status', header: 'Status', narrow: 'wide-end', cell: ({ status }) => <Status status={status} /> },
]
