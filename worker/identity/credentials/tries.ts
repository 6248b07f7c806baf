import { sql } from 'drizzle-orm'
import type { RefusalCode } from '../../../src/contract/errors.ts'
import type { ActorCall } from '../../http/call.ts'
import { verifyPassword } from '../../lib/crypto/password.ts'
import { sha256Hex } from '../../lib/crypto/tokens.ts'
import { type Database, runBatch, type Statement } from '../../lib/database.ts'
import { type Env, hasRateLimits } from '../../lib/env.ts'
import { type Details, refuse } from '../../lib/errors.ts'
import { toNetworkAddress } from '../../lib/networkAddress.ts'
import { countInWindow } from '../../lib/rateCounters.ts'
import { pickRandomMs, runtime } from '../../lib/runtime.ts'

/**
 * Checks the actor's password, because a session may be stolen. Refuses a wrong password, and every password after ten wrong
 * ones within 15 minutes. A right password stays counted until the caller adds `passed()` to its batch or calls `fail`.
 * @param read selects the row with `hash` and more; it must not write, because it may run twice
 */
export async function checkPassword<Row extends { readonly hash: string }>(
  { actor, db, env }: ActorCall,
  password: string,
  read: D1PreparedStatement = env.DB.prepare('SELECT password_hash AS hash FROM users WHERE id = ?').bind(
    actor.id,
  ),
): Promise<TryOutcome & { readonly row: Row }> {
  const { row, admission } = await beginTry<Row>(env, [buildPasswordCounter(actor.id)], read)
  if (admission.state === 'full') return refuseTry(admission.retryAfterSeconds)
  const ending = buildEnding(db, admission.reserved)
  if (row === null || !(await verifyPassword(password, row.hash))) return ending.fail('wrong_password')
  return { row, ...ending }
}

/** A counter of failed tries: its key, and the most failures allowed within the window. */
export interface Counter {
  readonly key: string
  readonly max: number
}

const WINDOW_MS = 15 * 60_000
/** The longest wait for running tries to end. */
const MAX_WAIT_MS = 5_000

/** Failed sign-ins to one address, whether it has an account or not. */
export async function buildAccountCounter(email: string): Promise<Counter> {
  return { key: `sign-in:account:${await sha256Hex(email)}`, max: 10 }
}

/** Failed sign-ins from one network address; an IPv6 address counts as its /64. */
export function buildAddressCounter(ip: string): Counter {
  return { key: `sign-in:address:${toNetworkAddress(ip)}`, max: 30 }
}

/** Failed sign-ins from a known device, counted once the other limits are reached. Only the owner can reach this limit. */
export function buildDeviceCounter(userId: string, deviceHash: string): Counter {
  return { key: `sign-in:device:${userId}:${deviceHash}`, max: 100 }
}

/** Wrong current passwords of a signed-in user. */
function buildPasswordCounter(userId: string): Counter {
  return { key: `password:account:${userId}`, max: 10 }
}

/** Whether a try was admitted; if not, how long until the window ends. */
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
 * Reserves a place in every counter or in none, and reads a row, in one round trip before the costly work. Running tries
 * count, so 50 parallel tries cannot make 50 guesses. A try that succeeds releases its place. If only running tries fill a
 * counter, this waits up to five seconds for them, unless `skipWait` returns true for the row.
 * @param read selects the row; it must not write, because it may run more than once
 */
export async function beginTry<Row>(
  env: Env,
  counters: readonly Counter[],
  read: D1PreparedStatement,
  skipWait: (row: Row | null) => boolean = () => false,
): Promise<{ row: Row | null; admission: Admission }> {
  const applied = hasRateLimits(env) ? counters : []
  const until = runtime.now() + MAX_WAIT_MS
  for (;;) {
    const nowMs = runtime.now()
    const [found, reserved, states] = await env.DB.batch([read, ...reserve(env.DB, applied, nowMs)])
    const row = (found?.results[0] ?? null) as Row | null
    const admission = decideAdmission(applied, reserved?.results ?? [], states?.results ?? [], nowMs)
    if (admission.state === 'begun' || !admission.othersRunning) return { row, admission }
    if (skipWait(row) || nowMs >= until) return { row, admission }
    await runtime.wait(pickRandomMs(60, 140))
  }
}

function reserve(binding: D1Database, counters: readonly Counter[], nowMs: number): D1PreparedStatement[] {
  if (counters.length === 0) return []
  const requested = counters
    .map((_, i) => `SELECT ?${2 * i + 2} AS key, ?${2 * i + 3} AS max`)
    .join(' UNION ALL ')
  return [
    binding
      .prepare(
        `INSERT INTO rate_counters (key, window_start, used, failed)
         SELECT requested.key, ?1, 1, 0 FROM (${requested}) requested
         WHERE NOT EXISTS (
           SELECT 1 FROM (${requested}) other JOIN rate_counters r ON r.key = other.key
           WHERE r.window_start > ?1 - ${WINDOW_MS} AND r.used >= other.max)
         ${countInWindow(WINDOW_MS)} RETURNING key, window_start`,
      )
      .bind(nowMs, ...counters.flatMap(({ key, max }) => [key, max])),
    binding
      .prepare(
        `SELECT key, used, failed, window_start FROM rate_counters WHERE key IN (${counters.map(() => '?').join(', ')})`,
      )
      .bind(...counters.map(({ key }) => key)),
  ]
}

function decideAdmission(
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
    // Running tries release their places unless they fail.
    othersRunning: !full.some(({ isFinal }) => isFinal),
    retryAfterSeconds: Math.ceil((Math.max(nowMs, ...full.map(({ endsAt }) => endsAt)) - nowMs) / 1000),
  }
}

/** How an admitted try ends. */
export interface TryOutcome {
  /** Statements that release the places. The caller adds them to the batch that the try allows. */
  passed(): readonly Statement[]
  /** Refuses a wrong guess, which counts for the rest of the window. */
  fail(code: RefusalCode, more?: More): Promise<never>
  /** Refuses a right guess for another reason. It does not count. */
  drop(code: RefusalCode, more?: More): Promise<never>
}

/** Details of the refusal, and statements to store with it. */
interface More {
  readonly details: Details
  readonly statements: readonly Statement[]
}

/** @param refuseWrong replaces the refusal of a wrong guess */
export function buildEnding(
  db: Database,
  reserved: readonly Reservation[],
  refuseWrong: (code: RefusalCode, details?: Details) => never = refuse,
): TryOutcome {
  return {
    passed: () => releasePlaces(reserved),
    fail: async (code, more) => {
      await runBatch(db, [...countFailure(reserved), ...(more?.statements ?? [])])
      return refuseWrong(code, more?.details)
    },
    drop: async (code, more) => {
      await runBatch(db, [...releasePlaces(reserved), ...(more?.statements ?? [])])
      return refuse(code, more?.details)
    },
  }
}

function releasePlaces(reserved: readonly Reservation[]): Statement[] {
  return reserved.map(
    ({ key, window_start }) =>
      sql`UPDATE rate_counters SET used = used - 1
      WHERE key = ${key} AND window_start = ${window_start} AND used > failed`,
  )
}

function countFailure(reserved: readonly Reservation[]): Statement[] {
  return reserved.map(
    ({ key, window_start }) =>
      sql`UPDATE rate_counters SET failed = failed + 1 WHERE key = ${key} AND window_start = ${window_start}`,
  )
}

/** Refuses with 429 until the window ends. */
export function refuseTry(retryAfterSeconds: number): never {
  refuse('too_many_requests', { retryAfterSeconds })
}
