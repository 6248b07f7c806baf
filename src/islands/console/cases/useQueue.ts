import { useState } from 'react'
import type { TableRows } from '../../../design/Table.tsx'
import { callBlob, callPage } from '../../lib/api.ts'
import { usePages, usePreviousRows } from '../../lib/pages.ts'
import { useOnPossibleChange } from './pendingCounts.ts'
import type { QueueKind, QueueRow } from './queueKind.ts'
import { useAddress } from './useAddress.ts'
import { nextPending, useDecided } from './useDecided.ts'

/** The list of a queue, and its open row. */
export interface Queue<Row> {
  /** The current filter, stored in the URL as `?status=`. */
  status: string
  show: (status: string) => void
  /** The search text, stored in the URL as `?query=`; may be blank. */
  query: string
  find: (query: string) => void
  data: TableRows<Row>
  reload: () => void
  /** The number of pending rows that arrived since the list was loaded. */
  arrived: number
  /** Checks now for rows that arrived, and rows that other operators decided. */
  refresh: () => void
  /** All rows that filter and search find, as a CSV file. */
  exported: () => Promise<Blob>
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
  /** The next pending row after the open one. */
  next: Row | undefined
}

export function useQueue<Row extends QueueRow>(kind: QueueKind<Row>): Queue<Row> {
  const { endpoint, filters, isPending } = kind
  const [requested, show] = useAddress('status', filters[0].value)
  const status = filters.some(({ value }) => value === requested) ? requested : filters[0].value
  const [query, find] = useAddress('query', '')
  const [openId, setOpen] = useAddress('open', '')
  const loaded = usePages(endpoint, { status, query })
  const decided = useDecided(usePreviousRows(loaded.data), `${status} ${query}`)
  const rows = decided.data.state === 'ready' ? decided.data.rows : []
  const { arrived, refresh } = useArrivals({
    isPending: (row) => isPending(row, status),
    loadNewest: (status) => callPage(endpoint, { query: { status, query, limit: '100' } }),
    status,
    data: loaded.data,
    rows,
    update: decided.update,
  })
  const place = rows.findIndex(({ _id }) => _id === openId)
  return {
    status,
    show,
    query,
    find,
    data: decided.data,
    reload: () => {
      decided.forget()
      loaded.reload()
    },
    arrived,
    refresh,
    exported: () => callBlob(endpoint, { query: { status, query, format: 'csv' }, quiet: false }),
    more: { hasMore: loaded.hasMore, pending: loaded.pending, onMore: loaded.onMore },
    openId,
    opened: rows[place],
    open: ({ _id }) => setOpen(_id),
    close: () => setOpen(''),
    step: (by) => {
      const row = place < 0 ? undefined : rows[place + by]
      if (row !== undefined) setOpen(row._id)
    },
    put: decided.put,
    next: nextPending(rows, openId, (row) => !decided.has(row._id) && isPending(row, status)),
  }
}

interface ArrivalOptions<Row> {
  isPending: (row: Row) => boolean
  loadNewest: (status: string) => Promise<{ rows: readonly Row[]; nextCursor: string | null }>
  status: string
  /** The loaded list, since which arrivals are counted. */
  data: TableRows<Row>
  /** The shown rows. */
  rows: readonly Row[]
  /** Called with the shown rows that changed meanwhile. */
  update: (rows: readonly Row[]) => void
}

/**
 * Counts the rows that arrived since the list was loaded. The list itself stays, so that nothing moves under the pointer;
 * only rows that other operators decided are updated in place.
 */
function useArrivals<Row extends QueueRow>(options: ArrivalOptions<Row>) {
  const { isPending, loadNewest, status, data, rows, update } = options
  const [found, setFound] = useState<{ since: unknown; count: number }>({ since: null, count: 0 })
  const loaded = data.state === 'ready' ? data.rows : null
  const refresh = async () => {
    if (loaded === null) return
    try {
      const now = await loadNewest(status)
      const { arrived, changed, gone } = compareRows(rows, now.rows, now.nextCursor === null, isPending)
      setFound({ since: loaded, count: arrived })
      const ids = new Set(gone.map(({ _id }) => _id))
      const others = ids.size === 0 ? [] : (await loadNewest('')).rows.filter(({ _id }) => ids.has(_id))
      if (changed.length + others.length > 0) update([...changed, ...others])
    } catch {
      // The list stays, and can be reloaded.
    }
  }
  useOnPossibleChange(refresh)
  return { arrived: found.since === loaded ? found.count : 0, refresh }
}

/**
 * Compares the shown rows with the newest page: the number of new pending rows, the rows that changed, and the pending rows
 * that are gone. Ignores rows older than the newest page.
 */
export function compareRows<Row extends QueueRow>(
  shown: readonly Row[],
  newest: readonly Row[],
  isAll: boolean,
  isPending: (row: Row) => boolean,
): { arrived: number; changed: Row[]; gone: Row[] } {
  const shownById = new Map(shown.map((row) => [row._id, row]))
  const now = new Set(newest.map(({ _id }) => _id))
  const oldest = isAll ? '' : (newest.at(-1)?.createdAt ?? '')
  return {
    arrived: newest.filter((row) => !shownById.has(row._id) && isPending(row)).length,
    changed: newest.filter((row) => {
      const before = shownById.get(row._id)
      return before !== undefined && JSON.stringify(before) !== JSON.stringify(row)
    }),
    gone: shown.filter((row) => isPending(row) && !now.has(row._id) && row.createdAt > oldest),
  }
}
