import { zValidator } from '@hono/zod-validator'
import type { Context, Hono, MiddlewareHandler } from 'hono'
import * as z from 'zod/mini'
import type { Endpoint } from '../src/contract/endpoint.ts'
import { RULES } from './http/actor.ts'
import { type ReadBody, readBody } from './http/body.ts'
import { type ActorCall, type Answer, type Call, commitEffect, type Route } from './http/call.ts'
import { assertSameSite, cookiesOf, DEVICE_COOKIE, readDevice } from './http/cookies.ts'
import { checkBody, problemsOf, refuseFields } from './http/fields.ts'
import { FirstTrip } from './http/firstTrip.ts'
import { Identity, openingOfAddress, Replayed } from './identify.ts'
import { consoleFactorRule } from './identity/factors/actFactor.ts'
import { openDatabase } from './lib/database.ts'
import { type Env, isDevelopment, limitsApply } from './lib/env.ts'
import { answerOf } from './lib/errors.ts'
import { runtime } from './lib/runtime.ts'

export interface AppEnv {
  Bindings: Env
  Variables: {
    requestId: string
    admitted: Admitted
    /** For the security log: the route, the bearer, and the address that a visitor entered. */
    path?: string
    identity?: Identity | null
    email?: string
  }
}

/** A request that was read, and the first round trip that will identify its bearer. */
interface Admitted {
  readonly call: Call
  readonly identity: Identity | null
  readonly trip: FirstTrip | null
  readonly read: ReadBody
  /** Lets deferred work begin. */
  readonly answered: () => void
}

/**
 * Mounts a route. Its three steps follow the contract's order of refusals: `admit` (429 of an address, 413, 415, 400, CSRF), the
 * query's fields, and `perform` (404 of the thing, frozen, KYC, the body's fields, the effect). What the first round trip refuses
 * (401, 429, role, idempotent replay) comes between the first two, whenever it is made: see `inOrder`.
 */
export function mount(
  app: Hono<AppEnv>,
  { endpoint, load, run }: Route,
  timeOf: (request: Request) => number,
): void {
  const query = zValidator('query', endpoint.query ?? z.object({}), async (result, c) => {
    if (result.success) return
    const { issues } = result.error
    return inOrder((c as Context<AppEnv>).get('admitted'), async () => refuseFields(problemsOf(issues)))
  })
  const perform = async (c: Context<AppEnv>): Promise<Response> => {
    const admitted = c.get('admitted')
    const { call, identity, read } = admitted
    return inOrder(admitted, async () => {
      // Public routes never read the actor, and all others have an identity.
      const acting = { ...call, ...identity?.acting } as ActorCall
      const thing = load ? await load(acting) : null
      for (const rule of endpoint.requires ?? []) identity?.require(RULES[rule])
      const factorRule = endpoint.method === 'GET' ? consoleFactorRule(call) : null
      if (factorRule) identity?.require(factorRule)
      const { body, pictures, sealed } = checkBody(endpoint, read)
      const email: unknown = Reflect.get(Object(body), 'email')
      if (identity === null && typeof email === 'string') c.set('email', email)
      const parsedQuery: unknown = (c.req.valid as (target: string) => unknown)('query')
      const reply = await run({ ...acting, body, pictures, sealed, query: parsedQuery }, thing)
      return reply instanceof Response ? reply : responseOf(reply)
    })
  }
  app.on(endpoint.method, endpoint.path, admit(endpoint, timeOf), query, perform)
}

/**
 * Runs the work of a request. The refusals of the first round trip, and a stored answer, win over any other refusal or answer. Work
 * that read more of the actor than its id before the first trip runs again after it; until then it could only read.
 */
async function inOrder(
  { call, identity, trip, answered }: Admitted,
  work: () => Promise<Response>,
): Promise<Response> {
  try {
    if (identity && !identity.isClaimed) await trip?.open()
    const [outcome] = await Promise.allSettled([work()])
    await trip?.open()
    if (identity?.hasMissed) return await work()
    if (outcome.status === 'rejected') throw outcome.reason
    return outcome.value
  } catch (error) {
    if (error instanceof Replayed) return error.answer
    await identity?.release()
    throw error
  } finally {
    identity?.touch(call)
    answered()
  }
}

function responseOf({ status, body, headers }: Answer<unknown>): Response {
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
    const ip = addressOf(req.raw)
    const { limit } = endpoint
    const counting =
      limit?.per === 'address' && limitsApply(env)
        ? new FirstTrip(
            env.DB,
            openingOfAddress(env, limit, ip, () => timeOf(req.raw)),
          )
        : null
    let read: ReadBody
    const cookies = cookiesOf(req.raw)
    try {
      read = await readBody(req.raw, endpoint)
      assertSameSite(req.raw, env, cookies)
    } catch (error) {
      await counting?.open()
      throw error
    }
    // Clients can send a body slowly, so the request's time is the end of the body.
    const nowMs = timeOf(req.raw)
    const device = await readDevice(env, cookies.get(DEVICE_COOKIE))
    const identity =
      endpoint.scope === 'public'
        ? null
        : await Identity.of({
            env,
            request: req.raw,
            endpoint,
            read,
            deviceHash: device?.hash ?? null,
            nowMs,
          })
    if (identity) await counting?.open()
    const trip = identity ? new FirstTrip(env.DB, identity) : counting
    const binding = trip?.binding ?? env.DB
    const isAnswered = Promise.withResolvers<void>()
    const frame: Omit<Call, 'commit'> = {
      env: trip ? { ...env, DB: binding } : env,
      db: openDatabase(binding),
      nowMs,
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
            .catch((error: unknown) => answerOf(error, c.get('requestId'))),
        ),
    }
    const call: Call = {
      ...frame,
      commit: async (effect) => {
        await trip?.open()
        // Here, because other refusals take precedence.
        const factorRule = consoleFactorRule(frame, effect.isProven)
        if (factorRule) identity?.require(factorRule)
        return commitEffect(
          { ...frame, claim: identity?.claim ?? null },
          identity?.actor.id ?? 'visitor',
          effect,
        )
      },
    }
    c.set('identity', identity)
    c.set('admitted', { call, identity, trip, read, answered: isAnswered.resolve })
    await next()
    return
  }
}

function addressOf(request: Request): string {
  return request.headers.get('CF-Connecting-IP') ?? 'local'
}

/** Whether cookies are `Secure`: everywhere but in local development. */
export function secureCookies(env: Env): boolean {
  return !isDevelopment(env)
}
