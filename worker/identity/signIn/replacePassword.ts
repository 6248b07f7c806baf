import { eq, sql } from 'drizzle-orm'
import type { Database, Statement } from '../../lib/database.ts'
import { violates } from '../../lib/errors.ts'
import { users } from '../../lib/tables/people.ts'
import { cancelPendingEmailChange, endSessions, stopPendingRecovery } from '../credentials/revoke.ts'

interface Replacement {
  readonly userId: string
  readonly passwordHash: string
  readonly nowMs: number
  /** The hash that the current password was checked against. The batch aborts if it was replaced meanwhile. */
  readonly insteadOf?: string
  /** The session that stays open. */
  readonly keepSession?: string
}

/**
 * Sets a new password, ends sessions, cancels a pending change of address and removal of a second factor, and records a
 * security change, after which withdrawals need extra proof.
 */
export function replacePassword(db: Database, change: Replacement): Statement[] {
  return [
    db
      .update(users)
      .set({
        passwordHash:
          change.insteadOf === undefined
            ? change.passwordHash
            : // NOT NULL aborts the batch if the password was replaced after it was checked.
              sql`CASE WHEN ${users.passwordHash} = ${change.insteadOf} THEN ${change.passwordHash} END`,
        // The database refuses to move it back.
        securityChangedAt: sql`max(coalesce(${users.securityChangedAt}, 0), ${change.nowMs})`,
      })
      .where(eq(users.id, change.userId)),
    endSessions(change.userId, change.nowMs, change.keepSession),
    cancelPendingEmailChange(change.userId, change.nowMs),
    stopPendingRecovery(change.userId, change.nowMs),
  ]
}

export function wasReplacedMeanwhile(error: unknown): boolean {
  return violates(error, 'NOT NULL', 'users.password_hash')
}
