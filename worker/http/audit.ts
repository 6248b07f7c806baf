import { type ActivityEvent, type AuditAction, isShownToOwner } from '../../src/contract/auditActions.ts'
import { newId } from '../lib/crypto/tokens.ts'
import type { Database, Statement } from '../lib/database.ts'
import { activity, auditLog } from '../lib/tables/platform.ts'
import type { Call } from './call.ts'

/** One line of the audit log: who did what to whom. Holds ids and figures only: no names, documents or account numbers. */
export interface AuditEntry {
  readonly action: AuditAction
  readonly subject: string
  readonly detail?: Readonly<Record<string, string | number | boolean | null>>
}

/** Records an act in the same batch as the act. */
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

type Place = Pick<Call, 'db' | 'nowMs' | 'ip' | 'userAgent'>

/**
 * Writes an event to a user's activity log, in the batch of the event. If the user turned the log off, a trigger skips the row
 * and the batch continues.
 */
export function recordActivity(
  { db, nowMs, ip, userAgent }: Place,
  userId: string,
  event: ActivityEvent,
): Statement {
  return db.insert(activity).values({ id: newId(), userId, at: nowMs, event, ip, userAgent })
}

/**
 * The activity entry for an audit line, if it has one. A signed-in user acts on their own account; a visitor with a mailed link
 * acts on the account that the line is about.
 */
export function recordEntryActivity(
  place: Place,
  actorId: string,
  { action, subject }: AuditEntry,
): Statement[] {
  if (!isShownToOwner(action)) return []
  return [recordActivity(place, actorId === 'visitor' ? subject : actorId, action)]
}
