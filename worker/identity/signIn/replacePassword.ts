import { eq, type SQL, sql } from 'drizzle-orm'
import type { Database, Statement } from '../../lib/database.ts'
import { violates } from '../../lib/errors.ts'
import { users } from '../../lib/tables/people.ts'
import { callOffEmailChange, endSessions, stopOpenRecovery } from '../credentials/revoke.ts'

interface Replacement {
  readonly userId: string
  readonly passwordHash: string
  readonly nowMs: number
  /** The hash that the current password was checked against: the batch aborts when it is no longer the stored one. */
  readonly insteadOf?: string
  /** The session that goes on; all others end. */
  readonly keepSession?: string
}

/**
 * Sets a new password, ends sessions, calls off a change of address and stops the removal of a second factor that are open,
 * and notes the change of security, for which withdrawals ask extra proof.
 */
export function replacePassword(db: Database, change: Replacement): Statement[] {
  return [
    db
      .update(users)
      .set({
        passwordHash: hashToStore(change),
        // Never earlier than an earlier change: the database refuses that.
        securityChangedAt: sql`max(coalesce(${users.securityChangedAt}, 0), ${change.nowMs})`,
      })
      .where(eq(users.id, change.userId)),
    endSessions(db, change.userId, change.nowMs, change.keepSession),
    callOffEmailChange(db, change.userId, change.nowMs),
    stopOpenRecovery(db, change.userId, change.nowMs),
  ]
}

// NOT NULL aborts the batch where the password was replaced after it was checked: an UPDATE that merely matched nothing
// would end the sessions all the same.
function hashToStore({ passwordHash, insteadOf }: Replacement): string | SQL {
  return insteadOf === undefined
    ? passwordHash
    : sql`CASE WHEN ${users.passwordHash} = ${insteadOf} THEN ${passwordHash} END`
}

/** Whether the password was replaced by somebody else after it was checked. */
export function wasReplacedMeanwhile(error: unknown): boolean {
  return violates(error, 'NOT NULL', 'users.password_hash')
}
