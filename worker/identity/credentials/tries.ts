import { and, eq, gt, sql } from 'drizzle-orm'
import type { RefusalCode } from '../../../src/contract/errors.ts'
import type { ActorCall } from '../../http/call.ts'
import { verifyPassword } from '../../lib/crypto/password.ts'
import { sha256Hex } from '../../lib/crypto/tokens.ts'
import { type Database, runBatch, type Statement } from '../../lib/database.ts'
import { type Env, limitsApply } from '../../lib/env.ts'
import { type Details, refuse } from '../../lib/errors.ts'
import { networkOf } from '../../lib/networkOf.ts'
import { rateCounters } from '../../lib/tables/platform.ts'

/** What is read of whose password is checked: its hash, and whatever else the caller wants in the same round trip. */
interface Hashed {
  readonly hash: string
}

/**
 * Checks the password of whoever is signed in: a session may be stolen. Refuses a wrong one, and after ten within 15
 * minutes any. A right one keeps its place among the tries until the caller ends it: with `passed()` in its batch, or
 * with `fail` where what came along was wrong as well.
 * @param read gives the row, as `hash` and more; of no effect, because it may run more than once
 */
export async function checkPassword<Row extends Hashed = Hashed>(
  { actor, db, env }: ActorCall,
  password: string,
  read: D1PreparedStatement = env.DB.prepare('SELECT password_hash AS hash FROM users WHERE id = ?').bind(
    actor.id,
  ),
): Promise<Ending & { readonly row: Row }> {
  const { row, admission } = await beginTry<Row>(env, [passwordCounter(actor.id)], read)
  if (admission.state === 'full') return refuseTry(admission.retryAfterSeconds)
  const ending = endingOf(db, admission.reserved)
  if (row === null || !(await verifyPassword(password, row.hash))) return ending.fail('wrong_password')
  return { row, ...ending }
}

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

/** Failed sign-ins from one network address, of IPv6 from its /64. */
export function addressCounter(ip: string): Counter {
  return { key: `sign-in:address:${networkOf(ip)}`, max: 30 }
}

/** Failed sign-ins from a device that the account knows, beyond the other two limits: only its owner meets this one. */
export function deviceCounter(userId: string, deviceHash: string): Counter {
  return { key: `sign-in:device:${userId}:${deviceHash}`, max: 100 }
}

/** Wrong current passwords of somebody signed in. */
function passwordCounter(userId: string): Counter {
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
 * Reserves a place in every counter or in none and reads a row, in one round trip, before the costly work. Tries that
 * still run take a place as well, so that fifty at once are not fifty guesses; one that succeeds gives its place back.
 * While only running tries are in the way it waits a little, unless the row says that there is no need.
 * @param read gives the row; of no effect, because it may run more than once
 */
export async function beginTry<Row>(
  env: Env,
  counters: readonly Counter[],
  read: D1PreparedStatement,
  needNotWait: (row: Row | null) => boolean = () => false,
): Promise<{ row: Row | null; admission: Admission }> {
  const applied = limitsApply(env) ? counters : []
  const until = Date.now() + PATIENCE_MS
  for (;;) {
    const nowMs = Date.now()
    const [found, reserved, states] = await env.DB.batch([read, ...reserve(env.DB, applied, nowMs)])
    const row = (found?.results[0] ?? null) as Row | null
    const admission = admissionOf(applied, reserved?.results ?? [], states?.results ?? [], nowMs)
    if (admission.state === 'begun' || !admission.othersRunning) return { row, admission }
    if (needNotWait(row) || nowMs >= until) return { row, admission }
    await new Promise((resolve) => setTimeout(resolve, 60 + Math.random() * 80))
  }
}

function reserve(binding: D1Database, counters: readonly Counter[], nowMs: number): D1PreparedStatement[] {
  if (counters.length === 0) return []
  const asked = counters
    .map((_, i) => `SELECT ?${2 * i + 2} AS key, ?${2 * i + 3} AS max`)
    .join(' UNION ALL ')
  const lasts = `rate_counters.window_start > excluded.window_start - ${WINDOW_MS}`
  return [
    binding
      .prepare(
        `INSERT INTO rate_counters (key, window_start, used, failed)
         SELECT asked.key, ?1, 1, 0 FROM (${asked}) asked
         WHERE NOT EXISTS (
           SELECT 1 FROM (${asked}) other JOIN rate_counters r ON r.key = other.key
           WHERE r.window_start > ?1 - ${WINDOW_MS} AND r.used >= other.max)
         ON CONFLICT (key) DO UPDATE SET
           used = CASE WHEN ${lasts} THEN rate_counters.used + 1 ELSE 1 END,
           failed = CASE WHEN ${lasts} THEN rate_counters.failed ELSE 0 END,
           window_start = CASE WHEN ${lasts} THEN rate_counters.window_start ELSE excluded.window_start END
         RETURNING key, window_start`,
      )
      .bind(nowMs, ...counters.flatMap(({ key, max }) => [key, max])),
    binding
      .prepare(
        `SELECT key, used, failed, window_start FROM rate_counters WHERE key IN (${counters.map(() => '?').join(', ')})`,
      )
      .bind(...counters.map(({ key }) => key)),
  ]
}

function admissionOf(
  counters: readonly Counter[],
  reserved: readonly unknown[],
  states: readonly unknown[],
  nowMs: number,
): Admission {
  if (counters.length === 0 || reserved.length > 0)
    return { state: 'begun', reserved: reserved as readonly Reservation[] }
  const full = counters.flatMap(({ key, max }) =>
    (states as readonly CounterState[])
      .filter((state) => state.key === key && state.used >= max)
      .map((state) => ({ endsAt: state.window_start + WINDOW_MS, isFinal: state.failed >= max })),
  )
  return {
    state: 'full',
    // Places that running tries hold come free unless those fail.
    othersRunning: !full.some(({ isFinal }) => isFinal),
    retryAfterSeconds: Math.ceil((Math.max(nowMs, ...full.map(({ endsAt }) => endsAt)) - nowMs) / 1000),
  }
}

/** How a try that was let in may end. */
export interface Ending {
  /** It goes through: statements that give its places back, for the batch of what it allows. */
  passed(): readonly Statement[]
  /** The guess was wrong: it keeps its places for the rest of the window. */
  fail(code: RefusalCode, more?: More): Promise<never>
  /** The guess was right, but something else is missing: it does not count. */
  drop(code: RefusalCode, more?: More): Promise<never>
}

/** What a refusal says beside its code, and what is stored with it. */
interface More {
  readonly details: Details
  readonly statements: readonly Statement[]
}

/** @param refuseWrong how a wrong guess is refused, where not by its own code */
export function endingOf(
  db: Database,
  reserved: readonly Reservation[],
  refuseWrong: (code: RefusalCode, details?: Details) => never = refuse,
): Ending {
  return {
    passed: () => giveBack(db, reserved),
    fail: async (code, more) => {
      await runBatch(db, [...countFailure(db, reserved), ...(more?.statements ?? [])])
      return refuseWrong(code, more?.details)
    },
    drop: async (code, more) => {
      await runBatch(db, [...giveBack(db, reserved), ...(more?.statements ?? [])])
      return refuse(code, more?.details)
    },
  }
}

function giveBack(db: Database, reserved: readonly Reservation[]): Statement[] {
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

function countFailure(db: Database, reserved: readonly Reservation[]): Statement[] {
  return reserved.map(({ key, window_start }) =>
    db
      .update(rateCounters)
      .set({ failed: sql`${rateCounters.failed} + 1` })
      .where(and(eq(rateCounters.key, key), eq(rateCounters.windowStart, window_start))),
  )
}

/** Refuses with 429 until the window ends. */
export function refuseTry(retryAfterSeconds: number): never {
  refuse('too_many_requests', { retryAfterSeconds })
}
