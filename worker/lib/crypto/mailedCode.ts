import type { Env } from '../env.ts'
import { isSignatureOf, sign } from './signature.ts'

const LABEL = 'mailed-code'

/**
 * The hash under which a mailed code of six digits is stored: HMAC-SHA-256 under a key of the server's, with its key's
 * version. A plain hash of so few digits is searched in no time by whoever has the database alone.
 * @param id the row's own: equal codes have unlike hashes, and a hash moved to another row fits no code
 */
export function hashMailedCode(env: Env, id: string, code: string): Promise<string> {
  return sign(env.VAULT_KEYS, LABEL, `${id}:${code}`)
}

/** Whether this is the code behind the hash, under any key that is still in `VAULT_KEYS`. Compared in constant time. */
export function isMailedCode(env: Env, id: string, code: string, hash: string): Promise<boolean> {
  return isSignatureOf(env.VAULT_KEYS, LABEL, `${id}:${code}`, hash)
}
