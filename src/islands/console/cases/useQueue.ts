import type * as z from 'zod/mini'
import type { Endpoint } from '../../../contract/endpoint.ts'
import type { Column, TableRows } from '../../../design/Table.tsx'
import { callBlob } from '../../lib/api.ts'
import { usePages, usePreviousRows } from '../../lib/pages.ts'
import { queryOf } from './queueQuery.ts'
import type { Filter } from './StatusFilter.tsx'
import { useAddress } from './useAddress.ts'
import { type Listed, useArrivals } from './useArrivals.ts'
import { nextWaiting, useDecided } from './useDecided.ts'

/** What a queue is made of. */
export interface QueueOf<Q extends z.ZodMiniType, Row> {
  /** Its list. */
  endpoint: Endpoint<z.ZodMiniType<undefined>, Q, Row[]>
  /** What is listed, in lower case: "deposits". */
  what: string
  /** They begin with the one that is shown at first. */
  filters: readonly [Filter, ...Filter[]]
  columns: readonly Column<Row>[]
  /** Whether a row still needs a decision, under the filter in force. */
  waits: (row: Row, status: string) => boolean
}

/** A list of things that wait for a decision, one of which may be open. */
export interface Queue<Row> {
  /** The filter in force, kept in the address as `?status=`. */
  status: string
  show: (status: string) => void
  /** What is searched for, kept in the address as `?query=`; blank for nothing. */
  query: string
  find: (query: string) => void
  data: TableRows<Row>
  reload: () => void
  /** How many have come in since the list was loaded, and are not in it yet. */
  arrived: number
  /** Looks at once for what came in, and for what others have decided. */
  look: () => void
  /** All that the filter and the search find, as a file. */
  exported: () => Promise<Blob>
  more: { hasMore: boolean; pending: boolean; onMore: () => void }
  /** The id of what is open, kept in the address as `?open=`; blank for none. */
  openId: string
  /** Its row, where the list holds it. */
  opened: Row | undefined
  open: (row: Row) => void
  close: () => void
  /** Opens the row above or below what is open, where there is one. */
  step: (by: 1 | -1) => void
  /** Takes the row that a decision answered. */
  put: (row: Row) => void
  /** The next one that waits, after a decision on the open one. */
  next: Row | undefined
}

/** The queue behind a list endpoint. */
export function useQueue<Q extends z.ZodMiniType, Row extends Listed>(kind: QueueOf<Q, Row>): Queue<Row> {
  const { endpoint, filters, waits } = kind
  const [asked, show] = useAddress('status', filters[0].value)
  const status = filters.some(({ value }) => value === asked) ? asked : filters[0].value
  const [query, find] = useAddress('query', '')
  const [openId, setOpen] = useAddress('open', '')
  const loaded = usePages(endpoint, queryOf<Q>({ status, query }))
  const decided = useDecided(usePreviousRows(loaded.data), `${status} ${query}`)
  const rows = decided.data.state === 'ready' ? decided.data.rows : []
  const arrivals = useArrivals({
    kind,
    asked: { status, query },
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
    arrived: arrivals.arrived,
    look: arrivals.look,
    exported: () =>
      callBlob(endpoint, { query: queryOf<Q>({ status, query, format: 'csv' }) as z.input<Q>, quiet: false }),
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
    next: nextWaiting(rows, openId, (row) => !decided.has(row._id) && waits(row, status)),
  }
}
