import { zValidator } from '@hono/zod-validator'
import type { Context, Hono, MiddlewareHandler } from 'hono'
import { getCookie } from 'hono/cookie'
import * as z from 'zod/mini'
import type { Endpoint } from '../src/contract/endpoint.ts'
import { RULES } from './http/actor.ts'
import { type ReadBody, readAnnouncedBody, readBody } from './http/body.ts'
import { type ActorCall, type Answer, type Call, commitEffect, type Route } from './http/call.ts'
import { assertSameSite, XSRF_COOKIE } from './http/csrf.ts'
import { DEVICE_COOKIE, readDevice } from './http/device.ts'
import { checkBody, groupProblems, refuseFields } from './http/fields.ts'
import { FirstTrip } from './http/firstTrip.ts'
import { hashRequest, replay } from './http/idempotency.ts'
import { readSessionToken } from './http/sessionToken.ts'
import { assertLive, createAddressOpening, Identity, Repeated } from './identify.ts'
import { findConsoleFactorRule } from './identity/factors/actFactor.ts'
import { openDatabase } from './lib/database.ts'
import { type Env, hasRateLimits } from './lib/env.ts'
import { answerError } from './lib/errors.ts'
import { runtime } from './lib/runtime.ts'

export interface AppEnv {
  Bindings: Env
  Variables: {
    requestId: string
    admitted: AdmittedRequest
    /** For the security log: the route, the bearer, and the address that a visitor entered. */
    path?: string
    identity?: Identity | null
    email?: string
  }
}

/** A request, and the first round trip that will identify its bearer. */
interface AdmittedRequest {
  /** The call at a time in epoch milliseconds. */
  readonly callAt: (nowMs: number) => Call
  readonly identity: Identity | null
  readonly trip: FirstTrip | null
  readonly nowMs: number
  /** Whether the body is an upload, which is read after the first round trip. */
  readonly isUpload: boolean
  readonly readBody: () => Promise<ReadBody>
  /** Lets deferred work begin. */
  readonly answered: () => void
}

/**
 * Mounts a route. Its three steps follow the order of refusals: `admit` (429 of an address; 415, 413 and CSRF by the headers; 401 of
 * a token that is not ours), the query's fields, and `handleCall` (404 of the thing, frozen, KYC, the body's fields, the effect). The
 * answers of the first round trip (401, 429, role, idempotent replay) come between the first two, whenever it is made: see `runInOrder`.
 */
export function mount(
  app: Hono<AppEnv>,
  { endpoint, load, run }: Route,
  timeOf: (request: Request) => number,
): void {
  const query = zValidator('query', endpoint.query ?? z.object({}), async (result, c) => {
    if (result.success) return
    const { issues } = result.error
    return runInOrder((c as Context<AppEnv>).get('admitted'), async () => refuseFields(groupProblems(issues)))
  })
  const handleCall = async (c: Context<AppEnv>): Promise<Response> => {
    const admitted = c.get('admitted')
    const { callAt, identity, trip, nowMs, isUpload, readBody } = admitted
    return runInOrder(admitted, async () => {
      // Public routes never read the actor, and all others have an identity.
      const toActorCall = (atMs: number) => ({ ...callAt(atMs), ...identity?.acting }) as ActorCall
      const thing = load ? await load(toActorCall(nowMs)) : null
      for (const rule of endpoint.requires ?? []) identity?.require(RULES[rule])
      const isRead = endpoint.method === 'GET' || endpoint.isQuery
      const factorRule = isRead ? findConsoleFactorRule(callAt(nowMs)) : null
      if (factorRule) identity?.require(factorRule)
      if (isUpload) await trip?.open()
      const { body, pictures, sealed } = checkBody(endpoint, await readBody())
      const email: unknown = Reflect.get(Object(body), 'email')
      if (identity === null && typeof email === 'string') c.set('email', email)
      const parsedQuery: unknown = (c.req.valid as (target: string) => unknown)('query')
      // Clients can send a body slowly, so the time of the effect is the end of the body.
      const acting = toActorCall(isUpload ? timeOf(c.req.raw) : nowMs)
      const reply = await run({ ...acting, body, pictures, sealed, query: parsedQuery }, thing)
      return reply instanceof Response ? reply : toResponse(reply)
    })
  }
  app.on(endpoint.method, endpoint.path, admit(endpoint, timeOf), query, handleCall)
}

/**
 * Runs the work of a request. The refusals of the first round trip, and a stored answer, win over any other refusal or answer. Work
 * that read more of the actor than its id before the first trip runs again after it; until then it could only read.
 */
async function runInOrder(
  { callAt, identity, trip, nowMs, readBody, answered }: AdmittedRequest,
  work: () => Promise<Response>,
): Promise<Response> {
  const call = callAt(nowMs)
  try {
    const [outcome] = await Promise.allSettled([work()])
    await trip?.open()
    if (identity?.hasMissed) return await work()
    if (outcome.status === 'rejected') throw outcome.reason
    return outcome.value
  } catch (error) {
    if (error instanceof Repeated)
      return replay(error.stored, await hashRequest(call.request, call.endpoint, await readBody()))
    await identity?.release()
    throw error
  } finally {
    identity?.touch(call)
    answered()
  }
}

function toResponse({ status, body, headers }: Answer<unknown>): Response {
  if (status === 204) return new Response(null, { status, ...(headers && { headers }) })
  return new Response(JSON.stringify(body), {
    status,
    headers: { 'Content-Type': 'application/json', ...headers },
  })
}

/** Reads the request and prepares its first round trip. */
function admit(endpoint: Endpoint, timeOf: (request: Request) => number): MiddlewareHandler<AppEnv> {
  return async (c, next) => {
    const { env, req } = c
    c.set('path', endpoint.path)
    const ip = getClientAddress(req.raw)
    const { limit } = endpoint
    const counting =
      limit?.per === 'address' && hasRateLimits(env)
        ? new FirstTrip(
            env.DB,
            createAddressOpening(env, limit, ip, () => timeOf(req.raw)),
          )
        : null
    let announced: ReturnType<typeof readAnnouncedBody>
    try {
      announced = readAnnouncedBody(req.raw, endpoint)
      // A search of the console only reads, and needs the bearer token, which no other site has. A page may send it before its first answer
      // has set the CSRF cookie.
      if (!isSearch(endpoint)) assertSameSite(req.raw, env, getCookie(c, XSRF_COOKIE))
    } catch (error) {
      await counting?.open()
      throw error
    }
    const session = endpoint.scope === 'public' ? null : await readSessionToken(env, req.raw)
    // The session is found before any body is read. An upload is read after the first round trip. For all other bodies the session
    // is looked up on its own, because the reads of the first round trip depend on them.
    const isUpload = session !== null && endpoint.files !== undefined
    const identify = async () => {
      if (session === null) await counting?.open()
      else if (!isUpload) await assertLive(env, session, timeOf(req.raw))
    }
    const readAll = () => readBody(req.raw, endpoint, announced, identify)
    const [early] = isUpload ? [] : await Promise.allSettled([readAll()])
    const nowMs = timeOf(req.raw)
    const device = await readDevice(env, getCookie(c, DEVICE_COOKIE))
    const identity =
      session &&
      (await Identity.of({
        env,
        request: req.raw,
        endpoint,
        session,
        fields: early?.status === 'fulfilled' ? early.value.fields : {},
        deviceHash: device?.hash ?? null,
        nowMs,
      }))
    if (identity) await counting?.open()
    const trip = identity ? new FirstTrip(env.DB, identity) : counting
    const binding = trip?.binding ?? env.DB
    const isAnswered = Promise.withResolvers<void>()
    let read: Promise<ReadBody> | undefined
    const readOnce = async () => {
      if (early?.status === 'rejected') throw early.reason
      read ??= early ? Promise.resolve(early.value) : readAll()
      return read
    }
    const frame: Omit<Call, 'commit' | 'nowMs'> = {
      env: trip ? { ...env, DB: binding } : env,
      db: openDatabase(binding),
      requestId: c.get('requestId'),
      request: req.raw,
      endpoint,
      ip,
      userAgent: (req.header('User-Agent') ?? '').slice(0, 300),
      device,
      params: req.param(),
      defer: (work) =>
        c.executionCtx.waitUntil(
          isAnswered.promise
            // The answer leaves first.
            .then(() => runtime.wait(0))
            .then(work)
            .catch((error: unknown) => answerError(error, c.get('requestId'))),
        ),
    }
    const callAt = (nowMs: number): Call => ({
      ...frame,
      nowMs,
      commit: async (effect) => {
        await trip?.open()
        // Here, because other refusals take precedence.
        const factorRule = findConsoleFactorRule({ ...frame, nowMs }, effect.isProven)
        if (factorRule) identity?.require(factorRule)
        return commitEffect(
          {
            ...frame,
            nowMs,
            claim: identity?.claim ?? null,
            fingerprint: async () => hashRequest(req.raw, endpoint, await readOnce()),
          },
          identity?.actor.id ?? 'visitor',
          effect,
        )
      },
    })
    c.set('identity', identity)
    const admitted = {
      callAt,
      identity,
      trip,
      nowMs,
      isUpload,
      readBody: readOnce,
      answered: isAnswered.resolve,
    }
    c.set('admitted', admitted)
    if (early?.status !== 'rejected') return next()
    return runInOrder(admitted, () => Promise.reject(early.reason))
  }
}

function isSearch({ isQuery, scope }: Endpoint): boolean {
  return isQuery === true && scope.startsWith('operator:') && scope.endsWith('.read')
}

function getClientAddress(request: Request): string {
  return request.headers.get('CF-Connecting-IP') ?? 'local'
}
