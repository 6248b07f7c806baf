import { sql } from 'drizzle-orm'
import type { KycRecord } from '../../../src/contract/identity/kyc.ts'
import { type ActorCall, type Answer, type CheckedCall, ok } from '../../http/call.ts'
import { openCursor, type Position, takePage, toIso } from '../../http/paging.ts'
import { buildQuery, type RowQuery, readTogether } from '../../lib/database.ts'

export interface RecordRow extends Pick<KycRecord, 'status' | 'document' | 'sealedBy'> {
  readonly seq: number
  readonly id: string
  readonly ref: string
  readonly createdAt: number
  readonly reason: string | null
  readonly decidedAt: number | null
  readonly decidedBy: string | null
  /** JSON: the time and the reviewer of each time that the document was opened. */
  readonly looks: string
}

const MOST_LOOKS = 100

/** The actor's documents, newest first, with the reason of a rejection and the 100 newest looks. */
export async function listKyc(
  call: CheckedCall<unknown, { limit: number; cursor?: string | undefined }> & ActorCall,
): Promise<Answer<KycRecord[]>> {
  const { limit, cursor } = call.query
  const position = openCursor(cursor)
  const [found] = await readTogether(call.db, readRecords(call.actor.id, position, limit))
  const page = takePage(call, found, limit, (row) => ({ at: 0, seq: row.seq }))
  return ok(page.rows.map(toKycRecord), page.headers)
}

/** A page of a user's submissions, and one more row to detect the next page. */
export function readRecords(userId: string, after: Position | null, limit: number): RowQuery<RecordRow> {
  return buildQuery(sql`
    SELECT k.seq, k.id, k.ref, k.status, k.document, k.created_at AS createdAt, k.reason, k.sealed_by AS sealedBy,
      k.decided_at AS decidedAt, (SELECT display_name FROM users WHERE id = k.decided_by) AS decidedBy, (
        SELECT json_group_array(json_object('at', l.at, 'by', l.by)) FROM (
          SELECT o.at, u.display_name AS by FROM kyc_looks o JOIN users u ON u.id = o.reviewer
          WHERE o.submission_id = k.id ORDER BY o.seq DESC LIMIT ${MOST_LOOKS}) l) AS looks
    FROM kyc_submissions k
    WHERE k.user_id = ${userId} AND ${after === null ? sql`1` : sql`k.seq < ${after.seq}`}
    ORDER BY k.seq DESC LIMIT ${limit + 1}`)
}

/** A submission as its owner sees it: the reviewer who decided is left out. */
export function toKycRecord(row: RecordRow): KycRecord {
  return {
    _id: row.id,
    status: row.status,
    document: row.document,
    createdAt: toIso(row.createdAt),
    ...(row.status === 'rejected' && row.reason !== null && { reason: row.reason }),
    sealedBy: row.sealedBy,
    looks: (JSON.parse(row.looks) as { at: number; by: string }[]).map(({ at, by }) => ({
      at: toIso(at),
      by,
    })),
  }
}
