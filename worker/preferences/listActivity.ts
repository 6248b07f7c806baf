import { and, desc, eq, sql } from 'drizzle-orm'
import type { ActivityRow, listActivity as endpoint } from '../../src/contract/activity.ts'
import type { QueryOf } from '../../src/contract/endpoint.ts'
import { type ActorCall, type Answer, type CheckedCall, ok } from '../lib/call.ts'
import { iso, openCursor, pageOf } from '../lib/paging.ts'
import { activity } from '../lib/tables.ts'

/** What happened with the actor's own account, newest first. */
export async function listActivity(
  call: CheckedCall<unknown, QueryOf<typeof endpoint>> & ActorCall,
): Promise<Answer<ActivityRow[]>> {
  const { limit, cursor } = call.query
  const after = openCursor(cursor)
  const { at, seq, userId } = activity
  const rows = await call.db
    .select()
    .from(activity)
    .where(
      and(
        eq(userId, call.actor.id),
        after === null ? undefined : sql`(${at}, ${seq}) < (${after.at}, ${after.seq})`,
      ),
    )
    .orderBy(desc(at), desc(seq))
    .limit(limit + 1)
  const page = pageOf(call, rows, limit, (row) => ({ at: row.at, seq: row.seq }))
  return ok(
    page.rows.map((row) => ({
      _id: row.id,
      at: iso(row.at),
      event: row.event,
      ip: row.ip,
      userAgent: row.userAgent,
    })),
    page.headers,
  )
}
