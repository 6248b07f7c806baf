import { eq, sql } from 'drizzle-orm'
import type { Database, Statement } from '../../lib/database.ts'
import { isConstraintError } from '../../lib/errors.ts'
import { users } from '../../lib/tables/people.ts'
import { distrust, type SuspectAccount } from '../credentials/distrust.ts'

interface Replacement extends SuspectAccount {
  readonly passwordHash: string
  /** The hash that the current password was checked against. The batch aborts if it was replaced meanwhile. */
  readonly insteadOf?: string
}

/** Sets a new password, and undoes changes that an intruder may have made: see `distrust`. */
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
      })
      .where(eq(users.id, change.userId)),
    ...distrust(change),
  ]
}

export function isPasswordReplaced(error: unknown): boolean {
  return isConstraintError(error, 'NOT NULL', 'users.password_hash')
}
