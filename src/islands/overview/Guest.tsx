import { useState, useSyncExternalStore } from 'react'
import type { AnswerOf, Endpoint } from '../../contract/endpoint.ts'
import { getBalances } from '../../contract/identity/keys.ts'
import { listAllocations, type Position } from '../../contract/investing/allocations.ts'
import { getGains } from '../../contract/money/gains.ts'
import {
  ENTRY_WORDS,
  getStatement,
  getValueHistory,
  type LedgerEntry,
} from '../../contract/money/statements.ts'
import { Button } from '../../design/Button.tsx'
import { DateTime, TableDate } from '../../design/DateTime.tsx'
import { withErrorBoundary } from '../../design/ErrorBoundary.tsx'
import { Facts } from '../../design/Facts.tsx'
import { Money } from '../../design/Money.tsx'
import { Notice } from '../../design/Notice.tsx'
import { Panel } from '../../design/Panel.tsx'
import { Skeleton } from '../../design/Skeleton.tsx'
import { type Column, Table, type TableRows } from '../../design/Table.tsx'
import { site } from '../../site.ts'
import { call, callBlob } from '../lib/api.ts'
import { getData, type Resource, useResource } from '../lib/resource.ts'
import { SaveCsv } from '../lib/SaveCsv.tsx'
import { BalanceCourse } from './BalanceCourse.tsx'

export const Guest = withErrorBoundary(Screen, '/')

/** /guest#guest_…: an investor's figures, read with the key in the fragment, which browsers send to no server. */
function Screen() {
  const key = useSyncExternalStore(
    listenToHash,
    () => location.hash.slice(1),
    () => null,
  )
  if (key === null) return <Skeleton width="full" height="block" />
  if (!/^guest_[\w-]{43}$/.test(key))
    return (
      <NoFigures title="This link is incomplete">
        Open it again from the message in which you got it, or ask for a new one.
      </NoFigures>
    )
  return <Figures key={key} bearer={key} />
}

function NoFigures({ title, children }: { title: string; children: string }) {
  return (
    <div className="stack">
      <h1>Shared account</h1>
      <Notice tone="caution" title={title} live>
        {children}
      </Notice>
    </div>
  )
}

function listenToHash(onChange: () => void): () => void {
  addEventListener('hashchange', onChange)
  return () => removeEventListener('hashchange', onChange)
}

function Figures({ bearer }: { bearer: string }) {
  const balances = useResource('balances', () => call(getBalances, { bearer }))
  const isOpen = balances.state === 'ready'
  const positions = useResource(isOpen ? 'positions' : null, () => call(listAllocations, { bearer }))
  const course = useResource(isOpen ? 'course' : null, async () => ({
    data: await call(getValueHistory, { bearer, query: { days: '365' } }),
    atMs: Date.now(),
    isOld: false,
  }))
  const thisYear = new Date().getUTCFullYear()
  const [year, setYear] = useState(thisYear)
  const period = { from: `${year}-01-01`, to: `${year}-12-31` }
  const history = useResource(isOpen ? `history ${year}` : null, () =>
    call(getStatement, { bearer, query: period }),
  )
  if (balances.state === 'failed')
    return <NoFigures title="This link does not work">{balances.msg}</NoFigures>
  const facts = getData(balances)
  const firstYear = facts === undefined ? thisYear : new Date(facts.since).getUTCFullYear()
  const years = Array.from({ length: thisYear - firstYear + 1 }, (_, index) => thisYear - index)
  return (
    <div className="stack">
      <Whose facts={facts} />
      <Panel title="Value">
        <Facts facts={AMOUNTS.map(([label, name]) => ({ label, value: <Amount usd={facts?.[name]} /> }))} />
        <BalanceCourse course={course} />
      </Panel>
      <Panel title="Positions">
        <Table
          caption="Units in strategies"
          columns={POSITIONS}
          data={toRows(positions, (rows) => rows)}
          rowKey={({ _id }) => _id}
          emptyText="No positions"
          onRetry={positions.reload}
        />
      </Panel>
      <Panel title="History">
        <nav className="row" aria-label="Year">
          {years.map((value) => (
            <Button
              key={value}
              size="small"
              variant={value === year ? 'primary' : 'secondary'}
              aria-pressed={value === year}
              onClick={() => setYear(value)}
            >
              {value}
            </Button>
          ))}
        </nav>
        <Table
          caption={`Entries of ${year}, newest first`}
          columns={ENTRIES}
          data={toRows(history, ({ entries }) => entries.toReversed())}
          rowKey={({ _id }) => _id}
          emptyText={`No entries in ${year}`}
          onRetry={history.reload}
        />
      </Panel>
      <Panel title="Statements and gains">
        <p className="small soft">As CSV files. Gains are there once their method is fixed for the year.</p>
        <div className="row">
          <Download
            label="All entries"
            name="statement"
            endpoint={getStatement}
            query={{ format: 'csv' }}
            bearer={bearer}
          />
          <Download
            label={`Entries of ${year}`}
            name={`statement-${year}`}
            endpoint={getStatement}
            query={{ ...period, format: 'csv' }}
            bearer={bearer}
          />
          <Download
            label={`Gains of ${year}`}
            name={`gains-${year}`}
            endpoint={getGains}
            query={{ year: String(year), format: 'csv' }}
            bearer={bearer}
          />
        </div>
      </Panel>
    </div>
  )
}

type Balances = AnswerOf<typeof getBalances>

function Whose({ facts }: { facts: Balances | undefined }) {
  return (
    <div>
      <h1>
        {facts === undefined ? (
          <Skeleton width="medium" />
        ) : (
          <>
            <span>Account of </span>
            <bdi>{facts.name}</bdi>
          </>
        )}
      </h1>
      {facts?.key && (
        <p className="soft">
          <span>Shared with </span>
          <bdi>{facts.key.name}</bdi>
          <span> to read, until </span>
          <DateTime at={new Date(Date.parse(facts.key.expiresAt) - 1).toISOString()} show="date" />
          <span>. Nothing can be changed here.</span>
        </p>
      )}
    </div>
  )
}

function Amount({ usd }: { usd: number | undefined }) {
  return usd === undefined ? <Skeleton width="short" /> : <Money value={usd} />
}

const AMOUNTS = [
  ['Total balance', 'totalBalance'],
  ['Available', 'available'],
  ['Held for withdrawals', 'held'],
  ['Set aside for orders', 'allocating'],
  ['In strategies, at cost', 'invested'],
  ['Gain or loss on it', 'unrealised'],
] as const

/** The rows of a table. */
function toRows<T, Row>(resource: Resource<T>, list: (data: T) => readonly Row[]): TableRows<Row> {
  return resource.state === 'ready' ? { state: 'ready', rows: list(resource.data) } : resource
}

const POSITIONS: readonly Column<Position>[] = [
  { key: 'name', header: 'Strategy', narrow: 'line', cell: ({ name }) => name },
  {
    key: 'cost',
    header: 'Cost',
    align: 'end',
    narrow: 'line',
    label: true,
    cell: ({ cost }) => <Money value={cost} />,
  },
  {
    key: 'value',
    header: 'Value',
    align: 'end',
    narrow: 'line',
    label: true,
    cell: ({ value }) => <Money value={value} />,
  },
]

const ENTRIES: readonly Column<LedgerEntry>[] = [
  { key: 'at', header: 'Date', narrow: 'start', cell: ({ at }) => <TableDate at={at} show="date" /> },
  { key: 'what', header: 'Entry', narrow: 'line', cell: ({ code }) => ENTRY_WORDS[code] },
  {
    key: 'amount',
    header: 'Amount',
    align: 'end',
    narrow: 'end',
    cell: ({ amount }) => <Money value={amount} />,
  },
]

interface DownloadProps {
  label: string
  name: string
  endpoint: Endpoint
  query: Readonly<Record<string, string>>
  bearer: string
}

function Download({ label, name, endpoint, query, bearer }: DownloadProps) {
  return (
    <SaveCsv
      label={label}
      size="small"
      buildName={() => `${site.slug}-${name}`}
      load={() => callBlob(endpoint, { bearer, query, quiet: false })}
    />
  )
}
