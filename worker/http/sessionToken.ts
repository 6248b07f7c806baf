import { sign, verifySignature } from '../lib/crypto/signature.ts'
import { sha256Hex } from '../lib/crypto/tokens.ts'
import type { Env } from '../lib/env.ts'
import { refuse } from '../lib/errors.ts'
import type { SessionKey } from './actor.ts'

const LABEL = 'session'
const TOKEN =
  /^Bearer (([A-Za-z0-9_-]{8,64})\.([A-Za-z0-9_-]{20,128})\.([A-Za-z0-9_-]{1,64}))\.([1-9]\d{0,5}\.[A-Za-z0-9_-]{43})$/i

/**
 * The bearer token of a session, `<id>.<secret>.<user>.<key version>.<signature>`. The signature shows that we issued it, before
 * anything is read from the request's body or from the database. It does not show that the session is still live.
 */
export async function newSessionToken(
  { VAULT_KEYS }: Pick<Env, 'VAULT_KEYS'>,
  { id, secret, userId }: { readonly id: string; readonly secret: string; readonly userId: string },
): Promise<string> {
  const signed = `${id}.${secret}.${userId}`
  return `${signed}.${await sign(VAULT_KEYS, LABEL, signed)}`
}

/** The session that the bearer token names. Refuses 401 for a token that we did not issue. */
export async function readSessionToken(env: Env, request: Request): Promise<SessionKey> {
  const [, signed = '', id = '', secret = '', userId = '', signature = ''] =
    TOKEN.exec(request.headers.get('Authorization') ?? '') ?? []
  if (id === '' || !(await verifySignature(env.VAULT_KEYS, LABEL, signed, signature))) refuse('unauthorized')
  return { id, secretHash: await sha256Hex(secret), userId }
}
