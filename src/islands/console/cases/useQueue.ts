import { useMemo, useRef, useState } from 'react'
import type { Settings } from '../../../contract/console/settingValues.ts'
import type { TableRows } from '../../../design/Table.tsx'
import { callBlob, callPage } from '../../lib/api.ts'
import { usePages, usePreviousRows } from '../../lib/pages.ts'
import { useOnPossibleChange } from './pendingCounts.ts'
import {
  buildFilterQuery,
  hasRisk,
  isForOthers,
  isOnHold,
  isWaiting,
  listFilterNames,
  listFilters,
  type QueueKind,
  type QueueRow,
  takesField,
} from './queueKind.ts'
import { useAddress, usePrivateAddress } from './useAddress.ts'
import { findNextPending, useDecided } from './useDecided.ts'
import { type Filters, useFilters } from './useFilters.ts'
import { useOperator } from './useOperator.ts'

const ORDERS = ['oldest', 'newest', 'risk', 'balance', 'active'] as const
export type Order = (typeof ORDERS)[number]

/** The list of a queue, and its open row. */
export interface Queue<Row> {
  /** The current filter, stored in the URL as `?status=`. */
  status: string
  show: (status: string) => void
  /** The search text, stored in the URL as `#query=`; may be blank. */
  query: string
  search: (query: string) => void
  /** Whose cases are shown, stored in the URL as `?assigned=`: `me`, `nobody`, or blank for all. */
  assigned: string
  showAssigned: (assigned: string) => void
  /** The further filters, stored in the URL by their names. */
  filters: Filters
  narrow: (filters: Filters) => void
  /** The least risk of the cases that are shown, stored in the URL as `?risk=`: `medium`, `high`, or blank for any. */
  risk: string
  showRisk: (risk: string) => void
  order: Order
  sort: (order: string) => void
  data: TableRows<Row>
  reload: () => void
  /** The number of pending rows that arrived since the list was loaded. */
  arrived: number
  /** Checks now for rows that arrived, and rows that other operators decided. */
  refresh: () => void
  /** These rows, or else all that filter and search find, as a CSV file. */
  exportRows: (rows?: readonly QueueRow[]) => Promise<Blob>
  more: { hasMore: boolean; pending: boolean; onMore: () => void }
  /** The id of the open row, stored in the URL as `?open=`; blank if none is open. */
  openId: string
  /** The open row; undefined if the list does not contain it. */
  opened: Row | undefined
  open: (row: Row) => void
  close: () => void
  /** Opens the row above or below the open one, if there is one. */
  step: (by: 1 | -1) => void
  /** Stores the decided row from the server's answer. */
  put: (row: Row) => void
  /** Stores a row that changed without a decision. */
  update: (row: Row) => void
  /** The next pending row after the open one that this operator may decide, in the direction of the last step. */
  next: Row | undefined
}

export function useQueue<Row extends QueueRow>(kind: QueueKind<Row>, settings: Settings | null): Queue<Row> {
  const { endpoint, isPending = () => false } = kind
  const { me } = useOperator()
  const filters = listFilters(kind)
  const [requested, show] = useAddress('status', filters[0].value)
  const filter = filters.find(({ value }) => value === requested) ?? filters[0]
  const status = filter.value
  const usual = kind.orders?.[0]?.[0] ?? (isWaiting(filter) ? 'oldest' : 'newest')
  const [typedOrder, setOrder] = useAddress('order', '')
  const isRisky = hasRisk(kind, filter)
  const typed = (takesField(kind, 'order') && ORDERS.find((order) => order === typedOrder)) || usual
  const order = typed === 'risk' && !isRisky ? usual : typed
  const [typedRisk, showRisk] = useAddress('risk', '')
  const risk = isRisky && (typedRisk === 'high' || typedRisk === 'medium') ? typedRisk : ''
  const [query, search] = usePrivateAddress('query')
  const [openId, setOpen] = useAddress(kind.openedBy ?? 'open', '')
  const [direction, setDirection] = useState<1 | -1>(1)
  const [typedAssigned, showAssigned] = useAddress('assigned', '')
  // Only open cases are assigned.
  const assigned = kind.workOf && isWaiting(filter) ? typedAssigned : ''
  const filterNames = useMemo(() => listFilterNames(kind), [kind])
  const [narrowing, narrow] = useFilters(filterNames)
  const narrowed = {
    ...buildFilterQuery(filter),
    ...narrowing,
    ...(assigned !== '' && { assigned }),
    ...(risk !== '' && { risk }),
  }
  const loaded = usePages(endpoint, { ...narrowed, query, order })
  const decided = useDecided(usePreviousRows(loaded.data), JSON.stringify([narrowed, query, order]))
  const rows = decided.data.state === 'ready' ? decided.data.rows : []
  const updates = useRef(0)
  const { arrived, refresh } = useArrivals({
    updates,
    isPending: (row) => isPending(row, status),
    loadFirst: (isFiltered) =>
      callPage(endpoint, {
        query: { ...(isFiltered ? narrowed : { status: '' }), query, order, limit: '100' },
      }),
    order,
    hasMore: loaded.hasMore,
    data: loaded.data,
    rows,
    update: decided.update,
  })
  const place = rows.findIndex(({ _id }) => _id === openId)
  return {
    status,
    show,
    query,
    search,
    assigned,
    showAssigned,
    filters: narrowing,
    narrow,
    risk,
    showRisk,
    order,
    sort: (order) => setOrder(order === usual ? '' : order),
    data: decided.data,
    reload: () => {
      decided.forget()
      loaded.reload()
    },
    arrived,
    refresh,
    exportRows: (picked) => {
      const which = picked ? { ids: picked.map(({ _id }) => _id).join(',') } : { ...narrowed, query }
      // The other orders leave out rows that are not compared.
      const fileOrder = order === 'oldest' ? order : 'newest'
      return callBlob(endpoint, { query: { ...which, order: fileOrder, format: 'csv' }, quiet: false })
    },
    more: { hasMore: loaded.hasMore, pending: loaded.pending, onMore: loaded.onMore },
    openId,
    opened: rows[place],
    open: ({ _id }) => setOpen(_id),
    close: () => setOpen(''),
    step: (by) => {
      const row = place < 0 ? undefined : rows[place + by]
      setDirection(by)
      if (row !== undefined) setOpen(row._id)
    },
    put: (row) => {
      updates.current += 1
      decided.put(row)
    },
    update: (row) => {
      updates.current += 1
      decided.update([row])
    },
    next: findNextPending(
      direction === 1 ? rows : rows.toReversed(),
      openId,
      (row) =>
        !decided.has(row._id) &&
        isPending(row, status) &&
        !isOnHold(row) &&
        !isForOthers(kind, row, { me, settings }),
    ),
  }
}

interface ArrivalOptions<Row> {
  /** How many rows were changed here. A list that began to load before the last of them may lack it. */
  updates: { readonly current: number }
  isPending: (row: Row) => boolean
  /** The first page of the filtered list, or of the whole queue, in its order. */
  loadFirst: (isFiltered: boolean) => Promise<{ rows: readonly Row[]; nextCursor: string | null }>
  order: Order
  /** Whether the list has rows that are not loaded yet. */
  hasMore: boolean
  /** The loaded list, since which arrivals are counted. */
  data: TableRows<Row>
  /** The shown rows. */
  rows: readonly Row[]
  /** Called with the shown rows that changed meanwhile. */
  update: (rows: readonly Row[]) => void
}

/**
 * Counts the rows that arrived since the list was loaded. The list itself stays, so that no row moves under the pointer;
 * only rows that other operators decided are updated in place.
 */
function useArrivals<Row extends QueueRow>(options: ArrivalOptions<Row>) {
  const { updates, isPending, loadFirst, order, hasMore, data, rows, update } = options
  const [found, setFound] = useState<{ since: unknown; count: number }>({ since: null, count: 0 })
  const loaded = data.state === 'ready' ? data.rows : null
  const refresh = async () => {
    if (loaded === null) return
    const before = updates.current
    try {
      const now = await loadFirst(true)
      const isAll = now.nextCursor === null
      const { arrived, changed, gone } = compareRows(rows, now.rows, { isAll, hasMore, order, isPending })
      setFound({ since: loaded, count: arrived })
      const ids = new Set(gone.map(({ _id }) => _id))
      const others = ids.size === 0 ? [] : (await loadFirst(false)).rows.filter(({ _id }) => ids.has(_id))
      if (changed.length + others.length > 0 && updates.current === before) update([...changed, ...others])
    } catch {
      // The list stays, and can be reloaded.
    }
  }
  useOnPossibleChange(refresh)
  return { arrived: found.since === loaded ? found.count : 0, refresh }
}

interface RowComparison<Row> {
  /** Whether `first` is the whole list. */
  isAll: boolean
  /** Whether the list has rows after the shown ones. */
  hasMore: boolean
  order: Order
  isPending: (row: Row) => boolean
}

/**
 * Compares the shown rows with the first page of the list as it is now: the number of new pending rows, the rows that
 * changed, and the pending rows that are gone. Ignores rows after that page, and rows that “Show more” would load.
 */
export function compareRows<Row extends QueueRow>(
  shown: readonly Row[],
  first: readonly Row[],
  { isAll, hasMore, order, isPending }: RowComparison<Row>,
): { arrived: number; changed: Row[]; gone: Row[] } {
  const shownById = new Map(shown.map((row) => [row._id, row]))
  const now = new Set(first.map(({ _id }) => _id))
  const isBefore = ({ createdAt = '' }: Row, edge: Row | undefined) =>
    edge?.createdAt !== undefined &&
    (order === 'oldest' ? createdAt < edge.createdAt : createdAt > edge.createdAt)
  const lastShown = shown.at(-1)
  return {
    arrived: first.filter(
      (row) => !shownById.has(row._id) && isPending(row) && (!hasMore || isBefore(row, lastShown)),
    ).length,
    changed: first.filter((row) => {
      const before = shownById.get(row._id)
      return before !== undefined && JSON.stringify(before) !== JSON.stringify(row)
    }),
    gone: shown.filter(
      (row) => isPending(row) && !now.has(row._id) && (isAll || isBefore(row, first.at(-1))),
    ),
  }
}
