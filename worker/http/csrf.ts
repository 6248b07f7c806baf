import { randomToken, timingSafeEqual } from '../lib/crypto/tokens.ts'
import type { Env } from '../lib/env.ts'
import { refuse } from '../lib/errors.ts'

export const XSRF_COOKIE = 'XSRF-TOKEN'
export const XSRF_HEADER = 'X-XSRF-TOKEN'

/**
 * Refuses an unsafe request that another site made a browser send: by `Sec-Fetch-Site`, by `Origin`, and by the
 * double-submit cookie wherever the request carries it. A client with neither cookies nor `Origin` needs none of it.
 */
export function assertSameSite(request: Request, env: Env, cookies: ReadonlyMap<string, string>): void {
  if (request.method === 'GET' || request.method === 'HEAD' || request.method === 'OPTIONS') return
  const origin = request.headers.get('Origin')
  if (origin !== null && !allowedOrigins(request, env).has(origin)) refuse('csrf_rejected')
  // Only a page of an origin that the operator named comes from another site rightly.
  const isInvited = origin !== null && furtherOrigins(env).includes(origin)
  if (request.headers.get('Sec-Fetch-Site') === 'cross-site' && !isInvited) refuse('csrf_rejected')
  const cookie = cookies.get(XSRF_COOKIE)
  if (cookie !== undefined && !timingSafeEqual(cookie, request.headers.get(XSRF_HEADER) ?? ''))
    refuse('csrf_rejected')
}

/** The site's own origin and those that the operator named. */
export function allowedOrigins(request: Request, env: Env): Set<string> {
  return new Set([new URL(request.url).origin, env.PUBLIC_ORIGIN, ...furtherOrigins(env)])
}

/** The origins that the operator named beside the site's own. */
export function furtherOrigins(env: Env): string[] {
  return (env.ALLOWED_ORIGINS ?? '').split(/[\s,]+/).filter((origin) => origin !== '')
}

/** The `Set-Cookie` value of a fresh token that our own pages can read. */
export function freshXsrfCookie(secure: boolean): string {
  return `${XSRF_COOKIE}=${randomToken(24)}; Path=/; SameSite=Lax${secure ? '; Secure' : ''}`
}

/** The cookies of a request by name; the first of equal names counts. */
export function cookiesOf(request: Request): ReadonlyMap<string, string> {
  const cookies = new Map<string, string>()
  for (const pair of (request.headers.get('Cookie') ?? '').split(';')) {
    const at = pair.indexOf('=')
    if (at < 1) continue
    const name = pair.slice(0, at).trim()
    if (!cookies.has(name)) cookies.set(name, pair.slice(at + 1).trim())
  }
  return cookies
}
