import { isSignatureOf, sign } from '../lib/crypto/signature.ts'
import { randomToken, sha256Hex } from '../lib/crypto/tokens.ts'
import { parseKeys } from '../lib/crypto/vault.ts'
import type { Env } from '../lib/env.ts'

/** `__Host-`: browsers take it over HTTPS only (or on localhost), for this host alone, and no subdomain can set it. */
export const DEVICE_COOKIE = '__Host-evenkeel-device'
/** What it was called before. It is ignored, and taken away from browsers that still have it. */
export const FORMER_DEVICE_COOKIE_NAME = 'evenkeel-device'

const LABEL = 'device'
const YEAR_SECONDS = 365 * 24 * 3600

/** A device that the server named: a random id, and the hash under which the database knows it. */
export interface Device {
  readonly id: string
  readonly hash: string
  /** Whether its cookie is signed under the newest key. */
  readonly isFresh: boolean
}

/**
 * The device of a cookie's value, `<id>.<key version>.<signature>`. Null where the server did not issue it: a value that a
 * client or a page made up, or one of a key that is no longer in `VAULT_KEYS`.
 */
export async function readDevice(env: Env, value: string | undefined): Promise<Device | null> {
  const [, id = '', signature = ''] = /^([A-Za-z0-9_-]{43})\.(\d+\.[A-Za-z0-9_-]+)$/.exec(value ?? '') ?? []
  if (id === '' || !(await isSignatureOf(env.VAULT_KEYS, LABEL, id, signature))) return null
  const newest = Math.max(...parseKeys(env.VAULT_KEYS).keys())
  return { id, hash: await sha256Hex(id), isFresh: signature.startsWith(`${newest}.`) }
}

/** A device that nobody has yet. */
export async function newDevice(): Promise<Device> {
  const id = randomToken(32)
  return { id, hash: await sha256Hex(id), isFresh: false }
}

/** The `Set-Cookie` value that gives a browser its device, for a year, signed under the newest key. */
export async function deviceCookie(env: Env, { id }: Device): Promise<string> {
  const value = `${id}.${await sign(env.VAULT_KEYS, LABEL, id)}`
  return `${DEVICE_COOKIE}=${value}; Path=/; Max-Age=${YEAR_SECONDS}; HttpOnly; SameSite=Lax; Secure`
}
