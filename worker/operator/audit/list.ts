import { and, desc, eq, lt } from 'drizzle-orm'
import type { QueryOf } from '../../../src/contract/endpoint.ts'
import type { AuditEntry, listAuditLog as endpoint } from '../../../src/contract/operator/audit.ts'
import { type ActorCall, type Answer, type CheckedCall, ok } from '../../lib/call.ts'
import type { Database } from '../../lib/database.ts'
import { iso, openCursor, pageOf } from '../../lib/paging.ts'
import { auditLog } from '../../lib/tables.ts'
import { auditFile } from './file.ts'

type Filters = Pick<QueryOf<typeof endpoint>, 'actor' | 'subject'>

/**
 * Who did what to whom, when; newest first, of one actor or about one subject. Each filter is a range of an index; with both,
 * the subject's lines are the fewer ones. As a file it is all of it, written while it is read.
 */
export async function listAuditLog(
  call: CheckedCall<unknown, QueryOf<typeof endpoint>> & ActorCall,
): Promise<Answer<AuditEntry[]> | Response> {
  const { limit, cursor, format } = call.query
  const after = openCursor(cursor)?.seq
  if (format === 'csv')
    return auditFile(call, (below, rows) => readAuditLog(call.db, call.query, below ?? after, rows))
  const found = await readAuditLog(call.db, call.query, after, limit + 1)
  const { rows, headers } = pageOf(call, found, limit, ({ seq }) => ({ at: 0, seq }))
  return ok(
    rows.map(({ id, at, actor, action, subject }) => ({ _id: id, at: iso(at), actor, action, subject })),
    headers,
  )
}

function readAuditLog(db: Database, { actor, subject }: Filters, below: number | undefined, rows: number) {
  return db
    .select()
    .from(auditLog)
    .where(
      and(
        below === undefined ? undefined : lt(auditLog.seq, below),
        actor === undefined ? undefined : eq(auditLog.actor, actor),
        subject === undefined ? undefined : eq(auditLog.subject, subject),
      ),
    )
    .orderBy(desc(auditLog.seq))
    .limit(rows)
}
