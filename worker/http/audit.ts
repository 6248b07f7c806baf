import { newId } from '../lib/crypto/tokens.ts'
import type { Database, Statement } from '../lib/database.ts'
import { auditLog } from '../lib/tables/platform.ts'

/** One line of the audit log: who did what to whom. Ids and figures only: no names, no papers, no account numbers. */
export interface AuditEntry {
  readonly action: string
  readonly subject: string
  readonly detail?: Readonly<Record<string, string | number | boolean | null>>
}

/** Records an act, in the batch of the act. */
export function recordAudit(db: Database, actor: string, entry: AuditEntry, nowMs: number): Statement {
  return db.insert(auditLog).values({
    id: newId(),
    at: nowMs,
    actor,
    action: entry.action,
    subject: entry.subject,
    detail: JSON.stringify(entry.detail ?? {}),
  })
}
