import { type SQL, sql } from 'drizzle-orm'

/** How many times something was done since a window began (epoch milliseconds). */
export interface Counter {
  readonly used: number
  readonly window_start: number
}

/**
 * SQL that counts one use of a key within a window, and returns the counter. Beyond `max` it sets the counter to null, which its column
 * refuses, so that the whole batch fails.
 */
export function countUse(key: string, windowMs: number, nowMs: number, max = Number.MAX_SAFE_INTEGER): SQL {
  const isOver = sql`window_start <= ${nowMs - windowMs}`
  return sql`
    INSERT INTO rate_counters (key, window_start, used) VALUES (${key}, ${nowMs}, 1)
    ON CONFLICT (key) DO UPDATE SET
      used = CASE WHEN ${isOver} THEN 1 WHEN used < ${max} THEN used + 1 END,
      window_start = CASE WHEN ${isOver} THEN ${nowMs} ELSE window_start END
    RETURNING used, window_start`
}
