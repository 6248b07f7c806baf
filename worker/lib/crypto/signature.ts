import type { Env } from '../env.ts'
import { base64url, fromBase64url } from './tokens.ts'
import { parseKeys } from './vault.ts'

/**
 * Signs a text for one purpose: HMAC-SHA-256 under a key that HKDF (RFC 5869) derives for `label` from the newest key of
 * `VAULT_KEYS`, so each purpose has its own key. Returns `<key version>.<43 characters>`, always the same for the same text.
 */
export async function sign(vaultKeys: string, label: string, text: string): Promise<string> {
  const keys = parseKeys(vaultKeys)
  const newest = Math.max(...keys.keys())
  const mac = await crypto.subtle.sign('HMAC', await keyOf(keys.get(newest), label), encode(text))
  return `${newest}.${base64url(new Uint8Array(mac))}`
}

/** Whether `sign` returned this for the label and the text, under any key that is still in `VAULT_KEYS`. */
export async function isSignatureOf(
  vaultKeys: string,
  label: string,
  text: string,
  signature: string,
): Promise<boolean> {
  const [, version, mac = ''] = /^([1-9]\d{0,5})\.([A-Za-z0-9_-]{43})$/.exec(signature) ?? []
  const key = parseKeys(vaultKeys).get(Number(version))
  if (key === undefined) return false
  return crypto.subtle.verify('HMAC', await keyOf(key, label), fromBase64url(mac), encode(text))
}

async function keyOf(secret: Uint8Array<ArrayBuffer> | undefined, label: string): Promise<CryptoKey> {
  if (secret === undefined) throw new Error('unreachable: the newest key is one of the keys')
  const material = await crypto.subtle.importKey('raw', secret, 'HKDF', false, ['deriveKey'])
  return crypto.subtle.deriveKey(
    { name: 'HKDF', hash: 'SHA-256', salt: new Uint8Array(), info: encode(`signature:${label}`) },
    material,
    { name: 'HMAC', hash: 'SHA-256', length: 256 },
    false,
    ['sign', 'verify'],
  )
}

function encode(text: string): Uint8Array<ArrayBuffer> {
  return new TextEncoder().encode(text)
}

const LABEL = 'mailed-code'

/**
 * The stored hash of a mailed six-digit code: HMAC-SHA-256 under a server key, with its version. Somebody with the database could
 * search a plain hash of six digits at once.
 * @param id the row's id: equal codes get different hashes, and a hash fits no other row
 */
export function hashMailedCode(env: Env, id: string, code: string): Promise<string> {
  return sign(env.VAULT_KEYS, LABEL, `${id}:${code}`)
}

/** Whether the code matches the hash, under any key still in `VAULT_KEYS`. Compared in constant time. */
export function isMailedCode(env: Env, id: string, code: string, hash: string): Promise<boolean> {
  return isSignatureOf(env.VAULT_KEYS, LABEL, `${id}:${code}`, hash)
}
