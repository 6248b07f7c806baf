import { and, desc, eq, lt } from 'drizzle-orm'
import type { KycRecord } from '../../src/contract/kyc.ts'
import { type ActorCall, type Answer, type CheckedCall, ok } from '../lib/call.ts'
import { iso, openCursor, pageOf } from '../lib/paging.ts'
import { kycSubmissions } from './tables.ts'

/** The documents that the actor submitted, newest first, with the reason where one was rejected. */
export async function listKyc(
  call: CheckedCall<unknown, { limit: number; cursor?: string | undefined }> & ActorCall,
): Promise<Answer<KycRecord[]>> {
  const { limit, cursor } = call.query
  const position = openCursor(cursor)
  const rows = await call.db
    .select()
    .from(kycSubmissions)
    .where(
      and(
        eq(kycSubmissions.userId, call.actor.id),
        position === null ? undefined : lt(kycSubmissions.seq, position.seq),
      ),
    )
    .orderBy(desc(kycSubmissions.seq))
    .limit(limit + 1)
  const page = pageOf(call, rows, limit, (row) => ({ at: 0, seq: row.seq }))
  return ok(
    page.rows.map((row) => ({
      _id: row.id,
      status: row.status,
      document: row.document,
      createdAt: iso(row.createdAt),
      ...(row.status === 'rejected' && row.reason !== null && { reason: row.reason }),
    })),
    page.headers,
  )
}
