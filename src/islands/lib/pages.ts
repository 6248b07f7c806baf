import { useState } from 'react'
import type * as z from 'zod/mini'
import type { Endpoint } from '../../contract/endpoint.ts'
import type { TableRows } from '../../design/Table.tsx'
import { callPage, type Page } from './api.ts'
import { useResource } from './resource.ts'

export interface Pages<Row> {
  /** For `Table`, and `reload` for its `onRetry`. */
  data: TableRows<Row>
  reload: () => void
  /** For `Pagination`. */
  hasMore: boolean
  pending: boolean
  onMore: () => void
}

/**
 * A list that comes page by page, from its first page again whenever the query changes; a query of null waits. A further
 * page that can't be loaded is said in a toast and leaves what is shown. `params` stand for `:id` in the endpoint's path.
 */
export function usePages<B extends z.ZodMiniType, Q extends z.ZodMiniType, Row>(
  endpoint: Endpoint<B, Q, Row[]>,
  query: Omit<z.input<Q>, 'cursor'> | null = {} as Omit<z.input<Q>, 'cursor'>,
  params: Readonly<Record<string, string>> = {},
): Pages<Row> {
  const load = (cursor?: string) =>
    callPage(endpoint, { params, query: withCursor<Q>(query, cursor), quiet: cursor === undefined })
  const first = useResource(query && JSON.stringify([endpoint.path, params, query]), () => load())
  const [further, setFurther] = useState<{ after: Page<Row>; page: Page<Row> } | null>(null)
  const [isPending, setPending] = useState(false)
  const firstPage = first.state === 'ready' ? first.data : null
  // What was added belongs to the first page that it was added to, and goes with it.
  const shown = further !== null && further.after === firstPage ? further.page : firstPage

  const onMore = async () => {
    if (firstPage === null || shown === null || shown.nextCursor === null) return
    setPending(true)
    try {
      const next = await load(shown.nextCursor)
      setFurther({ after: firstPage, page: { ...next, rows: [...shown.rows, ...next.rows] } })
    } catch {
      // `callPage` has said it.
    } finally {
      setPending(false)
    }
  }
  return {
    data: shown ? { state: 'ready', rows: shown.rows } : withoutData(first),
    reload: first.reload,
    hasMore: shown !== null && shown.nextCursor !== null,
    pending: isPending,
    onMore,
  }
}

function withoutData(resource: { state: string; msg?: string }): TableRows<never> {
  return resource.msg === undefined ? { state: 'loading' } : { state: 'failed', msg: resource.msg }
}

/** The query of one page: every list's query is `page` of the contract and its own filters. */
function withCursor<Q extends z.ZodMiniType>(
  query: Omit<z.input<Q>, 'cursor'> | null,
  cursor: string | undefined,
): z.input<Q> {
  return { ...query, cursor } as z.input<Q>
}

/** A list that is asked another question keeps the rows of the one before, as old, until the answer comes. Of none, and of a failure, nothing is kept. */
export function usePreviousRows<Row>(data: TableRows<Row>): TableRows<Row> {
  const [kept, setKept] = useState<readonly Row[] | null>(null)
  const present =
    data.state === 'ready' && data.rows.length > 0 ? data.rows : data.state === 'loading' ? kept : null
  if (present !== kept) setKept(present)
  return data.state === 'loading' && kept !== null ? { state: 'ready', rows: kept, isOld: true } : data
}
