import { useState } from 'react'
import type * as z from 'zod/mini'
import type { Endpoint } from '../../contract/endpoint.ts'
import type { TableRows } from '../../design/Table.tsx'
import { callPage, type Page } from './api.ts'
import { useResource } from './resource.ts'

export interface Pages<Row> {
  /** For `Table`, with `reload` as its `onRetry`. */
  data: TableRows<Row>
  reload: () => void
  /** For `Pagination`. */
  hasMore: boolean
  pending: boolean
  onMore: () => void
}

/**
 * Loads a list page by page, and from its first page whenever the query changes. Does not load while the query is null. If
 * a further page fails, a toast says so and the shown rows stay. `params` fill in `:id` in the endpoint's path.
 */
export function usePages<B extends z.ZodMiniType, Q extends z.ZodMiniType, Row>(
  endpoint: Endpoint<B, Q, Row[]>,
  query: Omit<z.input<Q>, 'cursor'> | null = {} as Omit<z.input<Q>, 'cursor'>,
  params: Readonly<Record<string, string>> = {},
): Pages<Row> {
  const load = (cursor?: string) =>
    callPage(endpoint, {
      params,
      query: { ...query, cursor } as z.input<Q>,
      quiet: cursor === undefined,
    })
  const first = useResource(query && JSON.stringify([endpoint.path, params, query]), () => load())
  const [further, setFurther] = useState<{ after: Page<Row>; page: Page<Row> } | null>(null)
  const [isPending, setPending] = useState(false)
  const firstPage = first.state === 'ready' ? first.data : null
  // Further pages belong to the first page they were added to: a new first page drops them.
  const shown = further !== null && further.after === firstPage ? further.page : firstPage

  const onMore = async () => {
    if (firstPage === null || shown === null || shown.nextCursor === null) return
    setPending(true)
    try {
      const next = await load(shown.nextCursor)
      setFurther({ after: firstPage, page: { ...next, rows: [...shown.rows, ...next.rows] } })
    } catch {
      // `callPage` has shown a toast.
    } finally {
      setPending(false)
    }
  }
  return {
    data: shown
      ? { state: 'ready', rows: shown.rows }
      : first.state === 'failed'
        ? first
        : { state: 'loading' },
    reload: first.reload,
    hasMore: shown !== null && shown.nextCursor !== null,
    pending: isPending,
    onMore,
  }
}

/** While a changed query loads, keeps showing the previous rows, marked as old. Empty and failed results clear them. */
export function usePreviousRows<Row>(data: TableRows<Row>): TableRows<Row> {
  const [kept, setKept] = useState<readonly Row[] | null>(null)
  const present =
    data.state === 'ready' && data.rows.length > 0 ? data.rows : data.state === 'loading' ? kept : null
  if (present !== kept) setKept(present)
  return data.state === 'loading' && kept !== null ? { state: 'ready', rows: kept, isOld: true } : data
}
