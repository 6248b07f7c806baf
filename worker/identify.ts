import type { Endpoint, Limit } from '../src/contract/endpoint.ts'
import { FACTOR_LIMIT } from '../src/contract/identity/factors.ts'
import {
  type Actor,
  isTouchDue,
  LIVE_SESSION,
  listSessionValues,
  parseActor,
  type Rule,
  readActor,
  type SessionKey,
  updateLastSeen,
} from './http/actor.ts'
import type { ActorCall, Call } from './http/call.ts'
import type { SentProof, ShownFactor } from './http/factorProof.ts'
import { createDeferred, type FirstReads } from './http/firstTrip.ts'
import {
  buildClaimStatements,
  type Claim,
  type ClaimRequest,
  isIdempotencyKey,
  releaseClaim,
  type StoredAnswer,
  settleClaim,
} from './http/idempotency.ts'
import { assertWithin, countForAddress, countForSession } from './http/limits.ts'
import { assertScope } from './http/scopes.ts'
import { parseProof, readShown, toShownFactor } from './identity/factors/shownFactor.ts'
import { generateToken } from './lib/crypto/tokens.ts'
import { openDatabase } from './lib/database.ts'
import { type Env, hasRateLimits } from './lib/env.ts'
import { refuse } from './lib/errors.ts'

/** Thrown instead of going on: an earlier request with the same idempotency key was answered. */
export class Repeated extends Error {
  readonly stored: StoredAnswer

  constructor(stored: StoredAnswer) {
    super('An answer was stored for this idempotency key.')
    this.stored = stored
  }
}

/** The opening of a limited public request: counts the use of its address. */
export function createAddressOpening(env: Env, limit: Limit, address: string, now: () => number): FirstReads {
  return {
    isWhollyGuarded: true,
    statements: (guarded) => [countForAddress(env.DB, limit, address, now(), guarded)],
    settle: async ([counted]) => assertWithin(limit, counted, now()),
  }
}

/** Refuses 401 without a live session, before the body is read. */
export async function assertLive(env: Env, session: SessionKey, nowMs: number): Promise<void> {
  const live = env.DB.prepare(`SELECT 1 FROM sessions s WHERE ${LIVE_SESSION}`)
  if ((await live.bind(...listSessionValues(session, nowMs)).first()) === null) refuse('unauthorized')
}

interface BearerRequest {
  readonly env: Env
  readonly request: Request
  readonly endpoint: Endpoint
  readonly session: SessionKey
  /** The fields of the body, where they are read before the first round trip. */
  readonly fields: unknown
  readonly deviceHash: string | null
  readonly nowMs: number
}

/**
 * The bearer of a signed-in request, and the opening that identifies them, counts the use and claims the idempotency key. It
 * refuses 401 without a live session, 429, 403 outside the scope, an invalid or running key, and broken rules of `require`, in this order.
 */
export class Identity implements FirstReads {
  /** Only the actor's and the session's ids are known before the first round trip. */
  readonly actor: Actor
  /** The proof that was sent. Its factors are known after the first round trip. */
  readonly shown: ShownFactor | null
  /** The idempotency key that this request holds. */
  claim: Claim | null = null
  /** The actor's id once the session was found. */
  knownId: string | undefined
  /** Whether something was read before it was known. */
  hasMissed = false

  readonly #asked: BearerRequest
  readonly #session: SessionKey
  readonly #proof: SentProof | null
  readonly #limit: Limit | null
  readonly #request: ClaimRequest | 'invalid' | null
  readonly #known: {
    readonly actor: Partial<Actor>
    readonly session: Partial<Actor['session']>
    readonly shown: Partial<ShownFactor>
  }
  readonly #rules: Rule[] = []
  #isKnown = false

  static async of(asked: BearerRequest): Promise<Identity> {
    const proof = asked.endpoint.asksFactor ? await parseProof(asked.fields) : null
    return new Identity(asked, proof, readClaimRequest(asked))
  }

  private constructor(
    asked: BearerRequest,
    proof: SentProof | null,
    request: ClaimRequest | 'invalid' | null,
  ) {
    const { env, endpoint, session } = asked
    this.#asked = asked
    this.#session = session
    this.#proof = proof
    this.#limit = hasRateLimits(env) ? pickLimit(endpoint, proof) : null
    this.#request = request
    const throwEarlyRead = () => {
      this.hasMissed = true
      throw new Error('Read before the first round trip')
    }
    const known = { id: session.id }
    this.#known = {
      actor: {
        id: session.userId,
        session: createDeferred<Actor['session']>(known, throwEarlyRead),
      },
      session: known,
      shown: proof ? { sent: proof } : {},
    }
    this.actor = createDeferred<Actor>(this.#known.actor, throwEarlyRead)
    this.shown = proof && createDeferred<ShownFactor>(this.#known.shown, throwEarlyRead)
  }

  /** The bearer's part of the call. */
  get acting(): Pick<ActorCall, 'actor' | 'shown' | 'require'> {
    return { actor: this.actor, shown: this.shown, require: (rule) => this.require(rule) }
  }

  /** Refuses an actor who breaks the rule, now or with the first round trip. */
  require(rule: Rule): void {
    this.#rules.push(rule)
    if (this.#isKnown) this.#assertRules()
  }

  #assertRules(): void {
    for (const { breaks, code, details } of this.#rules)
      if (breaks(this.actor)) refuse(code, details?.(this.actor))
  }

  /** Whether the guards hold everything that `settle` refuses, so that tries may be counted in the same batch. */
  get isWhollyGuarded(): boolean {
    const { scope } = this.#asked.endpoint
    return (
      scope === 'signed-in' &&
      this.#request !== 'invalid' &&
      this.#rules.every((rule) => rule.sql !== undefined)
    )
  }

  statements(guarded: boolean): D1PreparedStatement[] {
    const { env, endpoint, deviceHash, nowMs } = this.#asked
    const session = this.#session
    const rules = this.#rules.flatMap(({ sql }) => sql ?? [])
    const guard = endpoint.scope === 'signed-in' ? rules : ["u.role <> 'operator'", ...rules]
    return [
      readActor(env.DB, session, nowMs, deviceHash, guarded ? guard : null),
      ...(this.#limit ? [countForSession(env.DB, this.#limit, session, nowMs, guarded)] : []),
      ...(this.#proof ? [readShown(env, openDatabase(env.DB), session, this.#proof, nowMs)] : []),
      ...(isClaim(this.#request) ? buildClaimStatements(env.DB, session, this.#request, nowMs, guarded) : []),
    ]
  }

  async settle([who, ...others]: readonly D1Result[]): Promise<void> {
    const row = who?.results[0]
    if (row === undefined) refuse('unauthorized')
    const actor = parseActor(row)
    this.knownId = actor.id
    Object.assign(this.#known.session, actor.session)
    Object.assign(this.#known.actor, actor)
    if (this.#proof)
      Object.assign(this.#known.shown, toShownFactor(this.#proof, others[this.#limit ? 1 : 0]?.results[0]))
    if (isClaim(this.#request))
      this.claim = { userId: actor.id, key: this.#request.key, token: this.#request.token }
    if (this.#limit) assertWithin(this.#limit, others[0], this.#asked.nowMs)
    assertScope(actor, this.#asked.endpoint.scope)
    if (this.#request === 'invalid') refuse('invalid_idempotency_key')
    if (this.#request !== null) {
      const stored = settleClaim(others.at(-1)?.results[0])
      if (stored !== null) {
        this.claim = null
        throw new Repeated(stored)
      }
    }
    this.#isKnown = true
    this.#assertRules()
  }

  /** Releases the idempotency key after a failure. */
  async release(): Promise<void> {
    if (this.claim !== null) await releaseClaim(this.#asked.env.DB, this.claim)
  }

  /** Extends the idle limit of the session after the answer. */
  touch({ defer }: Pick<Call, 'defer'>): void {
    const { env, endpoint, nowMs } = this.#asked
    if (this.#isKnown && !endpoint.isPolled && isTouchDue(this.actor, nowMs))
      defer(() => updateLastSeen(env.DB, this.actor, nowMs))
  }
}

function isClaim(request: ClaimRequest | 'invalid' | null): request is ClaimRequest {
  return request !== null && request !== 'invalid'
}

/** The limit that this call counts against. A call with a code counts as a guess, whatever else it does. */
function pickLimit({ limit }: Endpoint, proof: SentProof | null): Limit | null {
  if (proof?.code !== undefined) return FACTOR_LIMIT
  return limit?.per === 'account' ? limit : null
}

function readClaimRequest({ request, endpoint }: BearerRequest): ClaimRequest | 'invalid' | null {
  const key = endpoint.idempotent ? request.headers.get('Idempotency-Key') : null
  if (key === null) return null
  return isIdempotencyKey(key) ? { key, token: generateToken(12) } : 'invalid'
}
