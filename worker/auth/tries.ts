import { and, eq, gt, sql } from 'drizzle-orm'
import { sha256Hex } from '../lib/crypto/tokens.ts'
import type { Database, Statement } from '../lib/database.ts'
import { refuse } from '../lib/errors.ts'
import { rateCounters } from '../lib/tables.ts'

/** Counts failed tries of one thing: a counter's key, and how many may fail within the window. */
export interface Counter {
  readonly key: string
  readonly max: number
}

const WINDOW_MS = 15 * 60_000
const PATIENCE_MS = 5_000

/** Failed sign-ins to one account, whether there is such an account or not. */
export async function accountCounter(email: string): Promise<Counter> {
  return { key: `sign-in:account:${await sha256Hex(email)}`, max: 10 }
}

/** Failed sign-ins from one network address. */
export function addressCounter(ip: string): Counter {
  return { key: `sign-in:address:${ip}`, max: 30 }
}

/** Failed sign-ins from a device that the account knows, beyond the other two limits: only its owner meets this one. */
export function deviceCounter(userId: string, deviceHash: string): Counter {
  return { key: `sign-in:device:${userId}:${deviceHash}`, max: 100 }
}

/** Wrong current passwords of somebody signed in. */
export function passwordCounter(userId: string): Counter {
  return { key: `password:account:${userId}`, max: 10 }
}

/** A try that was let in, or not: then how long the window still lasts. */
export type Admission =
  | { readonly state: 'begun'; readonly reserved: readonly Reservation[] }
  | { readonly state: 'full'; readonly othersRunning: boolean; readonly retryAfterSeconds: number }

interface Reservation {
  readonly key: string
  readonly window_start: number
}

interface CounterState extends Reservation {
  readonly used: number
  readonly failed: number
}

/**
 * Reserves a place in every counter or in none, to run before the costly work, together with the reads that need it.
 * Tries that still run take a place as well, so that fifty at once are not fifty guesses; one that succeeds gives its
 * place back.
 */
export function reserveTry(
  binding: D1Database,
  counters: readonly Counter[],
  nowMs: number,
): D1PreparedStatement[] {
  const asked = counters
    .map((_, i) => `SELECT ?${2 * i + 2} AS key, ?${2 * i + 3} AS max`)
    .join(' UNION ALL ')
  const bound = counters.flatMap(({ key, max }) => [key, max])
  return [
    binding
      .prepare(
        `INSERT INTO rate_counters (key, window_start, used, failed)
         SELECT asked.key, ?1, 1, 0 FROM (${asked}) asked
         WHERE NOT EXISTS (
           SELECT 1 FROM (${asked}) other JOIN rate_counters r ON r.key = other.key
           WHERE r.window_start > ?1 - ${WINDOW_MS} AND r.used >= other.max)
         ON CONFLICT (key) DO UPDATE SET
           used = CASE WHEN rate_counters.window_start > excluded.window_start - ${WINDOW_MS} THEN rate_counters.used + 1 ELSE 1 END,
           failed = CASE WHEN rate_counters.window_start > excluded.window_start - ${WINDOW_MS} THEN rate_counters.failed ELSE 0 END,
           window_start = CASE WHEN rate_counters.window_start > excluded.window_start - ${WINDOW_MS}
             THEN rate_counters.window_start ELSE excluded.window_start END
         RETURNING key, window_start`,
      )
      .bind(nowMs, ...bound),
    binding
      .prepare(
        `SELECT key, used, failed, window_start FROM rate_counters WHERE key IN (${counters.map(() => '?').join(', ')})`,
      )
      .bind(...counters.map(({ key }) => key)),
  ]
}

/** What the two statements of `reserveTry` gave. */
export function admissionOf(
  counters: readonly Counter[],
  reserved: readonly unknown[],
  states: readonly unknown[],
  nowMs: number,
): Admission {
  if (reserved.length > 0) return { state: 'begun', reserved: reserved as Reservation[] }
  const full = counters.flatMap(({ key, max }) =>
    (states as CounterState[])
      .filter((state) => state.key === key && state.used >= max)
      .map((state) => ({ ...state, max })),
  )
  return {
    state: 'full',
    // Places that running tries hold come free unless those fail.
    othersRunning: full.every(({ failed, max }) => failed < max),
    retryAfterSeconds: Math.ceil(
      Math.max(0, ...full.map((state) => state.window_start + WINDOW_MS - nowMs)) / 1000,
    ),
  }
}

/** Gives the places back: the try was no wrong guess. */
export function giveBack(db: Database, reserved: readonly Reservation[]): Statement[] {
  return reserved.map(({ key, window_start }) =>
    db
      .update(rateCounters)
      .set({ used: sql`${rateCounters.used} - 1` })
      .where(
        and(
          eq(rateCounters.key, key),
          eq(rateCounters.windowStart, window_start),
          gt(rateCounters.used, rateCounters.failed),
        ),
      ),
  )
}

/** Keeps the places for the rest of the window: the guess was wrong. */
export function countFailure(db: Database, reserved: readonly Reservation[]): Statement[] {
  return reserved.map(({ key, window_start }) =>
    db
      .update(rateCounters)
      .set({ failed: sql`${rateCounters.failed} + 1` })
      .where(and(eq(rateCounters.key, key), eq(rateCounters.windowStart, window_start))),
  )
}

/** Runs `attempt` until it is let in, waiting a little while others' tries run. Gives the last admission. */
export async function withPatience<T extends { readonly admission: Admission }>(
  attempt: () => Promise<T>,
): Promise<T> {
  const until = Date.now() + PATIENCE_MS
  for (;;) {
    const result = await attempt()
    const { admission } = result
    if (admission.state === 'begun' || !admission.othersRunning || Date.now() >= until) return result
    await new Promise((resolve) => setTimeout(resolve, 60 + Math.random() * 80))
  }
}

/** Refuses with 429 until the window ends. */
export function refuseTry(retryAfterSeconds: number): never {
  refuse('too_many_requests', { retryAfterSeconds })
}
