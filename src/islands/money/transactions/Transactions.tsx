import { useEffect, useRef, useState } from 'react'
import { getReaderTimeZone } from '../../../contract/dates.ts'
import { listOrders } from '../../../contract/investing/allocations.ts'
import { ENTRY_WORDS, listEntries } from '../../../contract/money/statements.ts'
import { listTransactions, type Transaction } from '../../../contract/money/transactions.ts'
import { formatNumber } from '../../../contract/numbers.ts'
import { Button, ButtonLink } from '../../../design/Button.tsx'
import { TableDate } from '../../../design/DateTime.tsx'
import { EmptyState } from '../../../design/EmptyState.tsx'
import { withErrorBoundary } from '../../../design/ErrorBoundary.tsx'
import { TextField } from '../../../design/Field.tsx'
import { Money } from '../../../design/Money.tsx'
import { Panel } from '../../../design/Panel.tsx'
import { SelectField } from '../../../design/SelectField.tsx'
import { Status } from '../../../design/Status.tsx'
import { type Column, Pagination, Table, type TableRows } from '../../../design/Table.tsx'
import { type Pages, usePages, usePreviousRows } from '../../lib/pages.ts'
import { popSearchParams, setSearchParams, useSearchParams } from '../../lib/url.ts'
import { BonusDetails } from './BonusDetails.tsx'
import {
  buildBonusQuery,
  buildOrderQuery,
  buildRequestQuery,
  type Filter,
  HISTORY_KINDS,
  HISTORY_STATUSES,
  isBackwards,
  isFiltered,
  NO_FILTER,
  parseFilter,
  parseOneOf,
} from './filter.ts'
import { OrderDetails } from './OrderDetails.tsx'
import {
  getRowName,
  getSignedAmount,
  getStatus,
  getTime,
  type HistoryRow,
  isBonus,
  isBonusName,
  isOrder,
  isOrderRef,
  isTransaction,
  isVoid,
  mergePages,
} from './rows.ts'
import { isDelayed, TransactionDetails } from './TransactionDetails.tsx'
import styles from './Transactions.module.css'
import { describeRoute, getStatusLabel, HISTORY_LABELS, toCapitalised } from './words.ts'

export const Transactions = withErrorBoundary(Screen, '/dashboard/overview')

const NOTHING: TableRows<HistoryRow> = { state: 'ready', rows: [] }

function Screen() {
  // The filter and the open transaction are in the URL. Null on the server.
  const words = useSearchParams()
  const filter = words === null ? NO_FILTER : parseFilter(words)
  const isImpossible = isBackwards(filter)
  const isAsked = words !== null && !isImpossible
  const { data, reload, ...paging } = useHistory(filter, isAsked)
  const { rows, put } = useUpdatedRows(usePreviousRows(isImpossible ? NOTHING : data))
  const listed = rows.state === 'ready' ? rows.rows : []
  const open = words?.get('open') ?? ''
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
            onOpen={(row) => setSearchParams({ open: getRowName(row) }, 'push')}
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
      {isOrderRef(open) ? (
        <OrderDetails
          name={open}
          order={listed.filter(isOrder).find(({ ref }) => ref === open)}
          isLoading={rows.state === 'loading'}
          onClose={close}
        />
      ) : isBonusName(open) ? (
        <BonusDetails
          bonus={listed.filter(isBonus).find((row) => getRowName(row) === open)}
          isLoading={rows.state === 'loading'}
          onClose={close}
        />
      ) : (
        <TransactionDetails name={open} rows={listed.filter(isTransaction)} onClose={close} onLoaded={put} />
      )}
    </>
  )
}

const close = () => popSearchParams({ open: null })

/** Deposits, withdrawals, orders and bonuses in one list. Loads only the lists that the filter allows. */
function useHistory(filter: Filter, isAsked: boolean): Pages<HistoryRow> {
  const query = isAsked ? buildRequestQuery(filter) : null
  const orderQuery = isAsked ? buildOrderQuery(filter) : null
  const bonusQuery = isAsked ? buildBonusQuery(filter) : null
  const requests: Pages<HistoryRow> = usePages(listTransactions, query)
  const orders: Pages<HistoryRow> = usePages(listOrders, orderQuery)
  const bonuses: Pages<HistoryRow> = usePages(listEntries, bonusQuery)
  const asked = [query && requests, orderQuery && orders, bonusQuery && bonuses].filter(
    (list) => list !== null,
  )
  const merged = mergePages(asked.length > 0 ? asked : [requests])
  return { ...merged, data: useSameRows(merged.data) }
}

/** The same array until a row changes, because a render merges the lists into a new one. */
function useSameRows(data: TableRows<HistoryRow>): TableRows<HistoryRow> {
  const rows = data.state === 'ready' ? data.rows : null
  const [kept, setKept] = useState(rows)
  if (rows === null) return data
  if (kept?.length === rows.length && rows.every((row, i) => row === kept[i]))
    return { state: 'ready', rows: kept }
  setKept(rows)
  return data
}

function write(words: Partial<Filter>): void {
  setSearchParams(Object.fromEntries(Object.entries(words).map(([name, word]) => [name, word || null])))
}

const clear = () => write(NO_FILTER)

/** The rows, updated with the newer state of those that were opened or cancelled. Adds and removes none. */
function useUpdatedRows(data: TableRows<HistoryRow>) {
  const [updates, setUpdates] = useState<ReadonlyMap<string, Transaction>>(new Map())
  const updateRow = (row: Transaction) => setUpdates((before) => new Map(before).set(row._id, row))
  const rows: TableRows<HistoryRow> =
    data.state === 'ready' && updates.size > 0
      ? { ...data, rows: data.rows.map((row) => updates.get(row._id) ?? row) }
      : data
  return { rows, put: updateRow }
}

const columns: readonly Column<HistoryRow>[] = [
  {
    key: 'details',
    header: 'Details',
    lines: 2,
    usually: 'long',
    narrow: 'start',
    cell: (row) => (
      <span>
        <span>
          {isBonus(row) ? ENTRY_WORDS[row.code] : HISTORY_LABELS[isOrder(row) ? row.kind : row.trxType]}
        </span>
        {!isBonus(row) && (
          <span className={styles.route}>
            <span>{isOrder(row) ? row.name : describeRoute(row)}</span> ·{' '}
            <span translate="no" className={styles.ref}>
              {row.ref}
            </span>
          </span>
        )}
      </span>
    ),
  },
  {
    key: 'amount',
    header: 'Amount',
    align: 'end',
    narrow: 'end',
    cell: (row) => <Amount row={row} />,
  },
  {
    key: 'status',
    header: 'Status',
    narrow: 'short-start',
    cell: (row) => (
      <>
        <Status status={getStatus(row)} label={isTransaction(row) ? getStatusLabel(row) : undefined} />
        {isTransaction(row) && row.heldUntil && isDelayed(row, row.heldUntil) && (
          <span className={styles.route}>
            Not paid before <TableDate at={row.heldUntil} />
          </span>
        )}
      </>
    ),
  },
  {
    key: 'date',
    header: 'Date',
    usually: 'medium',
    narrow: 'wide-end',
    cell: (row) => (
      <span className={styles.date}>
        <TableDate at={getTime(row)} />
      </span>
    ),
  },
]

/** With the sign of its effect on the available money, unless no money moved. */
function Amount({ row }: { row: HistoryRow }) {
  const amount = getSignedAmount(row)
  if (amount === null) return <span>All</span>
  return isVoid(row) ? <Money value={Math.abs(amount)} /> : <Money value={amount} sign="always" />
}

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
      No transactions match these filters.
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
        options={HISTORY_KINDS.map((value) => ({ value, label: HISTORY_LABELS[value] }))}
        onChange={({ target }) => onChange({ kind: parseOneOf(HISTORY_KINDS, target.value) })}
      />
      <SelectField
        label="Status"
        value={filter.status}
        placeholder="Any status"
        options={HISTORY_STATUSES.map((value) => ({ value, label: toCapitalised(value) }))}
        onChange={({ target }) => onChange({ status: parseOneOf(HISTORY_STATUSES, target.value) })}
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
  data: TableRows<HistoryRow>
  hasMore: boolean
  filtered: boolean
  onClear: () => void
}

function ListSummary({ data, hasMore, filtered, onClear }: ListSummaryProps) {
  const [zone, setZone] = useState('')
  useEffect(() => setZone(getReaderTimeZone()), [])
  const count = data.state === 'ready' ? data.rows.length : 0
  const isOld = data.state === 'ready' && data.isOld === true
  return (
    <div className={styles.summary}>
      <p>
        <span>{zone && `Times in ${zone.replaceAll('_', ' ')}. `}</span>
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
  const what = `${formatNumber(count)} ${count === 1 ? 'transaction' : 'transactions'}`
  if (hasMore) return `The newest ${what}${filtered ? ' that match' : ''}; there are more.`
  return `${what}${filtered ? (count === 1 ? ' matches' : ' match') : ''}, newest first.`
}
