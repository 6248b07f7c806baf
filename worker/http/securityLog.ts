import type { RefusalCode } from '../../src/contract/errors.ts'
import { sign } from '../lib/crypto/signature.ts'
import type { Env } from '../lib/env.ts'
import type { Refusal } from '../lib/errors.ts'
import { networkOf } from '../lib/networkOf.ts'

/** What whoever runs the platform reads of what was refused. */
export type SecurityEvent = 'sign_in_failed' | 'proof_failed' | 'access_refused' | 'limit_hit'

/** Refusals that somebody gets who tries what they may not. What is merely filled in wrong is not among them. */
const EVENT_OF: Partial<Readonly<Record<RefusalCode, SecurityEvent>>> = {
  invalid_credentials: 'sign_in_failed',
  email_not_verified: 'sign_in_failed',
  two_factor_required: 'sign_in_failed',
  invalid_sign_in_code: 'sign_in_failed',
  invalid_sign_in_passkey: 'sign_in_failed',
  wrong_password: 'proof_failed',
  invalid_code: 'proof_failed',
  invalid_passkey: 'proof_failed',
  invalid_token: 'proof_failed',
  unauthorized: 'access_refused',
  forbidden: 'access_refused',
  two_factor_not_enabled: 'access_refused',
  csrf_rejected: 'access_refused',
  account_frozen: 'access_refused',
  account_closed: 'access_refused',
  second_operator_required: 'access_refused',
  too_many_codes: 'limit_hit',
  too_many_requests: 'limit_hit',
  daily_credit_ceiling: 'limit_hit',
  daily_payout_ceiling: 'limit_hit',
}

/** What is known of a refused request. */
export interface Refused {
  readonly requestId: string
  readonly request: Request
  /** The route's path with its parameters' names, where there is such a route. */
  readonly path: string | undefined
  /** Who was signed in. */
  readonly actorId: string | undefined
  /** Whose address a visitor gave. */
  readonly email: string | undefined
}

/**
 * Logs a refusal that may be an attack, as one line of JSON: which, of what, by whom. Who is signed in is named by the
 * internal id; a visitor's e-mail address and network by a keyed hash, by which lines are told to be about the same one,
 * and which nobody turns back without the key. Nothing that was sent is in it.
 */
export async function logRefusal(env: Env, { code }: Refusal, refused: Refused): Promise<void> {
  const { requestId, request, path, actorId, email } = refused
  const event = eventOf(code, refused)
  if (event === undefined) return
  const line = {
    level: 'security',
    event,
    code,
    requestId,
    method: request.method,
    path,
    actor: actorId,
    account: email === undefined ? undefined : await accountPseudonym(env, email),
    network: await networkPseudonym(env, request),
  }
  console.warn(JSON.stringify(line))
}

function eventOf(code: RefusalCode, { path, actorId }: Refused): SecurityEvent | undefined {
  // Somebody else's thing is answered as one that does not exist, so that only the log tells of the try.
  if (code === 'not_found') return actorId !== undefined && path?.includes(':') ? 'access_refused' : undefined
  return EVENT_OF[code]
}

/** A keyed hash of an e-mail address: lines about the same one are told by it, and nobody turns it back without the key. */
export function accountPseudonym(env: Env, email: string): Promise<string> {
  return pseudonym(env, `account ${email}`)
}

/** A keyed hash of the network that a request came from. */
export function networkPseudonym(env: Env, request: Request): Promise<string> {
  return pseudonym(env, `network ${networkOf(request.headers.get('CF-Connecting-IP') ?? 'local')}`)
}

async function pseudonym(env: Env, text: string): Promise<string> {
  return (await sign(env.VAULT_KEYS, 'security-log', text)).slice(0, 18)
}
