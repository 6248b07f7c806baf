import { and, eq } from 'drizzle-orm'
import type { Endpoint } from '../../src/contract/endpoint.ts'
import { sha256Hex } from '../lib/crypto/tokens.ts'
import type { Database, Statement } from '../lib/database.ts'
import { refuse } from '../lib/errors.ts'
import { idempotency } from '../lib/tables/platform.ts'
import { IDLE_MS, LIVE_SESSION, type SessionKey } from './actor.ts'
import type { ReadBody } from './body.ts'

const RUNNING_MS = 60_000
const KEPT_MS = 24 * 3_600_000
const KEY = /^[\x21-\x7e]{1,255}$/

/** A key that this run holds: its success is stored under it in the batch of its effect. */
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
 * Takes the key for this run, in the session's own batch: a row of our token afterwards means that it is ours. A run
 * that died gives the key up after a minute, a stored success after a day.
 */
export function claimStatements(
  binding: D1Database,
  session: SessionKey,
  claim: ClaimRequest,
  nowMs: number,
): D1PreparedStatement[] {
  return [
    binding
      .prepare(
        `INSERT INTO idempotency (user_id, key, path, fingerprint, state, claim, at)
         SELECT s.user_id, ?5, ?6, ?7, 'running', ?8, ?3 FROM sessions s WHERE ${LIVE_SESSION}
         ON CONFLICT (user_id, key) DO UPDATE SET
           path = excluded.path, fingerprint = excluded.fingerprint, state = 'running', claim = excluded.claim,
           at = excluded.at, status = NULL, body = NULL
         WHERE (idempotency.state = 'running' AND idempotency.at <= excluded.at - ${RUNNING_MS})
            OR idempotency.at <= excluded.at - ${KEPT_MS}`,
      )
      .bind(
        session.id,
        session.secretHash,
        nowMs,
        nowMs - IDLE_MS,
        claim.key,
        claim.path,
        claim.fingerprint,
        claim.token,
      ),
    binding
      .prepare(
        `SELECT i.* FROM idempotency i JOIN sessions s ON s.user_id = i.user_id WHERE i.key = ?5 AND ${LIVE_SESSION}`,
      )
      .bind(session.id, session.secretHash, nowMs, nowMs - IDLE_MS, claim.key),
  ]
}

interface ClaimRow {
  user_id: string
  path: string
  fingerprint: string
  state: 'running' | 'done'
  claim: string
  status: number | null
  body: string | null
}

/** What the key means for this run: a claim to go on with, or the stored answer. Refuses a key used otherwise, or in use. */
export function settleClaim(row: unknown, request: ClaimRequest): Claim | Response {
  const found = row as ClaimRow | undefined
  if (found === undefined) refuse('unauthorized')
  if (found.claim === request.token) return { userId: found.user_id, key: request.key, token: request.token }
  if (found.path !== request.path || found.fingerprint !== request.fingerprint)
    refuse('idempotency_key_reused')
  if (found.state === 'running') refuse('idempotency_in_progress', { retryAfterSeconds: 1 })
  return new Response(found.body, {
    status: found.status ?? 200,
    headers: { 'Content-Type': 'application/json', 'Idempotency-Replayed': 'true' },
  })
}

/** Stores the success, in the batch of its effect. Aborts the batch when another run took the key over meanwhile. */
export function keepAnswer(db: Database, claim: Claim, status: number, body: string): Statement {
  return db
    .update(idempotency)
    .set({ state: 'done', status, body, claim: claim.token })
    .where(and(eq(idempotency.userId, claim.userId), eq(idempotency.key, claim.key)))
}

/** Gives the key back: only a success is kept. */
export async function releaseClaim(binding: D1Database, claim: Claim): Promise<void> {
  await binding
    .prepare(`DELETE FROM idempotency WHERE user_id = ?1 AND key = ?2 AND claim = ?3 AND state = 'running'`)
    .bind(claim.userId, claim.key, claim.token)
    .run()
}

/**
 * What makes two requests the same for an Idempotency-Key: parsed values and file contents, not the bytes of the body,
 * and without the proof, which a repeated request may carry anew.
 */
export async function fingerprintOf(endpoint: Endpoint, read: ReadBody): Promise<string> {
  const parsed = endpoint.body?.safeParse(read.fields)
  // Fields in error are never a success to come back to, and may be nested deeper than any stack: they are all alike.
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
      // A withdrawal within another request brings its proof along as one that stands alone.
      .map(([key, each]) => [key, canonical(each, top && key === 'thenWithdraw')])
  )
}
