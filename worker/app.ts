import { type Context, Hono, type MiddlewareHandler } from 'hono'
import { TrieRouter } from 'hono/router/trie-router'
import { searchBy } from '../src/contract/endpoint.ts'
import { listMissingConfiguration } from './configuration.ts'
import type { Route } from './http/call.ts'
import {
  createXsrfCookie,
  listAllowedOrigins,
  parseCookies,
  XSRF_COOKIE,
  XSRF_HEADER,
} from './http/cookies.ts'
import { logRefusal, type RefusedRequest } from './http/securityLog.ts'
import { newId } from './lib/crypto/tokens.ts'
import { type Env, hasRateLimits, isDevelopment } from './lib/env.ts'
import { answerError, findRefusal, Refusal } from './lib/errors.ts'
import { toNetworkAddress } from './lib/networkOf.ts'
import { runtime } from './lib/runtime.ts'
import { securityHeaders } from './lib/securityHeaders.ts'
import { type AppEnv, hasSecureCookies, mount } from './pipeline.ts'
import { countFailedSignIn } from './platform/health/countFailedSignIn.ts'

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
  app.use('*', frame)
  const api = app.basePath('/api/v1')
  const mounted = routes.flatMap((route) =>
    route.endpoint.findsPeopleBy ? [route, createSearchRoute(route)] : [route],
  )
  for (const route of mounted) mount(api, route, timeOf)
  for (const [path, methods] of groupMethodsByPath(mounted)) {
    api.all(path, (c) =>
      c.req.method === 'OPTIONS'
        ? new Response(null, { status: 204, headers: { Allow: methods } })
        : answerError(new Refusal('method_not_allowed', { allow: methods }), c.get('requestId')),
    )
  }
  return app
}

/** The route of a list that is searched by POST: see `searchBy`. */
function createSearchRoute({ endpoint, load, run }: Route): Route {
  return {
    endpoint: searchBy(endpoint),
    load,
    run: (call, thing) => run({ ...call, query: { ...Object(call.query), ...Object(call.body) } }, thing),
  }
}

function toRefusedRequest(c: Context<AppEnv>): RefusedRequest {
  return {
    requestId: c.get('requestId'),
    request: c.req.raw,
    path: c.get('path'),
    actorId: c.get('identity')?.knownId,
    email: c.get('email'),
  }
}

function groupMethodsByPath(routes: readonly Route[]): Map<string, string> {
  const paths = new Map<string, string>()
  for (const { endpoint } of routes) {
    const others = paths.get(endpoint.path)
    paths.set(endpoint.path, others ? `${others}, ${endpoint.method}` : endpoint.method)
  }
  return paths
}

/** Wraps every answer: request id, flood limit, security headers, CSRF cookie and CORS. */
const frame: MiddlewareHandler<AppEnv> = async (c, next) => {
  const requestId = newId()
  c.set('requestId', requestId)
  const missing = listMissingConfiguration(c.env)
  if (missing.length > 0) {
    c.res = refuseUnconfigured(missing, requestId)
  } else if (isForeignHost(c.env, c.req.raw)) {
    c.res = answerError(new Refusal('wrong_host'), requestId)
  } else if (await isFlood(c.env, c.req.raw)) {
    const refusal = new Refusal('too_many_requests', { retryAfterSeconds: 60 })
    await logRefusal(c.env, refusal, toRefusedRequest(c))
    c.res = answerError(refusal, requestId)
  } else {
    const refusal = checkUrlLength(new URL(c.req.url))
    if (refusal === null) await next()
    else c.res = answerError(refusal, requestId)
  }
  const headers = new Headers(c.res.headers)
  headers.set('X-Request-Id', requestId)
  for (const [name, value] of Object.entries(securityHeaders)) headers.set(name, value)
  if (!headers.has('Cache-Control')) headers.set('Cache-Control', 'no-store')
  if (!headers.has('Content-Security-Policy'))
    headers.set('Content-Security-Policy', "default-src 'none'; frame-ancestors 'none'")
  // A publicly cached answer sets no cookie: caches would share it, or refuse to store the answer.
  if (!headers.get('Cache-Control')?.includes('public')) {
    if (!parseCookies(c.req.raw).has(XSRF_COOKIE))
      headers.append('Set-Cookie', createXsrfCookie(hasSecureCookies(c.env)))
  }
  addCors(c.req.raw, c.env, headers)
  const { body, status } = c.res
  // Cleared first, because Hono would copy the old answer's cookies into the new one.
  c.res = undefined
  c.res = new Response(body, { status, headers })
}

// Fail closed: encryption needs keys, and links in mails need an origin.
function refuseUnconfigured(names: readonly string[], requestId: string): Response {
  const msg = `This deployment is incomplete: ${names.join(', ')} is missing or malformed.`
  console.error(JSON.stringify({ level: 'error', requestId, error: msg }))
  return answerError(new Refusal('unavailable', { msg }), requestId)
}

// Another host, such as the one at workers.dev, is outside the zone's access rules, firewall and limits.
function isForeignHost(env: Env, request: Request): boolean {
  return !isDevelopment(env) && new URL(request.url).host !== new URL(env.PUBLIC_ORIGIN).host
}

/** No path of ours has a longer parameter, and no query is longer or has more fields. */
const MAX_PARAMETER = 200
const MAX_QUERY = 8192
const MAX_QUERY_FIELDS = 100

function checkUrlLength({ pathname, search }: URL): Refusal | null {
  if (pathname.split('/', 16).some((part) => part.length > MAX_PARAMETER) || pathname.length > 1024)
    return new Refusal('not_found')
  const isTooLong =
    search.length > MAX_QUERY || search.split('&', MAX_QUERY_FIELDS + 1).length > MAX_QUERY_FIELDS
  return isTooLong ? new Refusal('bad_request', { msg: 'The query is too long.' }) : null
}

// A generous limit per network, kept by the platform. The database counts the exact ones.
async function isFlood(env: Env, request: Request): Promise<boolean> {
  if (!env.FLOOD || !hasRateLimits(env)) return false
  const { success } = await env.FLOOD.limit({
    key: toNetworkAddress(request.headers.get('CF-Connecting-IP') ?? 'local'),
  })
  return !success
}

// Only for origins that the operator named; the site's own needs no CORS.
function addCors(request: Request, env: Env, headers: Headers): void {
  const origin = request.headers.get('Origin')
  if (
    origin === null ||
    origin === new URL(request.url).origin ||
    !listAllowedOrigins(request, env).has(origin)
  )
    return
  headers.set('Access-Control-Allow-Origin', origin)
  headers.set('Access-Control-Allow-Credentials', 'true')
  headers.set('Access-Control-Allow-Methods', 'GET, POST, PATCH, DELETE')
  headers.set('Access-Control-Allow-Headers', `Authorization, Content-Type, Idempotency-Key, ${XSRF_HEADER}`)
  headers.set(
    'Access-Control-Expose-Headers',
    'Link, Retry-After, X-Request-Id, Idempotency-Replayed, X-Market-Source, X-Market-At',
  )
  headers.append('Vary', 'Origin')
}
