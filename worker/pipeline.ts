import { zValidator } from '@hono/zod-validator'
import type { Context, Hono, MiddlewareHandler } from 'hono'
import * as z from 'zod/mini'
import type { Endpoint, Limit } from '../src/contract/endpoint.ts'
import { FACTOR_LIMIT } from '../src/contract/identity/factors.ts'
import { type Actor, actorOf, readActor, type SessionKey, touchSession } from './http/actor.ts'
import { type ReadBody, readBody } from './http/body.ts'
import { type ActorCall, type Answer, type Call, commitEffect, type Route } from './http/call.ts'
import { assertSameSite, cookiesOf, DEVICE_COOKIE, readDevice } from './http/cookies.ts'
import type { SentProof, ShownFactor } from './http/factorProof.ts'
import { checkBody, problemsOf, refuseFields } from './http/fields.ts'
import {
  type Claim,
  type ClaimRequest,
  claimStatements,
  fingerprintOf,
  isIdempotencyKey,
  releaseClaim,
  settleClaim,
} from './http/idempotency.ts'
import { assertWithin, type CounterRow, countForAddress, countForSession } from './http/limits.ts'
import { assertScope } from './http/scopes.ts'
import { proofIn, readShown, shownOf } from './identity/factors/shownFactor.ts'
import { randomToken, sha256Hex } from './lib/crypto/tokens.ts'
import { openDatabase } from './lib/database.ts'
import { type Env, isDevelopment, limitsApply } from './lib/env.ts'
import { answerOf, refuse } from './lib/errors.ts'

export interface AppEnv {
  Bindings: Env
  Variables: {
    requestId: string
    admitted: Admitted
    /** For the security log: the route, the signed-in user, and the address that a visitor entered. */
    path?: string
    actorId?: string
    email?: string
  }
}

/** An admitted request: parsed, same-site, and signed in if the endpoint requires it. */
interface Admitted {
  readonly call: Call
  readonly actor: Actor | null
  readonly shown: ShownFactor | null
  readonly read: ReadBody
}

/**
 * Mounts a route. Its three steps follow the contract's order of refusals: `admit` (429, 413, 415, 400, CSRF, 401, role,
 * idempotent replay), the query's fields, and `perform` (404 of the thing, frozen, KYC, the body's fields, the effect).
 */
export function mount(
  app: Hono<AppEnv>,
  { endpoint, load, run }: Route,
  timeOf: (request: Request) => number,
): void {
  const query = zValidator('query', endpoint.query ?? z.object({}), (result) => {
    if (!result.success) refuseFields(problemsOf(result.error.issues))
  })
  const perform = async (c: Context<AppEnv>): Promise<Response> => {
    const { call, actor, shown, read } = c.get('admitted')
    try {
      // Public routes never read the actor, and `admit` guarantees one on all others.
      const acting = { ...call, actor, shown } as ActorCall
      const thing = load ? await load(acting) : null
      assertMayMoveMoney(endpoint, actor)
      const { body, pictures, sealed } = checkBody(endpoint, read)
      const email: unknown = Reflect.get(Object(body), 'email')
      if (actor === null && typeof email === 'string') c.set('email', email)
      const parsedQuery: unknown = (c.req.valid as (target: string) => unknown)('query')
      const reply = await run({ ...acting, body, pictures, sealed, query: parsedQuery }, thing)
      return reply instanceof Response ? reply : responseOf(reply)
    } catch (error) {
      if (call.claim !== null) await releaseClaim(call.db.$client, call.claim)
      throw error
    }
  }
  app.on(endpoint.method, endpoint.path, admit(endpoint, timeOf), query, perform)
}

function responseOf({ status, body, headers }: Answer<unknown>): Response {
  if (status === 204) return new Response(null, { status, ...(headers && { headers }) })
  return new Response(JSON.stringify(body), {
    status,
    headers: { 'Content-Type': 'application/json', ...headers },
  })
}

function assertMayMoveMoney(endpoint: Endpoint, actor: Actor | null): void {
  if (actor === null || endpoint.requires === undefined) return
  if (endpoint.requires.includes('unfrozen') && actor.frozen) refuse('account_frozen')
  if (endpoint.requires.includes('kyc') && actor.kycRequired && actor.kyc !== 'approved')
    refuse('kyc_required')
}

/** Reads the request and identifies the actor. */
function admit(endpoint: Endpoint, timeOf: (request: Request) => number): MiddlewareHandler<AppEnv> {
  return async (c, next) => {
    const { env, req } = c
    c.set('path', endpoint.path)
    const ip = addressOf(req.raw)
    const { limit } = endpoint
    if (limit?.per === 'address' && limitsApply(env))
      await countForAddress(env.DB, limit, ip, timeOf(req.raw))
    const read = await readBody(req.raw, endpoint)
    // Clients can send a body slowly, so the request's time is the end of the body.
    const nowMs = timeOf(req.raw)
    const cookies = cookiesOf(req.raw)
    assertSameSite(req.raw, env, cookies)
    const device = await readDevice(env, cookies.get(DEVICE_COOKIE))
    const deviceHash = device?.hash ?? null
    const identity = endpoint.scope === 'public' ? null : await identify(c, endpoint, read, deviceHash, nowMs)
    if (identity?.replay) return identity.replay

    const db = openDatabase(env.DB)
    const actor = identity?.actor ?? null
    const frame: Omit<Call, 'commit'> = {
      env,
      db,
      nowMs,
      requestId: c.get('requestId'),
      request: req.raw,
      endpoint,
      ip,
      userAgent: (req.header('User-Agent') ?? '').slice(0, 300),
      device,
      params: req.param(),
      claim: identity?.claim ?? null,
      defer: (work) =>
        c.executionCtx.waitUntil(work.catch((error: unknown) => answerOf(error, c.get('requestId')))),
    }
    const call: Call = { ...frame, commit: (effect) => commitEffect(frame, actor?.id ?? 'visitor', effect) }
    if (actor && !endpoint.isPolled) call.defer(touchSession(db, actor, nowMs))
    c.set('admitted', { call, actor, shown: identity?.shown ?? null, read })
    await next()
    return
  }
}

interface Identity {
  readonly actor: Actor
  readonly shown: ShownFactor | null
  readonly claim: Claim | null
  readonly replay: Response | null
}

/**
 * Identifies the bearer in one round trip that also counts the use and claims the idempotency key. 401 without a live session,
 * 403 outside the scope.
 */
async function identify(
  c: Context<AppEnv>,
  endpoint: Endpoint,
  read: ReadBody,
  deviceHash: string | null,
  nowMs: number,
): Promise<Identity> {
  const { env } = c
  const request = c.req.raw
  const session = await sessionKeyOf(request)
  const proof = endpoint.asksFactor ? await proofIn(read.fields) : null
  const limit = limitsApply(env) ? limitOf(endpoint, proof) : null
  const keyHeader = endpoint.idempotent ? request.headers.get('Idempotency-Key') : null
  const claim: ClaimRequest | null =
    keyHeader !== null && isIdempotencyKey(keyHeader)
      ? {
          key: keyHeader,
          path: `${request.method} ${new URL(request.url).pathname}`,
          fingerprint: await fingerprintOf(endpoint, read),
          token: randomToken(12),
        }
      : null
  const [who, ...others] = await env.DB.batch([
    readActor(env.DB, session, nowMs, deviceHash),
    ...(limit ? [countForSession(env.DB, limit, session, nowMs)] : []),
    ...(proof ? [readShown(env, openDatabase(env.DB), session, proof, nowMs)] : []),
    ...(claim ? claimStatements(env.DB, session, claim, nowMs) : []),
  ])
  const row = who?.results[0]
  if (row === undefined) refuse('unauthorized')
  const actor = actorOf(row)
  c.set('actorId', actor.id)
  const shown = proof ? shownOf(proof, others[limit ? 1 : 0]?.results[0]) : null
  try {
    if (limit) assertWithin(limit, others[0]?.results[0] as CounterRow | undefined, nowMs)
    assertScope(actor, endpoint.scope)
    if (keyHeader !== null && claim === null) refuse('invalid_idempotency_key')
    // The key's own refusals come after the ones above.
    const outcome = claim ? settleClaim(others.at(-1)?.results[0], claim) : null
    if (outcome instanceof Response) return { actor, shown, claim: null, replay: outcome }
    return { actor, shown, claim: outcome, replay: null }
  } catch (error) {
    if (claim) await releaseClaim(env.DB, { userId: actor.id, key: claim.key, token: claim.token })
    throw error
  }
}

/** The limit that this call counts against. A call with a code counts as a guess, whatever else it does. */
function limitOf({ limit }: Endpoint, proof: SentProof | null): Limit | null {
  if (proof?.code !== undefined) return FACTOR_LIMIT
  return limit?.per === 'account' ? limit : null
}

async function sessionKeyOf(request: Request): Promise<SessionKey> {
  const [, id, secret] =
    /^Bearer ([A-Za-z0-9_-]{8,64})\.([A-Za-z0-9_-]{20,128})$/i.exec(
      request.headers.get('Authorization') ?? '',
    ) ?? []
  if (id === undefined || secret === undefined) refuse('unauthorized')
  return { id, secretHash: await sha256Hex(secret) }
}

function addressOf(request: Request): string {
  return request.headers.get('CF-Connecting-IP') ?? 'local'
}

/** Whether cookies are `Secure`: everywhere but in local development. */
export function secureCookies(env: Env): boolean {
  return !isDevelopment(env)
}
