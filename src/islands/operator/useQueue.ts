import type * as z from 'zod/mini'
import type { Endpoint } from '../../contract/endpoint.ts'
import type { TableRows } from '../../design/Table.tsx'
import { usePages } from '../lib/pages.ts'
import type { Filter } from './StatusFilter.tsx'
import { useAddress } from './useAddress.ts'
import { type Identified, nextWaiting, useDecided } from './useDecided.ts'

/** A list of things that wait for a decision, one of which may be open. */
export interface Queue<Row> {
  /** The filter in force, kept in the address as `?status=`. */
  status: string
  show: (status: string) => void
  data: TableRows<Row>
  reload: () => void
  more: { hasMore: boolean; pending: boolean; onMore: () => void }
  /** The id of what is open, kept in the address as `?open=`; blank for none. */
  openId: string
  /** Its row, where the list holds it. */
  opened: Row | undefined
  open: (row: Row) => void
  close: () => void
  /** Takes the row that a decision answered. */
  put: (row: Row) => void
  /** The next one that waits, after a decision on the open one. */
  next: Row | undefined
}

/**
 * The queue behind a list endpoint. `filters` begin with the one that is shown at first; `waits` says whether a row
 * still needs a decision, under the filter in force.
 */
export function useQueue<Q extends z.ZodMiniType, Row extends Identified>(
  endpoint: Endpoint<z.ZodMiniType<undefined>, Q, Row[]>,
  filters: readonly [Filter, ...Filter[]],
  waits: (row: Row, status: string) => boolean,
): Queue<Row> {
  const [asked, show] = useAddress('status', filters[0].value)
  const status = filters.some(({ value }) => value === asked) ? asked : filters[0].value
  const [openId, setOpen] = useAddress('open', '')
  const { data, reload, ...more } = usePages(endpoint, queryOf<Q>(status))
  const decided = useDecided(data, status)
  const rows = decided.data.state === 'ready' ? decided.data.rows : []
  return {
    status,
    show,
    data: decided.data,
    reload: () => {
      decided.forget()
      reload()
    },
    more,
    openId,
    opened: rows.find(({ _id }) => _id === openId),
    open: ({ _id }) => setOpen(_id),
    close: () => setOpen(''),
    put: decided.put,
    next: nextWaiting(rows, openId, (row) => !decided.has(row._id) && waits(row, status)),
  }
}

/** Every queue's query is `page` of the contract and a status of its own. */
function queryOf<Q extends z.ZodMiniType>(status: string): Omit<z.input<Q>, 'cursor'> {
  return { status } as unknown as Omit<z.input<Q>, 'cursor'>
}
