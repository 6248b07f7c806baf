import { and, eq } from 'drizzle-orm'
import type { Endpoint } from '../../src/contract/endpoint.ts'
import { sha256Hex } from '../lib/crypto/tokens.ts'
import type { Database, Statement } from '../lib/database.ts'
import { refuse } from '../lib/errors.ts'
import { idempotency } from '../lib/tables/platform.ts'
import { LIVE_SESSION, type SessionKey, sessionValues } from './actor.ts'
import type { ReadBody } from './body.ts'
import { abortingIf } from './firstTrip.ts'

const RUNNING_MS = 60_000
const KEPT_MS = 24 * 3_600_000
const KEY = /^[\x21-\x7e]{1,255}$/

/** An idempotency key that this run holds. Its answer is stored in the batch of its effect. */
export interface Claim {
  readonly userId: string
  readonly key: string
  readonly token: string
}

export interface ClaimRequest {
  readonly key: string
  readonly path: string
  readonly fingerprint: string
  readonly token: string
}

export function isIdempotencyKey(value: string): boolean {
  return KEY.test(value)
}

/**
 * Claims the key in the batch of the opening. A row with our token afterwards means that we hold it. A crashed run loses its key
 * after a minute; a stored answer expires after a day.
 */
export function claimStatements(
  binding: D1Database,
  session: SessionKey,
  claim: ClaimRequest,
  nowMs: number,
  guarded: boolean,
): D1PreparedStatement[] {
  return [
    binding
      .prepare(
        `INSERT INTO idempotency (user_id, key, path, fingerprint, state, claim, at)
         SELECT s.user_id, ?6, ?7, ?8, 'running', ?9, ?3 FROM sessions s WHERE ${LIVE_SESSION}
         ON CONFLICT (user_id, key) DO UPDATE SET
           path = excluded.path, fingerprint = excluded.fingerprint, state = 'running', claim = excluded.claim,
           at = excluded.at, status = NULL, body = NULL
         WHERE (idempotency.state = 'running' AND idempotency.at <= excluded.at - ${RUNNING_MS})
            OR idempotency.at <= excluded.at - ${KEPT_MS}`,
      )
      .bind(...sessionValues(session, nowMs), claim.key, claim.path, claim.fingerprint, claim.token),
    binding
      .prepare(
        `SELECT i.*, i.claim = ?7 AS is_ours ${abortingIf('i.claim <> ?7', guarded)}
         FROM idempotency i JOIN sessions s ON s.user_id = i.user_id WHERE i.key = ?6 AND ${LIVE_SESSION}`,
      )
      .bind(...sessionValues(session, nowMs), claim.key, claim.token),
  ]
}

interface ClaimRow {
  path: string
  fingerprint: string
  state: 'running' | 'done'
  is_ours: 0 | 1
  status: number | null
  body: string | null
}

/** The stored answer, or null if the request holds its key. Refuses a key that is in use or was used for another request. */
export function settleClaim(row: unknown, request: ClaimRequest): Response | null {
  const found = row as ClaimRow | undefined
  if (found === undefined) refuse('unauthorized')
  if (found.is_ours === 1) return null
  if (found.path !== request.path || found.fingerprint !== request.fingerprint)
    refuse('idempotency_key_reused')
  if (found.state === 'running') refuse('idempotency_in_progress', { retryAfterSeconds: 1 })
  return new Response(found.body, {
    status: found.status ?? 200,
    headers: { 'Content-Type': 'application/json', 'Idempotency-Replayed': 'true' },
  })
}

/** Stores the answer in the batch of its effect. A trigger aborts the batch if another run took over the key meanwhile. */
export function keepAnswer(db: Database, claim: Claim, status: number, body: string): Statement {
  return db
    .update(idempotency)
    .set({ state: 'done', status, body, claim: claim.token })
    .where(and(eq(idempotency.userId, claim.userId), eq(idempotency.key, claim.key)))
}

/**
 * Releases the key after a failure: only successes are stored. The row stays, so that a run which lost the key to this one and is not
 * over yet cannot take effect.
 */
export async function releaseClaim(binding: D1Database, claim: Claim): Promise<void> {
  await binding
    .prepare(
      `UPDATE idempotency SET at = at - ${RUNNING_MS} WHERE user_id = ?1 AND key = ?2 AND claim = ?3 AND state = 'running'`,
    )
    .bind(claim.userId, claim.key, claim.token)
    .run()
}

/**
 * A hash that is equal for equal requests: of parsed values and file contents, not of raw bytes. It leaves out the
 * second-factor proof, which a repeated request may renew.
 */
export async function fingerprintOf(endpoint: Endpoint, read: ReadBody): Promise<string> {
  const parsed = endpoint.body?.safeParse(read.fields)
  // Invalid fields never succeed and may be nested too deeply to hash, so all of them are treated alike.
  const values = parsed?.success === false ? 'in error' : parsed?.data
  const files = await Promise.all(
    [...read.files]
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(async ([name, bytes]) => [name, await sha256Hex(bytes)]),
  )
  return sha256Hex(JSON.stringify([canonical(values, true), files]))
}

const PROOFS = new Set(['code', 'passkey'])

function canonical(value: unknown, top = false): unknown {
  if (Array.isArray(value)) return value.map((each) => canonical(each))
  if (typeof value !== 'object' || value === null) return value
  return (
    Object.entries(value)
      .filter(([key, each]) => each !== undefined && !(top && PROOFS.has(key)))
      .sort(([a], [b]) => (a < b ? -1 : 1))
      // A withdrawal inside another request has its own proof.
      .map(([key, each]) => [key, canonical(each, top && key === 'thenWithdraw')])
  )
}
