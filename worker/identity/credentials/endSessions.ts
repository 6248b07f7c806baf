import { and, eq, isNull, ne } from 'drizzle-orm'
import type { Database, Statement } from '../../lib/database.ts'
import { sessions } from '../../lib/tables/people.ts'

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
