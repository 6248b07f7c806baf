import type { Env } from '../env.ts'
import { decodeBase64url, encodeBase64url } from './tokens.ts'
import { getNewestVersion, parseKeys } from './vault.ts'

/**
 * Signs a text for one purpose: HMAC-SHA-256 under a key that HKDF (RFC 5869) derives for `label` from the newest key of
 * `VAULT_KEYS`, so each purpose has its own key. Returns `<key version>.<43 characters>`, always the same for the same text.
 */
export async function sign(vaultKeys: string, label: string, text: string): Promise<string> {
  return signWith(vaultKeys, getNewestVersion(vaultKeys), label, text)
}

async function signWith(vaultKeys: string, version: number, label: string, text: string): Promise<string> {
  const key = await findKey(vaultKeys, version, label)
  if (key === null) throw new Error('unreachable: the version is one of the keys')
  const mac = await crypto.subtle.sign('HMAC', key, encode(text))
  return `${version}.${encodeBase64url(new Uint8Array(mac))}`
}

/**
 * A keyed hash that is the same for equal texts for ever: it is made with the oldest key, which stays in `VAULT_KEYS`.
 * Finds equal texts, such as the numbers of documents, that nobody may read.
 */
export async function hashForEquality(vaultKeys: string, label: string, text: string): Promise<string> {
  const oldest = Math.min(...parseKeys(vaultKeys).keys())
  return signWith(vaultKeys, oldest, label, text)
}

/** Whether `sign` returned this for the label and the text, under any key that is still in `VAULT_KEYS`. */
export async function verifySignature(
  vaultKeys: string,
  label: string,
  text: string,
  signature: string,
): Promise<boolean> {
  const [, version, mac = ''] = /^([1-9]\d{0,5})\.([A-Za-z0-9_-]{43})$/.exec(signature) ?? []
  const key = await findKey(vaultKeys, Number(version), label)
  if (key === null) return false
  return crypto.subtle.verify('HMAC', key, decodeBase64url(mac), encode(text))
}

/** Derived keys, by label, version and the text of `VAULT_KEYS`. They follow from these alone, and each request needs one. */
const derived = new Map<string, CryptoKey>()

/** The key of this version for one purpose; null if `VAULT_KEYS` has no such version. */
async function findKey(vaultKeys: string, version: number, label: string): Promise<CryptoKey | null> {
  const name = `${label} ${version} ${vaultKeys}`
  const known = derived.get(name)
  if (known !== undefined) return known
  const secret = parseKeys(vaultKeys).get(version)
  if (secret === undefined) return null
  const key = await deriveKey(secret, label)
  derived.set(name, key)
  return key
}

async function deriveKey(secret: Uint8Array<ArrayBuffer>, label: string): Promise<CryptoKey> {
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
 * The stored hash of a mailed six-digit code: HMAC-SHA-256 under a server key, with its version. A thief of the database
 * could search a plain hash of six digits at once.
 * @param id the row's id: equal codes get different hashes, and a hash fits no other row
 */
export function hashMailedCode(env: Env, id: string, code: string): Promise<string> {
  return sign(env.VAULT_KEYS, LABEL, `${id}:${code}`)
}

/** Whether the code matches the hash, under any key still in `VAULT_KEYS`. Compared in constant time. */
export function isMailedCode(env: Env, id: string, code: string, hash: string): Promise<boolean> {
  return verifySignature(env.VAULT_KEYS, LABEL, `${id}:${code}`, hash)
}
