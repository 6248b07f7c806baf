import { sql } from 'drizzle-orm'
import type { Statement } from '../../lib/database.ts'

/** Ends a user's live sessions, except `keep`. */
export function endSessions(userId: string, nowMs: number, keep = ''): Statement {
  return sql`UPDATE sessions SET ended_at = ${nowMs} WHERE user_id = ${userId} AND ended_at IS NULL AND id <> ${keep}`
}

/** Ends one session, if it is live. */
export function endSession(id: string, nowMs: number): Statement {
  return sql`UPDATE sessions SET ended_at = ${nowMs} WHERE id = ${id} AND ended_at IS NULL`
}

/**
 * Stops a pending removal of the user's second factor, after a new password, a new address or a lock: an attacker may have
 * requested the removal.
 */
export function stopPendingRecovery(investor: string, nowMs: number): Statement {
  return sql`UPDATE factor_recoveries SET ended_at = ${nowMs}, outcome = 'stopped'
    WHERE investor = ${investor} AND filed_at IS NOT NULL AND ended_at IS NULL`
}

/** Cancels the user's pending change of e-mail address: its links stop working. */
export function cancelPendingEmailChange(userId: string, nowMs: number): Statement {
  return sql`UPDATE email_changes SET ended_at = ${nowMs} WHERE user_id = ${userId} AND ended_at IS NULL`
}
