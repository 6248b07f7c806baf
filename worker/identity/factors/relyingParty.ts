import type { Call } from '../../http/call.ts'
import { furtherOrigins } from '../../http/csrf.ts'
import { type Env, isDevelopment } from '../../lib/env.ts'

/** The name under which browsers keep passkeys of this site (the RP ID of WebAuthn): they answer no other host. */
export function relyingPartyId(env: Env): string {
  return new URL(env.PUBLIC_ORIGIN).hostname
}

/**
 * The origins whose pages may have asked a passkey: the site's own and those that the operator named; in development also
 * the one that was called, whatever its port.
 */
export function passkeyOrigins({ env, request }: Pick<Call, 'env' | 'request'>): string[] {
  return [
    env.PUBLIC_ORIGIN,
    ...furtherOrigins(env),
    ...(isDevelopment(env) ? [new URL(request.url).origin] : []),
  ]
}
