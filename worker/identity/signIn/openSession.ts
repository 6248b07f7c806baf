import { sql } from 'drizzle-orm'
import { SESSION_MS } from '../../http/actor.ts'
import type { Call } from '../../http/call.ts'
import { createDeviceCookie, type Device, newDevice } from '../../http/device.ts'
import { newSessionToken } from '../../http/sessionToken.ts'
import { generateToken, newId, sha256Hex } from '../../lib/crypto/tokens.ts'
import type { Database, Statement } from '../../lib/database.ts'
import type { Env } from '../../lib/env.ts'
import { isConstraintError } from '../../lib/errors.ts'
import { devices, sessions } from '../../lib/tables/people.ts'

export interface NewSession {
  readonly userId: string
  /** The hash that the password was checked against. No session opens if it was replaced meanwhile. */
  readonly passwordHash?: string
  readonly nowMs: number
  readonly deviceHash: string | null
  readonly ip: string
  readonly userAgent: string
  /** The second factor that was shown; null for none or a recovery code. */
  readonly factorBy?: 'totp' | 'passkey' | null
}

/**
 * A new session and the statement that stores it. The bearer token names session and user, and is signed. Only the SHA-256 of its
 * secret is stored, so a database leak opens no session. The user's id lets a request read their data in the round trip that checks
 * the session; it is not proof by itself.
 */
export async function openSession(
  env: Pick<Env, 'VAULT_KEYS'>,
  db: Database,
  opening: NewSession,
): Promise<{ token: string; expiresAtMs: number; statement: Statement }> {
  const id = newId()
  const secret = generateToken(32)
  const expiresAtMs = opening.nowMs + SESSION_MS
  const statement = db.insert(sessions).values({
    id,
    userId:
      opening.passwordHash === undefined
        ? opening.userId
        : // NOT NULL aborts the batch if the password changed after it was checked.
          sql`(SELECT id FROM users WHERE id = ${opening.userId} AND password_hash = ${opening.passwordHash})`,
    secretHash: await sha256Hex(secret),
    createdAt: opening.nowMs,
    lastSeenAt: opening.nowMs,
    expiresAt: expiresAtMs,
    deviceHash: opening.deviceHash,
    ip: opening.ip,
    userAgent: opening.userAgent,
    ...(opening.factorBy && { factorAt: opening.nowMs, factorBy: opening.factorBy }),
  })
  const token = await newSessionToken(env, { id, secret, userId: opening.userId })
  return { token, expiresAtMs, statement }
}

/** Whether no session was opened because the password changed meanwhile. */
export function hasPasswordChanged(error: unknown): boolean {
  return isConstraintError(error, 'NOT NULL', 'sessions.user_id')
}

/**
 * The device of a sign-in, and the cookie for it if needed. A device unknown to the account gets a new value: an
 * existing one may have been copied from this browser or planted in it.
 */
export async function ensureDevice(
  { env, device: sent }: Call,
  isKnown: boolean,
): Promise<{ device: Device; cookie: string | null }> {
  const device = sent !== null && isKnown ? sent : await newDevice()
  return { device, cookie: device.isFresh ? null : await createDeviceCookie(env, device) }
}

export function rememberDevice(call: Call, userId: string, deviceHash: string): Statement {
  const { db, nowMs } = call
  return db
    .insert(devices)
    .values({ userId, deviceHash, firstSeenAt: nowMs, lastSeenAt: nowMs })
    .onConflictDoUpdate({ target: [devices.userId, devices.deviceHash], set: { lastSeenAt: nowMs } })
}
