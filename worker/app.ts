import { type Context, Hono, type MiddlewareHandler } from 'hono'
import { getCookie, setCookie } from 'hono/cookie'
import { TrieRouter } from 'hono/router/trie-router'
import { searchBy } from '../src/contract/endpoint.ts'
import { listMissingConfiguration } from './configuration.ts'
import type { Route } from './http/call.ts'
import { shareWithAllowedOrigins } from './http/cors.ts'
import { XSRF_COOKIE } from './http/csrf.ts'
import { logRefusal, type RefusedRequest } from './http/securityLog.ts'
import { generateToken, newId } from './lib/crypto/tokens.ts'
import { type Env, hasRateLimits, isDevelopment } from './lib/env.ts'
import { answerError, findRefusal, Refusal, refuse } from './lib/errors.ts'
import { toNetworkAddress } from './lib/networkAddress.ts'
import { runtime } from './lib/runtime.ts'
import { addSecurityHeaders } from './lib/securityHeaders.ts'
import { type AppEnv, mount } from './pipeline.ts'
import { countFailedSignIn } from './platform/health/countFailedSignIn.ts'

const BASE = '/api/v1'

/**
 * Mounts every route below `/api/v1`; other paths and methods answer 404 and 405 in the contract's shape. `toDecisionTime` gives a
 * request's time in epoch milliseconds.
 */
export function createApp(
  routes: readonly Route[],
  timeOf: (request: Request) => number = () => runtime.now(),
): Hono<AppEnv> {
  // Hono would end up with this router too: it first tries a faster one, which refuses some of our paths.
  const app = new Hono<AppEnv>({ router: new TrieRouter() })
  app.onError(async (error, c) => {
    const refusal = findRefusal(error)
    if (refusal !== null) {
      await logRefusal(c.env, refusal, toRefusedRequest(c))
      c.executionCtx.waitUntil(countFailedSignIn(c.env, refusal.code, toRefusedRequest(c), runtime.now()))
    }
    return answerError(error, c.get('requestId'))
  })
  app.notFound((c) => answerError(new Refusal('not_found'), c.get('requestId')))
  const mounted = routes.flatMap((route) =>
    route.endpoint.findsPeopleBy ? [route, createSearchRoute(route)] : [route],
  )
  const methodsByPath = groupMethodsByPath(mounted)
  app.use(completeAnswer, addSecurityHeaders, shareWithAllowedOrigins(methodsByPath), guard)
  const api = app.basePath(BASE)
  for (const route of mounted) mount(api, route, timeOf)
  for (const [path, methods] of methodsByPath) {
    const allow = methods.join(', ')
    app.all(path, (c) =>
      c.req.method === 'OPTIONS'
        ? new Response(null, { status: 204, headers: { Allow: allow } })
        : answerError(new Refusal('method_not_allowed', { allow }), c.get('requestId')),
    )
  }
  return app
}

/** The route of a list that is searched by POST: see `searchBy`. */
function createSearchRoute({ run, ...route }: Route): Route {
  return {
    ...route,
    endpoint: searchBy(route.endpoint),
    run: (call, thing) => run({ ...call, query: { ...Object(call.query), ...Object(call.body) } }, thing),
  }
}

function toRefusedRequest(c: Context<AppEnv>): RefusedRequest {
  return {
    requestId: c.get('requestId'),
    request: c.req.raw,
    path: c.get('path'),
    actorId: c.get('actorId'),
    email: c.get('email'),
  }
}

function groupMethodsByPath(routes: readonly Route[]): Map<string, string[]> {
  const paths = new Map<string, string[]>()
  for (const { endpoint } of routes) {
    const path = BASE + endpoint.path
    paths.set(path, [...(paths.get(path) ?? []), endpoint.method])
  }
  return paths
}

/** Completes every answer: request id, caching and CSRF cookie. */
const completeAnswer: MiddlewareHandler<AppEnv> = async (c, next) => {
  const requestId = newId()
  c.set('requestId', requestId)
  await next()
  c.header('X-Request-Id', requestId)
  const caching = c.res.headers.get('Cache-Control') ?? 'no-store'
  c.header('Cache-Control', caching)
  // A publicly cached answer sets no cookie: caches would share it, or refuse to store the answer.
  if (!caching.includes('public') && getCookie(c, XSRF_COOKIE) === undefined)
    setCookie(c, XSRF_COOKIE, generateToken(24), { sameSite: 'Lax', secure: !isDevelopment(c.env) })
}

/** Refuses a request before any route and any work of the database. */
const guard: MiddlewareHandler<AppEnv> = async (c, next) => {
  assertConfigured(c.env, c.get('requestId'))
  if (isForeignHost(c.env, c.req.raw)) refuse('wrong_host')
  if (await isFlood(c.env, c.req.raw)) refuse('too_many_requests', { retryAfterSeconds: 60 })
  assertShortUrl(new URL(c.req.url))
  await next()
}

// Fail closed: encryption needs keys, and links in mails need an origin.
function assertConfigured(env: Env, requestId: string): void {
  const names = listMissingConfiguration(env)
  if (names.length === 0) return
  const msg = `This deployment is incomplete: ${names.join(', ')} is missing or malformed.`
  console.error(JSON.stringify({ level: 'error', requestId, error: msg }))
  refuse('unavailable', { msg })
}

// Another host, such as the one at workers.dev, is outside the zone's access rules, firewall and limits.
function isForeignHost(env: Env, request: Request): boolean {
  return !isDevelopment(env) && new URL(request.url).host !== new URL(env.PUBLIC_ORIGIN).host
}

/** No path of ours has a longer parameter, and no query is longer or has more fields. */
const MAX_PARAMETER = 200
const MAX_QUERY = 8192
const MAX_QUERY_FIELDS = 100

function assertShortUrl({ pathname, search }: URL): void {
  if (pathname.split('/', 16).some((part) => part.length > MAX_PARAMETER) || pathname.length > 1024)
    refuse('not_found')
  if (search.length > MAX_QUERY || search.split('&', MAX_QUERY_FIELDS + 1).length > MAX_QUERY_FIELDS)
    refuse('bad_request', { msg: 'The query is too long.' })
}

// A generous limit per network, kept by the platform. The database counts the exact ones.
async function isFlood(env: Env, request: Request): Promise<boolean> {
  if (!env.FLOOD || !hasRateLimits(env)) return false
  const { success } = await env.FLOOD.limit({
    key: toNetworkAddress(request.headers.get('CF-Connecting-IP') ?? 'local'),
  })
  return !success
}
