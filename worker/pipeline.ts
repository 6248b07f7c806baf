import { zValidator } from '@hono/zod-validator'
import type { SQL } from 'drizzle-orm'
import type { Context, Hono } from 'hono'
import { getCookie } from 'hono/cookie'
import * as z from 'zod/mini'
import type { Endpoint } from '../src/contract/endpoint.ts'
import { assertMonitoringToken, readKeyHash } from './http/accessKeys.ts'
import { assertRule, isKey, RULES } from './http/actor.ts'
import { type ReadBody, readAnnouncedBody, readBody } from './http/body.ts'
import { type ActorCall, type Answer, type Call, commitEffect, type Route } from './http/call.ts'
import { assertSameSite, XSRF_COOKIE } from './http/csrf.ts'
import { DEVICE_COOKIE, type Device, readDevice } from './http/device.ts'
import { checkBody, groupProblems, refuseFields } from './http/fields.ts'
import { hashRequest, releaseClaim, replay } from './http/idempotency.ts'
import { assertWithin, countForAddress } from './http/limits.ts'
import { readSessionToken } from './http/sessionToken.ts'
import { assertStillLive, type Identity, identify } from './identify.ts'
import { identifyKey } from './identifyKey.ts'
import { findConsoleFactorRule } from './identity/factors/actFactor.ts'
import { findActProof } from './identity/factors/factors.ts'
import { type Database, openDatabase, readTogether } from './lib/database.ts'
import { type Env, hasRateLimits } from './lib/env.ts'
import { answerError } from './lib/errors.ts'
import { runtime } from './lib/runtime.ts'

export interface AppEnv {
  Bindings: Env
  Variables: {
    requestId: string
    /** For the security log: the route, the bearer, and the address that a visitor entered. */
    path?: string
    actorId?: string
    email?: string
  }
}

/** A request whose bearer is known. */
interface AdmittedRequest {
  readonly c: Context<AppEnv>
  readonly endpoint: Endpoint
  readonly db: Database
  readonly ip: string
  readonly device: Device | null
  /** Null on a public route. */
  readonly identity: Identity | null
  readonly startMs: number
  /** Reads the body, once. `nowMs` is its end, which is the time of the effect, because clients can send a body slowly. */
  readonly readOnce: () => Promise<ReadBody & { readonly nowMs: number }>
  /** When deferred work may begin. */
  readonly answered: Promise<void>
}

/** A body that took longer may have outlived its session, which is then looked up again. */
export const SLOW_BODY_MS = 1000

/** The query's fields, or their problems. The first reads need the fields. Problems are reported later. */
type CheckedQuery =
  | { readonly success: true; readonly data: unknown }
  | { readonly success: false; readonly error: z.core.$ZodError }

/** Mounts a route. `timeOf` gives a request's time in epoch milliseconds. */
export function mount(app: Hono<AppEnv>, route: Route, timeOf: (request: Request) => number): void {
  const { method, path, query = NO_QUERY } = route.endpoint
  const respond = async (c: Context<AppEnv>, checked: CheckedQuery): Promise<Response> => {
    const answered = Promise.withResolvers<void>()
    try {
      return await answer(c, route, timeOf, answered.promise, checked)
    } finally {
      answered.resolve()
    }
  }
  const validator = zValidator('query', query, (result, c) =>
    result.success ? undefined : respond(c as unknown as Context<AppEnv>, result),
  )
  app.on(method, path, validator, (c) =>
    respond(c, { success: true, data: (c.req.valid as (target: string) => unknown)('query') }),
  )
}

/**
 * Answers a request, in the contract's order of refusals: 429 of an address; 415, 413 and CSRF by the headers; 401, 429 of an account,
 * 403 and idempotent replay (`identify`); a malformed body; the query's fields; then what `perform` refuses.
 */
async function answer(
  c: Context<AppEnv>,
  route: Route,
  timeOf: (request: Request) => number,
  answered: Promise<void>,
  query: CheckedQuery,
): Promise<Response> {
  const { env, req } = c
  const { endpoint, reads } = route
  const { limit } = endpoint
  const db = openDatabase(env.DB)
  const ip = req.header('CF-Connecting-IP') ?? 'local'
  const startMs = timeOf(req.raw)
  c.set('path', endpoint.path)
  if (limit?.per === 'address' && hasRateLimits(env)) {
    const [[counter]] = await readTogether(db, countForAddress(limit, ip, startMs))
    assertWithin(limit, counter, startMs)
  }
  const announced = readAnnouncedBody(req.raw, endpoint)
  // A search of the console only reads, and needs the bearer token, which no other site has. A page may send it before its first answer
  // has set the CSRF cookie.
  if (!isSearch(endpoint)) assertSameSite(req.raw, env, getCookie(c, XSRF_COOKIE))
  const hasSession = endpoint.scope !== 'public' && endpoint.scope !== 'monitoring'
  const keyHash =
    endpoint.scope === 'signed-in-or-key' ? await readKeyHash(req.raw, ['program', 'guest']) : null
  const session = hasSession && keyHash === null ? await readSessionToken(env, req.raw) : null
  if (endpoint.scope === 'monitoring') await assertMonitoringToken(db, req.raw, startMs)
  const device = await readDevice(env, getCookie(c, DEVICE_COOKIE))
  const buildReads = (actorId: SQL) =>
    query.success && reads ? reads({ actorId, db, nowMs: startMs, query: query.data }) : []
  const identity = session
    ? await identify({ env, db, request: req.raw, endpoint, session, device, nowMs: startMs }, buildReads)
    : keyHash === null
      ? null
      : await identifyKey({ env, db, endpoint, keyHash, ip, nowMs: startMs }, buildReads)

  const readWhole = async () => {
    const read = await readBody(req.raw, endpoint, announced)
    const nowMs = timeOf(req.raw)
    if (session && nowMs - startMs > SLOW_BODY_MS) await assertStillLive(db, session, nowMs)
    return { ...read, nowMs }
  }
  let reading: ReturnType<typeof readWhole> | undefined
  const readOnce = () => (reading ??= readWhole())
  const admitted = { c, endpoint, db, ip, device, identity, startMs, readOnce, answered }
  try {
    if (identity) {
      c.set('actorId', identity.actor.id)
      const stored = identity.admit()
      if (stored) return replay(stored, await hashRequest(req.raw, endpoint, await readOnce()))
      if (!endpoint.isPolled && identity.touch) defer(admitted, identity.touch)
    }
    // An upload is read after its thing was found.
    if (!endpoint.files) await readOnce()
    if (!query.success) refuseFields(groupProblems(query.error.issues))
    return await perform(admitted, route, query.data)
  } catch (error) {
    if (identity?.claim) await releaseClaim(db, identity.claim)
    throw error
  }
}

/** Refuses in this order: 404 of the thing, a frozen account, KYC, the body's fields, then the verb's own refusals. */
async function perform(
  admitted: AdmittedRequest,
  { endpoint, load, run }: Route,
  query: unknown,
): Promise<Response> {
  const { c, identity, startMs, readOnce } = admitted
  // Public routes never read the actor, and all others have an identity.
  const createActorCall = (nowMs: number) =>
    ({ ...createCall(admitted, nowMs), ...(identity && { actor: identity.actor }) }) as ActorCall
  const call = createActorCall(endpoint.files ? startMs : (await readOnce()).nowMs)
  const thing = load ? await load(call) : identity?.rows
  for (const rule of endpoint.requires ?? []) assertRule(call.actor, RULES[rule])
  const isRead = endpoint.method === 'GET' || endpoint.isQuery
  const factorRule = isRead ? findConsoleFactorRule(call) : null
  if (factorRule) assertRule(call.actor, factorRule)
  const { nowMs, ...read } = await readOnce()
  const { body, pictures, pdfs, sealed } = checkBody(endpoint, read)
  const email: unknown = Reflect.get(Object(body), 'email')
  if (identity === null && typeof email === 'string') c.set('email', email)
  const proof = endpoint.asksFactor ? await findActProof(read.fields) : null
  const reply = await run({ ...createActorCall(nowMs), proof, body, pictures, pdfs, sealed, query }, thing)
  return reply instanceof Response ? reply : toResponse(reply)
}

function createCall(admitted: AdmittedRequest, nowMs: number): Call {
  const { c, endpoint, db, ip, device, identity, readOnce } = admitted
  const request = c.req.raw
  const frame = {
    env: c.env,
    db,
    nowMs,
    requestId: c.get('requestId'),
    request,
    endpoint,
    ip,
    userAgent: (c.req.header('User-Agent') ?? '').slice(0, 300),
    device,
    params: c.req.param(),
    defer: (work: () => Promise<unknown>) => defer(admitted, work),
  }
  return {
    ...frame,
    commit: async (effect) => {
      const actor = identity?.actor
      if (actor && isKey(actor)) throw new Error('A key changes nothing.')
      // Here, because other refusals take precedence.
      const factorRule = findConsoleFactorRule(frame, effect.isProven)
      if (factorRule && actor) assertRule(actor, factorRule)
      const fingerprint = async () => hashRequest(request, endpoint, await readOnce())
      const claim = identity?.claim ?? null
      return commitEffect({ ...frame, claim, fingerprint }, actor?.id ?? 'visitor', effect)
    },
  }
}

/** Does work after the answer has left. */
function defer({ c, answered }: AdmittedRequest, work: () => Promise<unknown>): void {
  const done = answered
    .then(() => runtime.wait(0))
    .then(work)
    .catch((error: unknown) => answerError(error, c.get('requestId')))
  c.executionCtx.waitUntil(done)
}

const NO_QUERY = z.object({})

function toResponse({ status, body, headers }: Answer<unknown>): Response {
  if (status === 204) return new Response(null, { status, ...(headers && { headers }) })
  return new Response(JSON.stringify(body), {
    status,
    headers: { 'Content-Type': 'application/json', ...headers },
  })
}

function isSearch({ isQuery, scope }: Endpoint): boolean {
  return isQuery === true && scope.startsWith('operator:') && scope.endsWith('.read')
}
