import { and, eq, isNull } from 'drizzle-orm'
import type { Database, Statement } from '../../lib/database.ts'
import { emailChanges } from '../../lib/tables/people.ts'

/** Calls off the change of address that somebody has open, if any: its links are good for nothing. */
export function callOffEmailChange(db: Database, userId: string, nowMs: number): Statement {
  return db
    .update(emailChanges)
    .set({ endedAt: nowMs })
    .where(and(eq(emailChanges.userId, userId), isNull(emailChanges.endedAt)))
}
