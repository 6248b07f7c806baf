import { generateCookie } from 'hono/cookie'
import { sign, verifySignature } from '../lib/crypto/signature.ts'
import { generateToken, sha256Hex } from '../lib/crypto/tokens.ts'
import { getNewestVersion } from '../lib/crypto/vault.ts'
import type { Env } from '../lib/env.ts'

/** `__Host-`: browsers accept it over HTTPS only (or on localhost), for this host alone, and no subdomain can set it. */
export const DEVICE_COOKIE = '__Host-device'

const LABEL = 'device'
const YEAR_SECONDS = 365 * 24 * 3600

/** A device that the server issued: a random id, and its hash for the database. */
export interface Device {
  readonly id: string
  readonly hash: string
  /** Whether its cookie is signed under the newest key. */
  readonly isFresh: boolean
}

/**
 * Verifies a device cookie, `<id>.<key version>.<signature>`. Null if the server did not issue it, or signed it with a key that
 * is no longer in `VAULT_KEYS`.
 */
export async function readDevice(env: Env, value: string | undefined): Promise<Device | null> {
  const [, id = '', signature = ''] = /^([A-Za-z0-9_-]{43})\.(\d+\.[A-Za-z0-9_-]+)$/.exec(value ?? '') ?? []
  if (id === '' || !(await verifySignature(env.VAULT_KEYS, LABEL, id, signature))) return null
  return {
    id,
    hash: await sha256Hex(id),
    isFresh: signature.startsWith(`${getNewestVersion(env.VAULT_KEYS)}.`),
  }
}

/** Creates a new device. */
export async function newDevice(): Promise<Device> {
  const id = generateToken(32)
  return { id, hash: await sha256Hex(id), isFresh: false }
}

/** The `Set-Cookie` value of a device, valid for a year and signed under the newest key. */
export async function createDeviceCookie(env: Env, { id }: Device): Promise<string> {
  return generateCookie(DEVICE_COOKIE, `${id}.${await sign(env.VAULT_KEYS, LABEL, id)}`, {
    secure: true,
    httpOnly: true,
    sameSite: 'Lax',
    maxAge: YEAR_SECONDS,
  })
}
