import { SESSION_MS } from '../lib/actor.ts'
import { newId, randomToken, sha256Hex } from '../lib/crypto/tokens.ts'
import type { Database, Statement } from '../lib/database.ts'
import { sessions } from './tables.ts'

export interface Opening {
  readonly userId: string
  readonly nowMs: number
  readonly deviceHash: string | null
  readonly ip: string
  readonly userAgent: string
}

/**
 * A new session and the statement that stores it. The bearer token is `id.secret`; only the SHA-256 of the secret is
 * kept, so that whoever reads the database signs in as nobody.
 */
export async function openSession(
  db: Database,
  opening: Opening,
): Promise<{ token: string; expiresAtMs: number; statement: Statement }> {
  const id = newId()
  const secret = randomToken(32)
  const expiresAtMs = opening.nowMs + SESSION_MS
  const statement = db.insert(sessions).values({
    id,
    userId: opening.userId,
    secretHash: await sha256Hex(secret),
    createdAt: opening.nowMs,
    lastSeenAt: opening.nowMs,
    expiresAt: expiresAtMs,
    deviceHash: opening.deviceHash,
    ip: opening.ip,
    userAgent: opening.userAgent,
  })
  return { token: `${id}.${secret}`, expiresAtMs, statement }
}
