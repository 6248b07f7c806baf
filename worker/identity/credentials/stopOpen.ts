import { and, eq, isNotNull, isNull } from 'drizzle-orm'
import type { Database, Statement } from '../../lib/database.ts'
import { factorRecoveries } from '../../lib/tables/people.ts'

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
