import { and, desc, eq, lt, sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/sqlite-core'
import * as z from 'zod/mini'
import type { listKyc as endpoint, KycKind, KycRecord } from '../../../src/contract/identity/kyc.ts'
import { type Answer, type CallOf, ok } from '../../http/call.ts'
import { openCursor, type Position, takePage, toIso } from '../../http/paging.ts'
import { parseStored, type RowOf, readTogether, selectRows } from '../../lib/database.ts'
import { kycSubmissions } from '../../lib/tables/kyc.ts'

export type RecordRow = RowOf<typeof readRecords>

const MOST_LOOKS = 100
const storedLooks = z.array(z.object({ at: z.number(), by: z.string() }))

/** The actor's documents, newest first, with the reason of a rejection and the 100 newest looks. */
export async function listKyc(call: CallOf<typeof endpoint>): Promise<Answer<KycRecord[]>> {
  const { limit, cursor, kind = 'identity' } = call.query
  const position = openCursor(cursor)
  const [found] = await readTogether(call.db, readRecords(call.actor.id, position, limit, kind))
  const page = takePage(call, found, limit, (row) => ({ at: 0, seq: row.seq }))
  return ok(page.rows.map(toKycRecord), page.headers)
}

/** A page of a user's submissions, of one kind or of all, and one more row to detect the next page. */
export function readRecords(userId: string, after: Position | null, limit: number, kind?: KycKind) {
  const k = alias(kycSubmissions, 'k')
  return selectRows({
    ...{ seq: k.seq, id: k.id, ref: k.ref, status: k.status, document: k.document, createdAt: k.createdAt },
    ...{ reason: k.reason, sealedBy: k.sealedBy, decidedAt: k.decidedAt, sample: k.sample, final: k.final },
    issuedOn: k.issuedOn,
    decidedBy: sql<string | null>`(SELECT display_name FROM users WHERE id = k.decided_by)`,
    /** JSON: the time and the reviewer of each time that the document was opened. */
    looks: sql<string>`(
      SELECT json_group_array(json_object('at', l.at, 'by', l.by)) FROM (
        SELECT o.at, u.display_name AS by FROM kyc_looks o JOIN users u ON u.id = o.reviewer
        WHERE o.submission_id = k.id ORDER BY o.seq DESC LIMIT ${MOST_LOOKS}) l)`,
  })
    .from(k)
    .where(
      and(eq(k.userId, userId), kind && eq(k.kind, kind), after === null ? undefined : lt(k.seq, after.seq)),
    )
    .orderBy(desc(k.seq))
    .limit(limit + 1)
}

/** A submission as its owner sees it: the reviewer who decided is left out. */
export function toKycRecord(row: RecordRow): KycRecord {
  return {
    _id: row.id,
    status: row.status,
    document: row.document,
    ...(row.issuedOn !== null && { issuedOn: row.issuedOn }),
    createdAt: toIso(row.createdAt),
    ...(row.status === 'rejected' && row.reason !== null && { reason: row.reason }),
    ...(row.final === 1 && { final: true as const }),
    sealedBy: row.sealedBy,
    ...(row.sample === 1 && { sample: true }),
    looks: parseStored(storedLooks, row.looks).map(({ at, by }) => ({ at: toIso(at), by })),
  }
}
