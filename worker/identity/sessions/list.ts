import { and, desc, sql } from 'drizzle-orm'
import type { QueryOf } from '../../../src/contract/endpoint.ts'
import type { listSessions as endpoint, SessionRow } from '../../../src/contract/identity/sessions.ts'
import { type ActorCall, type Answer, type CheckedCall, ok } from '../../http/call.ts'
import { iso, openCursor, pageOf } from '../../http/paging.ts'
import { sessions } from '../../lib/tables/people.ts'
import { ownAndLive } from './ownSession.ts'

const seq = sql<number>`${sessions}.rowid`

/** The actor's live sessions, newest first. */
export async function listSessions(
  call: CheckedCall<unknown, QueryOf<typeof endpoint>> & ActorCall,
): Promise<Answer<SessionRow[]>> {
  const { limit, cursor } = call.query
  const after = openCursor(cursor)
  const { id, createdAt, lastSeenAt, expiresAt, ip, userAgent } = sessions
  const rows = await call.db
    .select({ id, createdAt, lastSeenAt, expiresAt, ip, userAgent, seq })
    .from(sessions)
    .where(
      and(
        ownAndLive(call),
        after === null ? undefined : sql`(${createdAt}, ${seq}) < (${after.at}, ${after.seq})`,
      ),
    )
    .orderBy(desc(createdAt), desc(seq))
    .limit(limit + 1)
  const page = pageOf(call, rows, limit, (row) => ({ at: row.createdAt, seq: row.seq }))
  return ok(
    page.rows.map((row) => ({
      _id: row.id,
      createdAt: iso(row.createdAt),
      lastSeenAt: iso(row.lastSeenAt),
      expiresAt: iso(row.expiresAt),
      ip: row.ip,
      userAgent: row.userAgent,
      current: row.id === call.actor.session.id,
    })),
    page.headers,
  )
}
