import { and, desc, eq, gte, lt, lte, or } from 'drizzle-orm'
import type { QueryOf } from '../../../src/contract/endpoint.ts'
import type { AuditEntry, listAuditLog as endpoint } from '../../../src/contract/operator/audit.ts'
import { type ActorCall, type Answer, type CheckedCall, ok } from '../../lib/call.ts'
import type { Database } from '../../lib/database.ts'
import { iso, openCursor, type Position, pageOf } from '../../lib/paging.ts'
import { auditLog } from '../../lib/tables.ts'
import { auditFile } from './file.ts'

type Filters = Pick<QueryOf<typeof endpoint>, 'actor' | 'subject' | 'action' | 'from' | 'to'>

/**
 * Who did what to whom, when; newest first, of one actor, about one subject, of one action, within a time. Time, actor and action
 * are ranges of an index each; what is about one subject are few lines. As a file it is all of it, written while it is read.
 */
export async function listAuditLog(
  call: CheckedCall<unknown, QueryOf<typeof endpoint>> & ActorCall,
): Promise<Answer<AuditEntry[]> | Response> {
  const { limit, cursor, format } = call.query
  const after = openCursor(cursor)
  if (format === 'csv')
    return auditFile(call, (below, rows) => readAuditLog(call.db, call.query, below ?? after, rows))
  const found = await readAuditLog(call.db, call.query, after, limit + 1)
  const { rows, headers } = pageOf(call, found, limit, ({ at, seq }) => ({ at, seq }))
  return ok(
    rows.map(({ id, at, actor, action, subject }) => ({ _id: id, at: iso(at), actor, action, subject })),
    headers,
  )
}

function readAuditLog(
  db: Database,
  { actor, subject, action, from, to }: Filters,
  below: Position | null,
  rows: number,
) {
  return db
    .select()
    .from(auditLog)
    .where(
      and(
        // SQLite seeks by the first half alone.
        below === null
          ? undefined
          : and(lte(auditLog.at, below.at), or(lt(auditLog.at, below.at), lt(auditLog.seq, below.seq))),
        actor === undefined ? undefined : eq(auditLog.actor, actor),
        subject === undefined ? undefined : eq(auditLog.subject, subject),
        action === undefined ? undefined : eq(auditLog.action, action),
        from === undefined ? undefined : gte(auditLog.at, from),
        to === undefined ? undefined : lte(auditLog.at, to),
      ),
    )
    .orderBy(desc(auditLog.at), desc(auditLog.seq))
    .limit(rows)
}
