import { desc, lt } from 'drizzle-orm'
import type { AuditEntry } from '../../../src/contract/operator/audit.ts'
import { type ActorCall, type Answer, type CheckedCall, ok } from '../../lib/call.ts'
import { iso, openCursor, pageOf } from '../../lib/paging.ts'
import { auditLog } from '../../lib/tables.ts'

/** Who did what to whom, when; newest first. */
export async function listAuditLog(
  call: CheckedCall<unknown, { limit: number; cursor?: string | undefined }> & ActorCall,
): Promise<Answer<AuditEntry[]>> {
  const { limit, cursor } = call.query
  const after = openCursor(cursor)
  const found = await call.db
    .select()
    .from(auditLog)
    .where(after === null ? undefined : lt(auditLog.seq, after.seq))
    .orderBy(desc(auditLog.seq))
    .limit(limit + 1)
  const { rows, headers } = pageOf(call, found, limit, ({ seq }) => ({ at: 0, seq }))
  return ok(
    rows.map(({ id, at, actor, action, subject }) => ({ _id: id, at: iso(at), actor, action, subject })),
    headers,
  )
}
