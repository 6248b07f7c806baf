import { and, eq, type SQL, sql } from 'drizzle-orm'
import type { Endpoint } from '../../src/contract/endpoint.ts'
import { DAY_MS } from '../../src/time.ts'
import { sha256Hex } from '../lib/crypto/tokens.ts'
import { buildQuery, type Database, type RowOf, type Statement, selectRows } from '../lib/database.ts'
import { refuse } from '../lib/errors.ts'
import { idempotency } from '../lib/tables/platform.ts'
import type { ReadBody } from './body.ts'

const RUNNING_MS = 60_000
const KEPT_MS = DAY_MS
const KEY = /^[\x21-\x7e]{1,255}$/

/** An idempotency key that this run holds. Its answer is stored in the batch of its effect. */
export interface Claim extends ClaimRequest {
  readonly userId: string
}

export interface ClaimRequest {
  readonly key: string
  readonly token: string
}

export function isIdempotencyKey(value: string): boolean {
  return KEY.test(value)
}

/**
 * Claims the key in the batch that identifies the actor; the last query reads who holds it. A row with our token means that we do. A
 * crashed run loses its key after a minute; a stored answer expires after a day. No part of the request is stored: its
 * fingerprint follows with its answer.
 */
export function buildClaim(actorId: SQL, { key, token }: ClaimRequest, nowMs: number) {
  return [
    buildQuery(sql`
      DELETE FROM idempotency WHERE user_id = ${actorId} AND state = 'running' AND at <= ${nowMs - RUNNING_MS}`),
    buildQuery(sql`
      DELETE FROM idempotency WHERE user_id = ${actorId} AND key = ${key} AND at <= ${nowMs - KEPT_MS}`),
    buildQuery(sql`
      INSERT INTO idempotency (user_id, key, state, claim, at)
      SELECT id, ${key}, 'running', ${token}, ${nowMs} FROM users WHERE id = ${actorId}
      ON CONFLICT (user_id, key) DO NOTHING`),
    readClaim(actorId, key, token),
  ]
}

function readClaim(actorId: SQL, key: string, token: string) {
  const { state, fingerprint, status, body } = idempotency
  return selectRows({ state, fingerprint, status, body, isOurs: sql<0 | 1>`claim = ${token}` })
    .from(idempotency)
    .where(and(eq(idempotency.key, key), eq(idempotency.userId, actorId)))
}

export type ClaimRow = RowOf<typeof readClaim>

/** The answer of an earlier request with the same key, and the fingerprint of that request. */
export type StoredAnswer = Pick<ClaimRow, 'fingerprint' | 'status' | 'body'>

/** The stored answer, or null if the request holds its key. Refuses a key that is in use. */
export function settleClaim(found: ClaimRow | undefined): StoredAnswer | null {
  if (found === undefined) refuse('unauthorized')
  if (found.isOurs === 1) return null
  if (found.state === 'running') refuse('idempotency_in_progress', { retryAfterSeconds: 1 })
  return found
}

/** The stored answer to a request with this fingerprint. Refuses a key that was used for another request. */
export function replay(stored: StoredAnswer, fingerprint: string): Response {
  if (stored.fingerprint !== fingerprint) refuse('idempotency_key_reused')
  return new Response(stored.body, {
    status: stored.status ?? 200,
    headers: { 'Content-Type': 'application/json', 'Idempotency-Replayed': 'true' },
  })
}

/**
 * Stores the answer in the batch of its effect. A trigger aborts the batch if the run holds its key no longer: another run took it
 * over, also one that was refused since.
 */
export function storeAnswer(
  db: Database,
  { userId, key, token }: Claim,
  answer: Readonly<{ fingerprint: string; status: number; body: string }>,
  nowMs: number,
): Statement {
  const done = { state: 'done' as const, ...answer }
  return db
    .insert(idempotency)
    .values({ userId, key, claim: token, at: nowMs, ...done })
    .onConflictDoUpdate({ target: [idempotency.userId, idempotency.key], set: done })
}

/** Releases the key after a failure and deletes its row: only successes are stored. */
export async function releaseClaim(db: Database, { userId, key, token }: Claim): Promise<void> {
  await db.run(sql`
    DELETE FROM idempotency WHERE user_id = ${userId} AND key = ${key} AND claim = ${token} AND state = 'running'`)
}

/**
 * A hash that is equal for equal requests: of method and path, parsed values and file contents, not of raw bytes. It leaves out the
 * second-factor proof, which a repeated request may renew.
 */
export async function hashRequest(request: Request, endpoint: Endpoint, read: ReadBody): Promise<string> {
  const parsed = endpoint.body?.safeParse(read.fields)
  // Invalid fields never succeed and may be nested too deeply to hash, so all of them are treated alike.
  const values = parsed?.success === false ? 'in error' : parsed?.data
  const files = [...read.fileHashes].sort(([a], [b]) => (a < b ? -1 : 1))
  const { pathname } = new URL(request.url)
  return sha256Hex(JSON.stringify([request.method, pathname, toCanonical(values, true), files]))
}

const PROOFS = new Set(['code', 'passkey'])

function toCanonical(value: unknown, top = false): unknown {
  if (Array.isArray(value)) return value.map((item) => toCanonical(item))
  if (typeof value !== 'object' || value === null) return value
  return (
    Object.entries(value)
      .filter(([key, fieldValue]) => fieldValue !== undefined && !(top && PROOFS.has(key)))
      .sort(([a], [b]) => (a < b ? -1 : 1))
      // A withdrawal inside another request has its own proof.
      .map(([key, fieldValue]) => [key, toCanonical(fieldValue, top && key === 'thenWithdraw')])
  )
}
