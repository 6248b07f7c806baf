import type { MiddlewareHandler } from 'hono'
import { cors } from 'hono/cors'
import { matchedRoutes } from 'hono/route'
import type { Env } from '../lib/env.ts'
import { XSRF_HEADER } from './csrf.ts'
import { listAllowedOrigins } from './origins.ts'

/**
 * CORS for the origins that the operator named; the site's own needs none. A preflight answers with the methods of its path, which
 * `methodsByPath` lists by the path that the router knows.
 */
export function shareWithAllowedOrigins(
  methodsByPath: ReadonlyMap<string, readonly string[]>,
): MiddlewareHandler<{ Bindings: Env }> {
  const share = cors({
    origin: (origin) => origin,
    credentials: true,
    allowMethods: (_, c) => [
      ...new Set(matchedRoutes(c).flatMap(({ path }) => methodsByPath.get(path) ?? [])),
    ],
    allowHeaders: ['Authorization', 'Content-Type', 'Idempotency-Key', 'If-None-Match', XSRF_HEADER],
    exposeHeaders: [
      'Age',
      'Content-Disposition',
      'Date',
      'ETag',
      'Idempotency-Replayed',
      'Link',
      'Retry-After',
      'X-Market-At',
      'X-Market-Source',
      'X-Request-Id',
    ],
  })
  return (c, next) => {
    const origin = c.req.header('Origin')
    const isShared =
      origin !== undefined &&
      origin !== new URL(c.req.url).origin &&
      listAllowedOrigins(c.req.raw, c.env).has(origin)
    return isShared ? share(c, next) : next()
  }
}
