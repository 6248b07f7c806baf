import { useState } from 'react'
import type { TableRows } from '../../../design/Table.tsx'
import { callBlob, callPage } from '../../lib/api.ts'
import { usePages, usePreviousRows } from '../../lib/pages.ts'
import { useOnPossibleChange } from './pendingCounts.ts'
import type { QueueKind, QueueRow } from './queueKind.ts'
import { useAddress } from './useAddress.ts'
import { nextPending, useDecided } from './useDecided.ts'

/** The list of a queue, one row of which may be open. */
export interface Queue<Row> {
  /** The filter in force, kept in the address as `?status=`. */
  status: string
  show: (status: string) => void
  /** What is searched for, kept in the address as `?query=`; blank for nothing. */
  query: string
  find: (query: string) => void
  data: TableRows<Row>
  reload: () => void
  /** How many pending rows came in since the list was loaded. */
  arrived: number
  /** Looks now for rows that came in and rows that others decided. */
  refresh: () => void
  /** Everything that filter and search find, as a file. */
  exported: () => Promise<Blob>
  more: { hasMore: boolean; pending: boolean; onMore: () => void }
  /** The id of the open row, kept in the address as `?open=`; blank for none. */
  openId: string
  /** The open row, where the list has it. */
  opened: Row | undefined
  open: (row: Row) => void
  close: () => void
  /** Opens the row above or below the open one, where there is one. */
  step: (by: 1 | -1) => void
  /** Adds the row that a decision answered. */
  put: (row: Row) => void
  /** The next pending row after the open one. */
  next: Row | undefined
}

export function useQueue<Row extends QueueRow>(kind: QueueKind<Row>): Queue<Row> {
  const { endpoint, filters, isPending } = kind
  const [asked, show] = useAddress('status', filters[0].value)
  const status = filters.some(({ value }) => value === asked) ? asked : filters[0].value
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
    learn: decided.learn,
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
  /** As loaded: arrivals are counted from there. */
  data: TableRows<Row>
  /** As shown. */
  rows: readonly Row[]
  /** Called with the shown rows that changed meanwhile. */
  learn: (rows: readonly Row[]) => void
}

/**
 * How many rows came in since the list was loaded. The list stays as it is, so that nothing moves under the pointer; only
 * rows that others decided meanwhile are updated in their place.
 */
function useArrivals<Row extends QueueRow>(options: ArrivalOptions<Row>) {
  const { isPending, loadNewest, status, data, rows, learn } = options
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
      if (changed.length + others.length > 0) learn([...changed, ...others])
    } catch {
      // The list stays as it was, and can be reloaded.
    }
  }
  useOnPossibleChange(refresh)
  return { arrived: found.since === loaded ? found.count : 0, refresh }
}

/**
 * Compares the shown rows with the newest page: how many pending rows came in, which rows changed, and which pending rows
 * are gone from the list. About rows older than that page it says nothing.
 */
export function compareRows<Row extends QueueRow>(
  shown: readonly Row[],
  newest: readonly Row[],
  isAll: boolean,
  isPending: (row: Row) => boolean,
): { arrived: number; changed: Row[]; gone: Row[] } {
  const known = new Map(shown.map((row) => [row._id, row]))
  const now = new Set(newest.map(({ _id }) => _id))
  const oldest = isAll ? '' : (newest.at(-1)?.createdAt ?? '')
  return {
    arrived: newest.filter((row) => !known.has(row._id) && isPending(row)).length,
    changed: newest.filter((row) => {
      const before = known.get(row._id)
      return before !== undefined && JSON.stringify(before) !== JSON.stringify(row)
    }),
    gone: shown.filter((row) => isPending(row) && !now.has(row._id) && row.createdAt > oldest),
  }
}
