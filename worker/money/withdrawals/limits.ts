import { sql } from 'drizzle-orm'
import { type Counter, waitFor } from '../../identity/mailedCodes/limits.ts'
import { type Database, type Read, reading, type Statement } from '../../lib/database.ts'
import { refuse } from '../../lib/errors.ts'

/** Wrong codes an account with a second factor may send in a window: its codes come from a clock, not from us. */
const TRIES = { max: 10, windowMs: 15 * 60_000 }
const triesKey = (userId: string) => `codes:account:${userId}`
/**
 * Counts a try before the code is looked at, so that tries at once count one by one. A right or needless one is taken off
 * again.
 * Does nothing where it does not apply.
 */
export function countTry(userId: string, nowMs: number, applies: boolean): Read<Counter> {
  if (!applies) return reading<Counter>(sql`SELECT 0 AS used, 0 AS window_start`)
  const over = sql`window_start <= ${nowMs - TRIES.windowMs}`
  return reading<Counter>(sql`
    INSERT INTO rate_counters (key, window_start, used) VALUES (${triesKey(userId)}, ${nowMs}, 1)
    ON CONFLICT (key) DO UPDATE SET
      used = CASE WHEN ${over} THEN 1 ELSE used + 1 END,
      window_start = CASE WHEN ${over} THEN ${nowMs} ELSE window_start END
    RETURNING used, window_start`)
}

/** Takes a try off again, in the batch of the withdrawal that it came with. */
export function forgiveTry(db: Database, userId: string): Statement {
  return db.run(sql`UPDATE rate_counters SET used = max(0, used - 1) WHERE key = ${triesKey(userId)}`)
}

/** Refuses a try beyond the limit. */
export function assertMayTry(counter: Counter | undefined, nowMs: number): void {
  if (counter !== undefined && counter.used > TRIES.max)
    refuse('too_many_requests', waitFor(counter, TRIES, nowMs))
}
