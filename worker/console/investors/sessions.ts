import { sql } from 'drizzle-orm'
import type {
  listInvestorSessions as endpoint,
  OperatorSession,
} from '../../../src/contract/console/investorFile.ts'
import type { QueryOf } from '../../../src/contract/endpoint.ts'
import { IDLE_MS } from '../../http/actor.ts'
import { type ActorCall, type Answer, type CheckedCall, ok } from '../../http/call.ts'
import { iso, openCursor, pageOf } from '../../http/paging.ts'
import { reading } from '../../lib/database.ts'
import { readFile } from './file.ts'

interface Row {
  readonly seq: number
  readonly createdAt: number
  readonly lastSeenAt: number
  readonly expiresAt: number
  readonly endedAt: number | null
  readonly confirmedAt: number | null
  readonly ip: string | null
  readonly userAgent: string | null
}

/** An investor's sessions, newest first, as long as they are kept. Their ids, half of a token each, stay where they are. */
export async function listInvestorSessions(
  call: CheckedCall<unknown, QueryOf<typeof endpoint>> & ActorCall,
): Promise<Answer<OperatorSession[]>> {
  const { cursor, limit } = call.query
  const after = openCursor(cursor)
  const { rows } = await readFile(
    call,
    reading<Row>(sql`
      SELECT rowid AS seq, created_at AS createdAt, last_seen_at AS lastSeenAt, expires_at AS expiresAt,
        ended_at AS endedAt, confirmed_at AS confirmedAt, ip, user_agent AS userAgent
      FROM sessions
      WHERE user_id = ${call.params.id ?? ''}
        AND ${after === null ? sql`1` : sql`(created_at, rowid) < (${after.at}, ${after.seq})`}
      ORDER BY created_at DESC, rowid DESC LIMIT ${limit + 1}`),
  )
  const page = pageOf(call, rows[0], limit, ({ createdAt, seq }) => ({ at: createdAt, seq }))
  return ok(
    page.rows.map((row) => sessionOf(row, call.nowMs)),
    page.headers,
  )
}

function sessionOf(row: Row, nowMs: number): OperatorSession {
  const endsAt = row.endedAt ?? Math.min(row.expiresAt, row.lastSeenAt + IDLE_MS)
  return {
    _id: String(row.seq),
    createdAt: iso(row.createdAt),
    lastSeenAt: iso(row.lastSeenAt),
    endedAt: iso(endsAt),
    isLive: row.endedAt === null && endsAt > nowMs,
    isKnown: row.confirmedAt !== null,
    ip: row.ip,
    userAgent: row.userAgent,
  }
}
