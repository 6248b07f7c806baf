import { timingSafeEqual } from '../lib/crypto/tokens.ts'
import type { Env } from '../lib/env.ts'
import { refuse } from '../lib/errors.ts'
import { listAllowedOrigins, listFurtherOrigins } from './origins.ts'

export const XSRF_COOKIE = 'XSRF-TOKEN'
export const XSRF_HEADER = 'X-XSRF-TOKEN'

/**
 * Refuses a cross-site request (CSRF) with an unsafe method: by `Sec-Fetch-Site`, by `Origin`, and by the double-submit cookie
 * if it is present. A client without cookies and `Origin` passes.
 */
export function assertSameSite(request: Request, env: Env, cookie: string | undefined): void {
  if (request.method === 'GET' || request.method === 'HEAD' || request.method === 'OPTIONS') return
  const origin = request.headers.get('Origin')
  if (origin !== null && !listAllowedOrigins(request, env).has(origin)) refuse('csrf_rejected')
  // Cross-site requests are allowed only from origins that the operator named.
  const isInvited = origin !== null && listFurtherOrigins(env).includes(origin)
  if (request.headers.get('Sec-Fetch-Site') === 'cross-site' && !isInvited) refuse('csrf_rejected')
  if (cookie !== undefined && !timingSafeEqual(cookie, request.headers.get(XSRF_HEADER) ?? ''))
    refuse('csrf_rejected')
}
