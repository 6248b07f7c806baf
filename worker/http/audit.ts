import type { AuditAction } from '../../src/contract/auditWords.ts'
import type { ActivityEvent } from '../../src/contract/identity/activity.ts'
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

/** Audited acts that also appear in the activity log of the account they concern. */
export const EVENT_OF: Readonly<Partial<Record<AuditAction, ActivityEvent>>> = {
  'account.opened': 'account_opened',
  'operator.joined': 'account_opened',
  'email.verified': 'email_verified',
  'session.opened': 'signed_in',
  'session.opened_by_link': 'signed_in_by_link',
  'session.ended': 'signed_out',
  'session.revoked': 'session_ended',
  'password.changed': 'password_changed',
  'password.reset': 'password_reset',
  'two_factor.enabled': 'two_factor_enabled',
  'two_factor.disabled': 'two_factor_disabled',
  'two_factor.recovery_codes_renewed': 'recovery_codes_renewed',
  'passkey.added': 'passkey_added',
  'passkey.renamed': 'passkey_renamed',
  'passkey.removed': 'passkey_removed',
  'email.change_asked': 'email_change_asked',
  'email.change_cancelled': 'email_change_cancelled',
  'email.changed': 'email_changed',
  'account.locked': 'account_locked',
  'factor_recovery.filed': 'factor_recovery_filed',
  'account.data_downloaded': 'data_downloaded',
  'profile.changed': 'profile_changed',
  'preferences.changed': 'preferences_changed',
  'address.saved': 'destination_saved',
  'address.renamed': 'destination_renamed',
  'address.deleted': 'destination_removed',
  'deposit.requested': 'deposit_requested',
  'deposit.cancelled': 'deposit_cancelled',
  'withdrawal.requested': 'withdrawal_requested',
  'withdrawal.cancelled': 'withdrawal_cancelled',
  'allocation.requested': 'allocation_requested',
  'redemption.requested': 'redemption_requested',
  'order.cancelled': 'order_cancelled',
  'kyc.submitted': 'identity_submitted',
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
  const event = EVENT_OF[action]
  return event === undefined ? [] : [recordActivity(place, actorId === 'visitor' ? subject : actorId, event)]
}
