import { sql } from 'drizzle-orm'
import type { Database, Statement } from '../../lib/database.ts'
import { type Read, reading } from '../../lib/database.ts'
import { refuse } from '../../lib/errors.ts'

/** Wrong codes an account with a second factor may send in a window: its codes come from a clock, not from us. */
const TRIES = { max: 10, windowMs: 15 * 60_000 }
/** Mails with a code an account may ask for in a window. */
const MAILS = { max: 30, windowMs: 3_600_000 }

export interface Counter {
  readonly used: number
  readonly window_start: number
}

const triesKey = (userId: string) => `codes:account:${userId}`
const mailsKey = (userId: string) => `code-mails:account:${userId}`

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
    refuse('too_many_requests', rest(counter, TRIES, nowMs))
}

export function readMailCounter(userId: string): Read<Counter> {
  return reading<Counter>(sql`SELECT used, window_start FROM rate_counters WHERE key = ${mailsKey(userId)}`)
}

/** Refuses a mail beyond the limit, as the counter stood a moment ago. */
export function assertMayMail(counter: Counter | undefined, nowMs: number): void {
  const running = counter !== undefined && counter.window_start > nowMs - MAILS.windowMs
  if (running && counter.used >= MAILS.max) refuseMail(counter, nowMs)
}

/** Refuses a mail beyond the limit. */
export function refuseMail(counter: Counter | undefined, nowMs: number): never {
  refuse('too_many_requests', rest(counter ?? { used: 0, window_start: nowMs }, MAILS, nowMs))
}

/**
 * Counts a mail in the batch that sends it. One too many sets the counter to null, which its column refuses, and the
 * batch fails: so requests at once cannot pass the limit together.
 */
export function countMail(db: Database, userId: string, nowMs: number): Statement {
  const over = sql`window_start <= ${nowMs - MAILS.windowMs}`
  return db.run(sql`
    INSERT INTO rate_counters (key, window_start, used) VALUES (${mailsKey(userId)}, ${nowMs}, 1)
    ON CONFLICT (key) DO UPDATE SET
      used = CASE WHEN ${over} THEN 1 WHEN used < ${MAILS.max} THEN used + 1 END,
      window_start = CASE WHEN ${over} THEN ${nowMs} ELSE window_start END`)
}

/** Whether a batch failed because `countMail` counted one too many. */
export function isMailRefused(error: unknown): boolean {
  for (let at = error; at instanceof Error; at = at.cause) {
    if (at.message.includes('NOT NULL constraint failed: rate_counters.used')) return true
  }
  return false
}

function rest(counter: Counter, { windowMs }: { windowMs: number }, nowMs: number) {
  return { retryAfterSeconds: Math.ceil((counter.window_start + windowMs - nowMs) / 1000) }
}
