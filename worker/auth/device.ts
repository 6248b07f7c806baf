import type { Call } from '../lib/call.ts'
import { randomToken, sha256Hex } from '../lib/crypto/tokens.ts'
import type { Statement } from '../lib/database.ts'
import { DEVICE_COOKIE, secureCookies } from '../lib/pipeline.ts'
import { devices } from './tables.ts'

const YEAR_SECONDS = 365 * 24 * 3600

/** The browser behind a sign-in: its hash, and the cookie to give it where it carries none. */
export async function deviceOf(call: Call): Promise<{ hash: string; cookie: string | null }> {
  if (call.deviceHash !== null) return { hash: call.deviceHash, cookie: null }
  const device = randomToken(32)
  const secure = secureCookies(call.env) ? '; Secure' : ''
  return {
    hash: await sha256Hex(device),
    cookie: `${DEVICE_COOKIE}=${device}; Path=/; Max-Age=${YEAR_SECONDS}; HttpOnly; SameSite=Lax${secure}`,
  }
}

/** Remembers that somebody signed in from this device. */
export function rememberDevice(call: Call, userId: string, deviceHash: string): Statement {
  const { db, nowMs } = call
  return db
    .insert(devices)
    .values({ userId, deviceHash, firstSeenAt: nowMs, lastSeenAt: nowMs })
    .onConflictDoUpdate({ target: [devices.userId, devices.deviceHash], set: { lastSeenAt: nowMs } })
}
