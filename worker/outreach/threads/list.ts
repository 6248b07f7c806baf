import { sql } from 'drizzle-orm'
import { listOwnThreads as endpoint, type OwnThread } from '../../../src/contract/outreach/threads.ts'
import { createRoute, ok, type Route } from '../../http/call.ts'
import { openCursor, takePage, toIso } from '../../http/paging.ts'
import { buildQuery, readTogether } from '../../lib/database.ts'
import { writeAgain, writeToSupport } from './write.ts'

interface Row {
  readonly seq: number
  readonly id: string
  readonly ref: string
  readonly status: OwnThread['status']
  readonly message: string
  readonly createdAt: number
  /** JSON of `Later[]`. */
  readonly later: string
}

interface Later {
  readonly at: number
  readonly from: OwnThread['entries'][number]['from']
  readonly text: string
}

const list = createRoute(endpoint, async (call) => {
  const { limit, cursor } = call.query
  const after = openCursor(cursor)
  const [rows] = await readTogether(
    call.db,
    buildQuery<Row>(sql`
      SELECT m.seq, m.id, m.ref, m.status, m.message, m.created_at AS createdAt, (
        SELECT json_group_array(json_object('at', at, 'from', iif(operator IS NULL, 'you', 'support'), 'text', text))
        FROM (SELECT * FROM thread_entries e WHERE e.thread = m.id ORDER BY e.place)) AS later
      FROM contact_messages m
      WHERE m.investor = ${call.actor.id} AND ${after === null ? sql`1` : sql`m.seq < ${after.seq}`}
      ORDER BY m.seq DESC LIMIT ${limit + 1}`),
  )
  const page = takePage(call, rows, limit, ({ seq }) => ({ at: 0, seq }))
  return ok(page.rows.map(toOwnThread), page.headers)
})

function toOwnThread({ id, ref, status, message, createdAt, later }: Row): OwnThread {
  const entries = (JSON.parse(later) as Later[]).map(({ at, from, text }) => ({ at: toIso(at), from, text }))
  return {
    _id: id,
    ref,
    status,
    createdAt: toIso(createdAt),
    entries: [{ at: toIso(createdAt), from: 'you', text: message }, ...entries],
  }
}

export const threadRoutes: readonly Route[] = [list, writeToSupport, writeAgain]
