import { useEffect, useRef, useState } from 'react'
import {
  listTransactions,
  REQUEST_STATUSES,
  TRX_TYPES,
  type Transaction,
} from '../../../contract/money/transactions.ts'
import { Button, ButtonLink } from '../../../design/Button.tsx'
import { DateTime } from '../../../design/DateTime.tsx'
import { EmptyState } from '../../../design/EmptyState.tsx'
import { withErrorBoundary } from '../../../design/ErrorBoundary.tsx'
import { TextField } from '../../../design/Field.tsx'
import { Money } from '../../../design/Money.tsx'
import { Panel } from '../../../design/Panel.tsx'
import { SelectField } from '../../../design/SelectField.tsx'
import { Status } from '../../../design/Status.tsx'
import { type Column, Pagination, Table, type TableRows } from '../../../design/Table.tsx'
import { usePages, usePreviousRows } from '../../lib/pages.ts'
import { popSearchParams, setSearchParams, useSearchParams } from '../../lib/url.ts'
import { type Filter, filterOf, isBackwards, isFiltered, NO_FILTER, oneOf, queryOf } from './filter.ts'
import { TransactionDetails } from './TransactionDetails.tsx'
import styles from './Transactions.module.css'
import { capitalised, KIND_LABELS, routeWords } from './words.ts'

export const Transactions = withErrorBoundary(Screen, '/dashboard/overview')

const NOTHING: TableRows<Transaction> = { state: 'ready', rows: [] }

function Screen() {
  // The filter and the open transaction are in the URL. Null on the server.
  const words = useSearchParams()
  const filter = words === null ? NO_FILTER : filterOf(words)
  const isImpossible = isBackwards(filter)
  const { data, reload, ...paging } = usePages(
    listTransactions,
    words === null || isImpossible ? null : queryOf(filter),
  )
  const { rows, put } = useUpdatedRows(usePreviousRows(isImpossible ? NOTHING : data))
  const list = useFocusOnAdded(rows.state === 'ready' ? rows.rows.length : 0)
  return (
    <>
      <Panel>
        <Filters filter={filter} onChange={write} />
        <ListSummary data={rows} hasMore={paging.hasMore} filtered={isFiltered(filter)} onClear={clear} />
        <div ref={list.ref}>
          <Table
            caption="Transaction history"
            columns={columns}
            data={rows}
            rowKey={(row) => row._id}
            emptyText={isFiltered(filter) ? <NoMatch /> : <Nothing />}
            onRetry={reload}
            onOpen={(row) => setSearchParams({ open: row.ref }, 'push')}
            footer={
              <Pagination
                {...paging}
                onMore={() => {
                  list.expect()
                  paging.onMore()
                }}
              />
            }
          />
        </div>
      </Panel>
      <TransactionDetails
        name={words?.get('open') ?? ''}
        rows={rows.state === 'ready' ? rows.rows : []}
        onClose={() => popSearchParams({ open: null })}
        onLoaded={put}
      />
    </>
  )
}

function write(words: Partial<Filter>): void {
  setSearchParams(Object.fromEntries(Object.entries(words).map(([name, word]) => [name, word || null])))
}

const clear = () => write(NO_FILTER)

/** The rows, updated with the newer state of those that were opened or cancelled. Adds and removes none. */
function useUpdatedRows(data: TableRows<Transaction>) {
  const [updates, setUpdates] = useState<ReadonlyMap<string, Transaction>>(new Map())
  const put = (row: Transaction) => setUpdates((before) => new Map(before).set(row._id, row))
  const rows: TableRows<Transaction> =
    data.state === 'ready' && updates.size > 0
      ? { ...data, rows: data.rows.map((row) => updates.get(row._id) ?? row) }
      : data
  return { rows, put }
}

const columns: readonly Column<Transaction>[] = [
  {
    key: 'details',
    header: 'Details',
    lines: 2,
    narrow: 'start',
    cell: (row) => (
      <>
        {KIND_LABELS[row.trxType]}
        <span className={styles.route}>
          {routeWords(row)} · <span className={styles.ref}>{row.ref}</span>
        </span>
      </>
    ),
  },
  {
    key: 'amount',
    header: 'Amount',
    align: 'end',
    narrow: 'end',
    cell: (row) => <Money value={row.amount} />,
  },
  { key: 'status', header: 'Status', narrow: 'short-start', cell: (row) => <Status status={row.status} /> },
  {
    key: 'date',
    header: 'Date',
    narrow: 'wide-end',
    cell: (row) => (
      <span className={styles.date}>
        <DateTime at={row.createdAt} />
      </span>
    ),
  },
]

function Nothing() {
  return (
    <EmptyState
      title="You currently do not have any transaction history"
      action={<ButtonLink href="/dashboard/deposit">Deposit</ButtonLink>}
    />
  )
}

function NoMatch() {
  return (
    <EmptyState title="Nothing matches" action={<Button onClick={clear}>Clear filters</Button>}>
      None of your transactions is of this kind, status and time.
    </EmptyState>
  )
}

/** Focuses the first added row after "show more", because the button moves down or disappears. Call `expect` on the click. */
function useFocusOnAdded(count: number) {
  const ref = useRef<HTMLDivElement>(null)
  const before = useRef<number | null>(null)
  useEffect(() => {
    if (before.current === null || count === before.current) return
    const row = count > before.current ? ref.current?.querySelectorAll('tbody tr')[before.current] : null
    before.current = null
    row?.querySelector('button')?.focus()
  }, [count])
  return {
    ref,
    expect: () => {
      before.current = count
    },
  }
}

function Filters({ filter, onChange }: { filter: Filter; onChange: (next: Partial<Filter>) => void }) {
  return (
    <search className={styles.filters} aria-label="Filter the history">
      <SelectField
        label="Kind"
        value={filter.kind}
        placeholder="All kinds"
        options={TRX_TYPES.map((value) => ({ value, label: KIND_LABELS[value] }))}
        onChange={({ target }) => onChange({ kind: oneOf(TRX_TYPES, target.value) })}
      />
      <SelectField
        label="Status"
        value={filter.status}
        placeholder="Any status"
        options={REQUEST_STATUSES.map((value) => ({ value, label: capitalised(value) }))}
        onChange={({ target }) => onChange({ status: oneOf(REQUEST_STATUSES, target.value) })}
      />
      <TextField
        label="From"
        type="date"
        value={filter.from}
        onChange={({ target }) => onChange({ from: target.value })}
      />
      <TextField
        label="To"
        type="date"
        value={filter.to}
        error={isBackwards(filter) ? 'The last day comes before the first' : undefined}
        onChange={({ target }) => onChange({ to: target.value })}
      />
    </search>
  )
}

interface ListSummaryProps {
  data: TableRows<Transaction>
  hasMore: boolean
  filtered: boolean
  onClear: () => void
}

function ListSummary({ data, hasMore, filtered, onClear }: ListSummaryProps) {
  const [zone, setZone] = useState('')
  useEffect(() => setZone(Intl.DateTimeFormat().resolvedOptions().timeZone), [])
  const count = data.state === 'ready' ? data.rows.length : 0
  const isOld = data.state === 'ready' && data.isOld === true
  return (
    <div className={styles.summary}>
      <p>
        Days and times are yours
        {zone && ` (${zone.replaceAll('_', ' ')})`}.{' '}
        <span role="status">{isOld ? 'Loading…' : count > 0 && countWords(count, hasMore, filtered)}</span>
      </p>
      {filtered && count > 0 && (
        <Button size="small" variant="quiet" onClick={onClear}>
          Clear filters
        </Button>
      )}
    </div>
  )
}

function countWords(count: number, hasMore: boolean, filtered: boolean): string {
  const what = `${count.toLocaleString('en-US')} ${count === 1 ? 'transaction' : 'transactions'}`
  if (hasMore) return `The newest ${what}${filtered ? ' that match' : ''}; there are more.`
  return `${what}${filtered ? (count === 1 ? ' matches' : ' match') : ''}, newest first.`
}
