import { eq, type SQL, sql } from 'drizzle-orm'
import type { Database, Statement } from '../../lib/database.ts'
import { violates } from '../../lib/errors.ts'
import { users } from '../../lib/tables/people.ts'
import { cancelPendingEmailChange, endSessions, stopPendingRecovery } from '../credentials/revoke.ts'

interface Replacement {
  readonly userId: string
  readonly passwordHash: string
  readonly nowMs: number
  /** The hash that the current password was checked against: the batch aborts if it was replaced. */
  readonly insteadOf?: string
  /** The session that stays open. */
  readonly keepSession?: string
}

/**
 * Sets a new password, ends sessions, cancels a pending change of address and removal of a second factor, and records a
 * security change, for which withdrawals ask extra proof.
 */
export function replacePassword(db: Database, change: Replacement): Statement[] {
  return [
    db
      .update(users)
      .set({
        passwordHash: hashToStore(change),
        // Never moved back: the database refuses that.
        securityChangedAt: sql`max(coalesce(${users.securityChangedAt}, 0), ${change.nowMs})`,
      })
      .where(eq(users.id, change.userId)),
    endSessions(change.userId, change.nowMs, change.keepSession),
    cancelPendingEmailChange(change.userId, change.nowMs),
    stopPendingRecovery(change.userId, change.nowMs),
  ]
}

// NOT NULL aborts the batch if the password was replaced after it was checked; an UPDATE of no row would still end the sessions.
function hashToStore({ passwordHash, insteadOf }: Replacement): string | SQL {
  return insteadOf === undefined
    ? passwordHash
    : sql`CASE WHEN ${users.passwordHash} = ${insteadOf} THEN ${passwordHash} END`
}

export function wasReplacedMeanwhile(error: unknown): boolean {
  return violates(error, 'NOT NULL', 'users.password_hash')
}
