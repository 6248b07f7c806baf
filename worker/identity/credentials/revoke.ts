import { and, eq, isNotNull, isNull, ne } from 'drizzle-orm'
import type { Database, Statement } from '../../lib/database.ts'
import { emailChanges, factorRecoveries, sessions } from '../../lib/tables/people.ts'

/** Ends a user's live sessions, except `keep`. */
export function endSessions(db: Database, userId: string, nowMs: number, keep?: string): Statement {
  return db
    .update(sessions)
    .set({ endedAt: nowMs })
    .where(
      and(
        eq(sessions.userId, userId),
        isNull(sessions.endedAt),
        keep === undefined ? undefined : ne(sessions.id, keep),
      ),
    )
}

/** Ends one session, if it is live. */
export function endSession(db: Database, id: string, nowMs: number): Statement {
  return db
    .update(sessions)
    .set({ endedAt: nowMs })
    .where(and(eq(sessions.id, id), isNull(sessions.endedAt)))
}

/**
 * Stops a pending removal of the user's second factor. A new password, a new address and a lock do so, because somebody
 * else may have asked for the removal.
 */
export function stopOpenRecovery(db: Database, investor: string, nowMs: number): Statement {
  return db
    .update(factorRecoveries)
    .set({ endedAt: nowMs, outcome: 'stopped' })
    .where(
      and(
        eq(factorRecoveries.investor, investor),
        isNotNull(factorRecoveries.filedAt),
        isNull(factorRecoveries.endedAt),
      ),
    )
}

/** Cancels the user's pending change of e-mail address: its links stop working. */
export function callOffEmailChange(db: Database, userId: string, nowMs: number): Statement {
  return db
    .update(emailChanges)
    .set({ endedAt: nowMs })
    .where(and(eq(emailChanges.userId, userId), isNull(emailChanges.endedAt)))
}
