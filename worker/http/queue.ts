import { type SQL, sql } from 'drizzle-orm'
import type * as z from 'zod/mini'
import type { AuditAction } from '../../src/contract/auditActions.ts'
import type { Endpoint, Scope } from '../../src/contract/endpoint.ts'
import { type ActorCall, type CheckedCall, createRoute, ok, type Route } from './call.ts'
import { type Columns, listFile } from './csv.ts'
import { openCursor, type Position, takePage } from './paging.ts'

interface PageQuery {
  readonly status?: string | undefined
  readonly query?: string | undefined
  readonly limit: number
  readonly cursor?: string | undefined
  readonly format?: 'json' | 'csv' | undefined
  readonly ids?: readonly string[] | undefined
  readonly order?: Order
}

export type Order = 'newest' | 'oldest' | 'risk' | 'balance' | 'active' | undefined

/** The rows of a page by sequence number: the condition after a position, and the direction. */
export function buildSeqPage(
  seq: SQL,
  order: Order,
  after: Position | null,
): { readonly isAfter: SQL; readonly by: SQL } {
  const isOldest = order === 'oldest'
  return {
    isAfter: after === null ? sql`1` : isOldest ? sql`${seq} > ${after.seq}` : sql`${seq} < ${after.seq}`,
    by: isOldest ? sql`${seq}` : sql`${seq} DESC`,
  }
}

/** The queues whose export has an audit action. */
type ExportedQueue = AuditAction extends infer Action
  ? Action extends `${infer Name}.exported`
    ? Name
    : never
  : never

interface Queue<Query, Facts, Row> {
  /** Reads this many matching rows after a position, in the order of the query. */
  readonly read: (
    call: CheckedCall<unknown, Query> & ActorCall,
    after: Position | null,
    rows: number,
  ) => Promise<readonly Facts[]>
  readonly row: (facts: Facts, call: ActorCall) => Row | Promise<Row>
  /** The position of a case in its queue. Default: its sequence number alone. */
  readonly position?: (facts: Facts) => Position
  /** Refuses a query that the operator may not ask. */
  readonly check?: (call: CheckedCall<unknown, Query> & ActorCall) => void
  /** Name and columns of the CSV file. Without it the queue has no export. */
  readonly file?: { readonly name: ExportedQueue; readonly columns: Columns<Facts> }
}

/**
 * A list of cases for operators: a page, or with `format=csv` every matching case as a file. The export is
 * audited before the file is streamed, without the search text, which may be a name.
 */
export function createQueue<
  B extends z.ZodMiniType,
  Q extends z.ZodMiniType<PageQuery>,
  Facts extends { readonly seq: number; readonly position?: Position },
  Row,
>(
  endpoint: Endpoint<B, Q, Row[], Exclude<Scope, 'public' | 'monitoring' | 'signed-in-or-key'>>,
  { read, row, file, ...queue }: Queue<z.output<Q>, Facts, Row>,
): Route {
  // A page by risk has its own positions.
  const position = (facts: Facts) => facts.position ?? queue.position?.(facts) ?? { at: 0, seq: facts.seq }
  return createRoute(endpoint, async (call) => {
    const { status, query, limit, cursor, format, ids } = call.query as z.output<Q> & PageQuery
    const after = openCursor(cursor)
    queue.check?.(call)
    if (format !== 'csv' || file === undefined) {
      const { rows, headers } = takePage(call, await read(call, after, limit + 1), limit, position)
      return ok(await Promise.all(rows.map((facts) => row(facts, call))), headers)
    }
    const detail = {
      status: status || 'all',
      searched: query !== undefined,
      ...(ids && { selected: ids.length }),
    }
    await call.commit({ audit: [{ action: `${file.name}.exported`, subject: call.actor.id, detail }] })
    return listFile(call, file.name, {
      columns: file.columns,
      positionOf: position,
      read: (below, rows) => read(call, below ?? after, rows),
    })
  })
}
