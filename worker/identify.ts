import type { SQL } from 'drizzle-orm'
import { alias } from 'drizzle-orm/sqlite-core'
import type { Endpoint } from '../src/contract/endpoint.ts'
import {
  isLiveSession,
  isTouchDue,
  parseActor,
  type Reader,
  readActor,
  type SessionKey,
  selectActorId,
  updateLastSeen,
} from './http/actor.ts'
import type { Device } from './http/device.ts'
import {
  buildClaim,
  type Claim,
  type ClaimRow,
  isIdempotencyKey,
  type StoredAnswer,
  settleClaim,
} from './http/idempotency.ts'
import { assertWithin, type CounterRow, countForAccount } from './http/limits.ts'
import { assertScope } from './http/scopes.ts'
import { generateToken } from './lib/crypto/tokens.ts'
import { type Database, type RowQuery, readTogether, selectRows } from './lib/database.ts'
import { type Env, hasRateLimits } from './lib/env.ts'
import { refuse } from './lib/errors.ts'
import { sessions } from './lib/tables/people.ts'

interface BearerRequest {
  readonly env: Env
  readonly db: Database
  readonly request: Request
  readonly endpoint: Endpoint
  readonly session: SessionKey
  readonly device: Device | null
  readonly nowMs: number
}

/** The bearer of a live session or a working key. Until `admit` returns, they may be refused. */
export interface Identity {
  readonly actor: Reader
  /** The claim of the request's idempotency key, to be released after a failure. */
  readonly claim: Claim | null
  /** The rows of the first reads. */
  readonly rows: readonly (readonly unknown[])[]
  /** Records the use, if that is due. */
  readonly touch: (() => Promise<void>) | null
  /**
   * Refuses 429, 403 outside the scope, and an invalid or running idempotency key, in this order. Returns the answer of an earlier
   * request with the same key, or null.
   */
  admit(): StoredAnswer | null
}

/**
 * Looks the session up, counts the use, claims the idempotency key and makes the endpoint's first reads, in one round trip. Refuses
 * 401 without a live session; nothing is counted, claimed or found then.
 */
export async function identify(
  { env, db, request, endpoint, session, device, nowMs }: BearerRequest,
  buildReads: (actorId: SQL) => readonly RowQuery<unknown>[],
): Promise<Identity> {
  const actorId = selectActorId(session, nowMs)
  const limit = endpoint.limit?.per === 'account' && hasRateLimits(env) ? endpoint.limit : null
  const key = endpoint.idempotent ? request.headers.get('Idempotency-Key') : null
  const claimed = key !== null && isIdempotencyKey(key) ? { key, token: generateToken(12) } : null
  const counts = limit === null ? [] : [countForAccount(limit, actorId, nowMs)]
  const claims = claimed === null ? [] : buildClaim(actorId, claimed, nowMs)
  const [[row], ...results] = await readTogether(
    db,
    readActor(session, nowMs, device?.hash ?? ''),
    ...counts,
    ...claims,
    ...buildReads(actorId),
  )
  if (row === undefined) refuse('unauthorized')
  const actor = parseActor(row)
  const read = counts.length + claims.length
  return {
    actor,
    claim: claimed && { userId: actor.id, ...claimed },
    rows: results.slice(read),
    touch: isTouchDue(actor, nowMs) ? () => updateLastSeen(db, actor, nowMs) : null,
    admit: () => {
      if (limit !== null) assertWithin(limit, results[0]?.[0] as CounterRow, nowMs)
      assertScope(actor, endpoint.scope)
      if (key === null) return null
      if (claimed === null) refuse('invalid_idempotency_key')
      return settleClaim(results[read - 1]?.[0] as ClaimRow)
    },
  }
}

/** Refuses 401 if the session ended. */
export async function assertStillLive(db: Database, session: SessionKey, nowMs: number): Promise<void> {
  const [rows] = await readTogether(
    db,
    selectRows({ id: sessions.id }).from(alias(sessions, 's')).where(isLiveSession(session, nowMs)),
  )
  if (rows.length === 0) refuse('unauthorized')
}
