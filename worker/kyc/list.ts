import { sql } from 'drizzle-orm'
import type { KycRecord } from '../../src/contract/kyc.ts'
import { type ActorCall, type Answer, type CheckedCall, ok } from '../lib/call.ts'
import { reading, readTogether } from '../lib/database.ts'
import { iso, openCursor, pageOf } from '../lib/paging.ts'

interface Row extends Pick<KycRecord, 'status' | 'document' | 'sealedBy'> {
  readonly seq: number
  readonly id: string
  readonly createdAt: number
  readonly reason: string | null
  /** JSON: each look's time and who it was. */
  readonly looks: string
}

const MOST_LOOKS = 100

/**
 * The documents that the actor submitted, newest first, with the reason where one was rejected, and who looked at each
 * and when, the newest hundred looks.
 */
export async function listKyc(
  call: CheckedCall<unknown, { limit: number; cursor?: string | undefined }> & ActorCall,
): Promise<Answer<KycRecord[]>> {
  const { limit, cursor } = call.query
  const position = openCursor(cursor)
  const [found] = await readTogether(
    call.db,
    reading<Row>(sql`
      SELECT k.seq, k.id, k.status, k.document, k.created_at AS createdAt, k.reason, k.sealed_by AS sealedBy, (
          SELECT json_group_array(json_object('at', l.at, 'by', l.by)) FROM (
            SELECT o.at, u.display_name AS by FROM kyc_looks o JOIN users u ON u.id = o.reviewer
            WHERE o.submission_id = k.id ORDER BY o.seq DESC LIMIT ${MOST_LOOKS}) l) AS looks
      FROM kyc_submissions k
      WHERE k.user_id = ${call.actor.id} AND ${position === null ? sql`1` : sql`k.seq < ${position.seq}`}
      ORDER BY k.seq DESC LIMIT ${limit + 1}`),
  )
  const page = pageOf(call, found, limit, (row) => ({ at: 0, seq: row.seq }))
  return ok(page.rows.map(recordOf), page.headers)
}

function recordOf(row: Row): KycRecord {
  return {
    _id: row.id,
    status: row.status,
    document: row.document,
    createdAt: iso(row.createdAt),
    ...(row.status === 'rejected' && row.reason !== null && { reason: row.reason }),
    sealedBy: row.sealedBy,
    looks: (JSON.parse(row.looks) as { at: number; by: string }[]).map(({ at, by }) => ({ at: iso(at), by })),
  }
}
