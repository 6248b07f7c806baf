import { sign, verifySignature } from '../lib/crypto/signature.ts'
import { generateToken, sha256Hex, timingSafeEqual } from '../lib/crypto/tokens.ts'
import { getNewestVersion } from '../lib/crypto/vault.ts'
import type { Env } from '../lib/env.ts'
import { refuse } from '../lib/errors.ts'

export const XSRF_COOKIE = 'XSRF-TOKEN'
export const XSRF_HEADER = 'X-XSRF-TOKEN'

/**
 * Refuses a cross-site request (CSRF) with an unsafe method: by `Sec-Fetch-Site`, by `Origin`, and by the double-submit cookie
 * if it is present. A client without cookies and `Origin` passes.
 */
export function assertSameSite(request: Request, env: Env, cookies: ReadonlyMap<string, string>): void {
  if (request.method === 'GET' || request.method === 'HEAD' || request.method === 'OPTIONS') return
  const origin = request.headers.get('Origin')
  if (origin !== null && !listAllowedOrigins(request, env).has(origin)) refuse('csrf_rejected')
  // Cross-site requests are allowed only from origins that the operator named.
  const isInvited = origin !== null && listFurtherOrigins(env).includes(origin)
  if (request.headers.get('Sec-Fetch-Site') === 'cross-site' && !isInvited) refuse('csrf_rejected')
  const cookie = cookies.get(XSRF_COOKIE)
  if (cookie !== undefined && !timingSafeEqual(cookie, request.headers.get(XSRF_HEADER) ?? ''))
    refuse('csrf_rejected')
}

/** The site's own origin and the ones that the operator named. */
export function listAllowedOrigins(request: Request, env: Env): Set<string> {
  return new Set([new URL(request.url).origin, env.PUBLIC_ORIGIN, ...listFurtherOrigins(env)])
}

/** The origins that the operator named besides the site's own. */
export function listFurtherOrigins(env: Env): string[] {
  return (env.ALLOWED_ORIGINS ?? '').split(/[\s,]+/).filter((origin) => origin !== '')
}

/** The `Set-Cookie` value of a fresh CSRF token that our own pages can read. */
export function createXsrfCookie(secure: boolean): string {
  return `${XSRF_COOKIE}=${generateToken(24)}; Path=/; SameSite=Lax${secure ? '; Secure' : ''}`
}

/** The cookies of a request by name; the first of equal names wins. */
export function parseCookies(request: Request): ReadonlyMap<string, string> {
  const cookies = new Map<string, string>()
  for (const pair of (request.headers.get('Cookie') ?? '').split(';')) {
    const at = pair.indexOf('=')
    if (at < 1) continue
    const name = pair.slice(0, at).trim()
    if (!cookies.has(name)) cookies.set(name, pair.slice(at + 1).trim())
  }
  return cookies
}

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
  const value = `${id}.${await sign(env.VAULT_KEYS, LABEL, id)}`
  return `${DEVICE_COOKIE}=${value}; Path=/; Max-Age=${YEAR_SECONDS}; HttpOnly; SameSite=Lax; Secure`
}
