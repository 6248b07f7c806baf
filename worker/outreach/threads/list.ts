import { desc, getTableColumns, sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/sqlite-core'
import * as z from 'zod/mini'
import type { listOwnThreads as endpoint, OwnThread } from '../../../src/contract/outreach/threads.ts'
import { type CallOf, ok } from '../../http/call.ts'
import { openCursor, type Position, takePage, toIso } from '../../http/paging.ts'
import { parseStored, type RowOf, readTogether, selectRows } from '../../lib/database.ts'
import { contactMessages } from '../../lib/tables/outreach.ts'

const laterEntries = z.array(z.object({ at: z.number(), from: z.enum(['you', 'support']), text: z.string() }))

function readThreads(investor: string, after: Position | null, rows: number) {
  const m = alias(contactMessages, 'm')
  return selectRows({
    ...getTableColumns(m),
    later: sql<string>`(
      SELECT json_group_array(json_object('at', at, 'from', iif(operator IS NULL, 'you', 'support'), 'text', text))
      FROM (SELECT * FROM thread_entries e WHERE e.thread = m.id ORDER BY e.place))`,
  })
    .from(m)
    .where(sql`m.investor = ${investor} AND ${after === null ? sql`1` : sql`m.seq < ${after.seq}`}`)
    .orderBy(desc(m.seq))
    .limit(rows)
}

export async function listOwnThreads(call: CallOf<typeof endpoint>) {
  const { limit, cursor } = call.query
  const [rows] = await readTogether(call.db, readThreads(call.actor.id, openCursor(cursor), limit + 1))
  const page = takePage(call, rows, limit, ({ seq }) => ({ at: 0, seq }))
  return ok(page.rows.map(toOwnThread), page.headers)
}

function toOwnThread({
  id,
  ref,
  status,
  message,
  createdAt,
  askedBy,
  later,
}: RowOf<typeof readThreads>): OwnThread {
  const entries = parseStored(laterEntries, later).map(({ at, from, text }) => ({
    at: toIso(at),
    from,
    text,
  }))
  return {
    _id: id,
    ref,
    status,
    createdAt: toIso(createdAt),
    entries: [
      { at: toIso(createdAt), from: askedBy === null ? 'you' : 'support', text: message },
      ...entries,
    ],
  }
}
