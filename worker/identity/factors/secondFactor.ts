import { eq, sql } from 'drizzle-orm'
import type { Call } from '../../http/call.ts'
import type { CodeFactor } from '../../http/factorProof.ts'
import { sha256Hex } from '../../lib/crypto/tokens.ts'
import { findMatchingStep, normalizeRecoveryCode, startOfStep } from '../../lib/crypto/totp.ts'
import { openVault } from '../../lib/crypto/vault.ts'
import type { Database, Statement } from '../../lib/database.ts'
import type { Env } from '../../lib/env.ts'
import { secondFactors } from '../../lib/tables/people.ts'
import { type CheckedCode, recordWrongCode } from '../credentials/codeLimit.ts'
import type { AccountOwner } from '../credentials/lockToken.ts'
import { CODE_MINUTES } from '../mailedCodes/codes.ts'

export interface StoredFactor {
  readonly secretSealed: string
  readonly lastStep: number
}

/** How long the first app code stays valid while the owner waits for the mailed code: that code's lifetime and one step. */
const FIRST_CODE_MS = (CODE_MINUTES + 1) * 60_000

/** A user's authenticator app, enabled or only set up. */
export function readFactor(db: Database, userId: string) {
  return db.select().from(secondFactors).where(eq(secondFactors.userId, userId))
}

/** Encrypts a secret, bound to this user. */
export function sealTotpSecret(env: Env, userId: string, secret: string): Promise<string> {
  return openVault(env.VAULT_KEYS).sealSmall(secret, `totp:${userId}`)
}

/**
 * The time step of an app code (RFC 6238), or null if it is wrong or not newer than the last one used. It neither counts nor
 * spends the code: `checkCode` does so for an enabled app.
 */
async function findTotpStep(
  env: Env,
  userId: string,
  factor: StoredFactor,
  code: string,
  nowMs: number,
): Promise<number | null> {
  const secret = await openVault(env.VAULT_KEYS).openSmall(factor.secretSealed, `totp:${userId}`)
  const step = findMatchingStep(new TextDecoder().decode(secret), code.replace(/[\s-]/g, ''), nowMs)
  return step !== null && step > factor.lastStep ? step : null
}

/**
 * The time step of a new app's first code. The call is repeated with the mailed code, when the app already shows another code,
 * so the first one stays valid as long as the mailed code.
 */
export async function findFirstTotpStep(
  env: Env,
  userId: string,
  factor: StoredFactor,
  code: string,
  nowMs: number,
): Promise<number | null> {
  const step = await findTotpStep(env, userId, factor, code, nowMs)
  if (step !== null) return step
  const shownAtMs = startOfStep(factor.lastStep)
  if (nowMs - shownAtMs > FIRST_CODE_MS) return null
  const shown = await findTotpStep(env, userId, { ...factor, lastStep: factor.lastStep - 1 }, code, shownAtMs)
  return shown === factor.lastStep ? shown : null
}

/** Marks a step as used. Aborts the batch with `invalid_code` if it or a newer one was used meanwhile. */
export function spendTotpStep(userId: string, step: number): Statement {
  return sql`UPDATE second_factors SET last_step = ${step} WHERE user_id = ${userId}`
}

/** The stored hash of a recovery code; null if the text cannot be one. */
export async function hashRecoveryCode(typed: string): Promise<string | null> {
  const code = normalizeRecoveryCode(typed)
  return code === null ? null : sha256Hex(code)
}

/** Checks an app or recovery code and counts a wrong one. Every check goes through here, so that one limit holds. */
export async function checkCode(
  { db, env, nowMs }: Pick<Call, 'db' | 'env' | 'nowMs'>,
  owner: AccountOwner,
  { secretSealed, lastStep, recoveryHash, refusedUntil }: CodeFactor,
  code: string,
): Promise<CheckedCode> {
  if (recoveryHash !== null)
    return { state: 'right', spend: spendRecoveryCode(owner.id, recoveryHash, nowMs) }
  if (secretSealed === null) return { state: 'wrong code' }
  if (refusedUntil !== null && refusedUntil > nowMs)
    return { state: 'too many codes', retryAfterSeconds: Math.ceil((refusedUntil - nowMs) / 1000) }
  const step = await findTotpStep(env, owner.id, { secretSealed, lastStep }, code, nowMs)
  if (step !== null) return { state: 'right', spend: [spendTotpStep(owner.id, step)] }
  await recordWrongCode(db, env, owner, 'app', nowMs)
  return { state: 'wrong code' }
}

function spendRecoveryCode(userId: string, codeHash: string, nowMs: number): Statement[] {
  return [
    // NOT NULL aborts the batch if the code was replaced meanwhile; an UPDATE of no row would not.
    sql`
      INSERT INTO recovery_codes (user_id, code_hash) SELECT ${userId}, NULL
      WHERE NOT EXISTS (SELECT 1 FROM recovery_codes WHERE user_id = ${userId} AND code_hash = ${codeHash})`,
    sql`UPDATE recovery_codes SET used_at = ${nowMs} WHERE user_id = ${userId} AND code_hash = ${codeHash}`,
  ]
}
