import { type ActorCall, type Answer, type CheckedCall, ok } from '../../http/call.ts'
import { type ListFile, listFile } from '../../http/csv.ts'
import { openCursor, type Position, pageOf } from '../../http/paging.ts'

interface QueueQuery {
  readonly status?: string | undefined
  readonly query?: string | undefined
  readonly limit: number
  readonly cursor?: string | undefined
  readonly format?: 'json' | 'csv' | undefined
}

interface Queue<Facts, Row> extends Omit<ListFile<Facts>, 'read'> {
  readonly what: 'deposits' | 'withdrawals' | 'kyc' | 'messages' | 'proposals'
  /** So many of what the query asks for, from a position on; from the newest where there is none. */
  readonly read: (after: Position | null, rows: number) => Promise<Facts[]>
  /** As the API answers it. */
  readonly rowOf: (facts: Facts) => Row | Promise<Row>
}

/**
 * A queue: a page of it or, with `format=csv`, all that was asked for as a file. That somebody took a file out of the house
 * is on the audit log before its first line leaves; not what was searched for, which may be a name.
 */
export async function pageOrFile<Facts, Row>(
  call: CheckedCall<unknown, QueueQuery> & ActorCall,
  { what, read, rowOf, ...file }: Queue<Facts, Row>,
): Promise<Answer<Row[]> | Response> {
  const { status, query, limit, cursor, format } = call.query
  const after = openCursor(cursor)
  if (format !== 'csv') {
    const { rows, headers } = pageOf(call, await read(after, limit + 1), limit, file.positionOf)
    return ok(await Promise.all(rows.map(rowOf)), headers)
  }
  await call.commit({
    audit: [
      {
        action: `${what}.exported`,
        subject: call.actor.id,
        detail: { status: status || 'all', searched: query !== undefined },
      },
    ],
  })
  return listFile(call, what, { ...file, read: (below, rows) => read(below ?? after, rows), marked: true })
}
