import { and, eq, isNotNull, isNull, ne } from 'drizzle-orm'
import type { Database, Statement } from '../../lib/database.ts'
import { emailChanges, factorRecoveries, sessions } from '../../lib/tables/people.ts'

/** Ends every session of somebody that has not ended yet, but for the one that goes on: their tokens are dead. */
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

/** Ends one session, unless it has ended already: its token is dead. */
export function endSession(db: Database, id: string, nowMs: number): Statement {
  return db
    .update(sessions)
    .set({ endedAt: nowMs })
    .where(and(eq(sessions.id, id), isNull(sessions.endedAt)))
}

/**
 * Stops the removal of the second factor that somebody has open, if any. A change of password or address, or a lock, does so:
 * whoever made it may not be who asked.
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

/** Calls off the change of address that somebody has open, if any: its links are good for nothing. */
export function callOffEmailChange(db: Database, userId: string, nowMs: number): Statement {
  return db
    .update(emailChanges)
    .set({ endedAt: nowMs })
    .where(and(eq(emailChanges.userId, userId), isNull(emailChanges.endedAt)))
}
