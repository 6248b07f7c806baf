import { and, eq, gt, type SQL, sql } from 'drizzle-orm'
import { DAY_MS } from '../../../src/time.ts'
import { sign, verifySignature } from '../../lib/crypto/signature.ts'
import type { Database } from '../../lib/database.ts'
import type { Env } from '../../lib/env.ts'
import { registrations } from '../../lib/tables/people.ts'

/** How long a registration waits for its link to be opened. */
const REGISTRATION_MS = DAY_MS

export type Registration = typeof registrations.$inferSelect

const LABEL = 'verify-email'

/**
 * The token that verifies the address of one registration. It is signed, not stored: a link that is mailed again is the same
 * one, so asking for another does not end it.
 */
export async function signVerificationToken(env: Env, id: string): Promise<string> {
  return `${id}.${await sign(env.VAULT_KEYS, LABEL, id)}`
}

/** The id of the registration that a token is for, or null if the signature is wrong. */
export async function openVerificationToken(env: Env, token: string): Promise<string | null> {
  const [, id, signature] = /^([0-9a-f-]{36})\.(\d+\.[\w-]+)$/.exec(token) ?? []
  if (id === undefined || signature === undefined) return null
  return (await verifySignature(env.VAULT_KEYS, LABEL, id, signature)) ? id : null
}

/** One waiting registration, by its id and address. */
export function findRegistration(db: Database, id: string, email: string, nowMs: number) {
  return db
    .select()
    .from(registrations)
    .where(and(eq(registrations.id, id), eq(registrations.email, email), isWaiting(nowMs)))
}

/** The waiting registration of an address that this browser made, or else the newest one. */
export function findNewestRegistration(
  db: Database,
  email: string,
  deviceHash: string | null,
  nowMs: number,
) {
  return db
    .select()
    .from(registrations)
    .where(and(eq(registrations.email, email), isWaiting(nowMs)))
    .orderBy(sortOwnFirst(deviceHash))
    .limit(1)
}

/** SQL: the password hash of the registration that `findNewestRegistration` finds, or null. */
export function selectWaitingPasswordHash(email: string, deviceHash: string | null, nowMs: number): SQL {
  return sql`(SELECT password_hash FROM registrations
    WHERE email = ${email} AND created_at > ${nowMs - REGISTRATION_MS} ORDER BY ${sortOwnFirst(deviceHash)} LIMIT 1)`
}

function isWaiting(nowMs: number): SQL {
  return gt(registrations.createdAt, nowMs - REGISTRATION_MS)
}

function sortOwnFirst(deviceHash: string | null): SQL {
  return sql`device_hash = ${deviceHash ?? ''} DESC, created_at DESC, id`
}
