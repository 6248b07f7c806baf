import type { Env } from '../lib/env.ts'

/** The site's own origin and the ones that the operator named. */
export function listAllowedOrigins(request: Request, env: Env): Set<string> {
  return new Set([new URL(request.url).origin, env.PUBLIC_ORIGIN, ...listFurtherOrigins(env)])
}

/** The origins that the operator named besides the site's own. */
export function listFurtherOrigins(env: Env): string[] {
  return (env.ALLOWED_ORIGINS ?? '').split(/[\s,]+/).filter((origin) => origin !== '')
}
