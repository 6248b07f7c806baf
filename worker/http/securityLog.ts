import type { RefusalCode } from '../../src/contract/errors.ts'
import { sign } from '../lib/crypto/signature.ts'
import type { Env } from '../lib/env.ts'
import type { Refusal } from '../lib/errors.ts'
import { toNetworkAddress } from '../lib/networkAddress.ts'

/** Kinds of refusals in the security log. */
export type SecurityEvent = 'sign_in_failed' | 'proof_failed' | 'access_refused' | 'limit_hit'

/** Refusals that may be an attack. Invalid fields are not among them. */
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

/** The facts that the log needs about a refused request. */
export interface RefusedRequest {
  readonly requestId: string
  readonly request: Request
  /** The route's path with its parameter names, if a route matched. */
  readonly path: string | undefined
  /** The signed-in user. */
  readonly actorId: string | undefined
  /** The e-mail address that a visitor entered. */
  readonly email: string | undefined
}

/**
 * Logs a refusal that may be an attack, as one line of JSON. A signed-in user appears by internal id; a visitor's e-mail
 * address and network appear as keyed hashes, so that lines can be grouped but not reversed without the key. Logs no submitted
 * values.
 */
export async function logRefusal(env: Env, { code }: Refusal, refused: RefusedRequest): Promise<void> {
  const { requestId, request, path, actorId, email } = refused
  const event = findSecurityEvent(code, refused)
  if (event === undefined) return
  const line = {
    level: 'security',
    event,
    code,
    requestId,
    method: request.method,
    path,
    actor: actorId,
    account: email === undefined ? undefined : await deriveAccountPseudonym(env, email),
    network: await deriveNetworkPseudonym(env, request),
  }
  console.warn(JSON.stringify(line))
}

function findSecurityEvent(code: RefusalCode, { path, actorId }: RefusedRequest): SecurityEvent | undefined {
  // Another user's item answers like a missing one, so only the log shows the attempt.
  if (code === 'not_found') return actorId !== undefined && path?.includes(':') ? 'access_refused' : undefined
  return EVENT_OF[code]
}

/** A keyed hash of an e-mail address: groups lines of one account, but is irreversible without the key. */
function deriveAccountPseudonym(env: Env, email: string): Promise<string> {
  return derivePseudonym(env, `account ${email}`)
}

/** A keyed hash of the network that a request came from. */
function deriveNetworkPseudonym(env: Env, request: Request): Promise<string> {
  return derivePseudonym(
    env,
    `network ${toNetworkAddress(request.headers.get('CF-Connecting-IP') ?? 'local')}`,
  )
}

async function derivePseudonym(env: Env, text: string): Promise<string> {
  return (await sign(env.VAULT_KEYS, 'security-log', text)).slice(0, 18)
}
