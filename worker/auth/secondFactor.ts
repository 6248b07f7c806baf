import { and, eq, sql } from 'drizzle-orm'
import type { Env } from '../env.ts'
import type { Call } from '../lib/call.ts'
import { sha256Hex } from '../lib/crypto/tokens.ts'
import { matchingStep, normaliseRecoveryCode, startOfStep } from '../lib/crypto/totp.ts'
import { openVault } from '../lib/crypto/vault.ts'
import type { Database, Statement } from '../lib/database.ts'
import { CODE_MINUTES } from '../withdrawals/codes.ts'
import { recoveryCodes, secondFactors } from './tables.ts'

/** A second factor as it is stored. */
export interface StoredFactor {
  readonly secretSealed: string
  readonly lastStep: number
}

/** How long the first code of an app stays right while the mailed code is on its way: as long as that one lives, and a step. */
const FIRST_CODE_MS = (CODE_MINUTES + 1) * 60_000

/** Reads somebody's second factor, turned on or only set up; no row where there is none. To ride in a batch of reads. */
export function readFactor(db: Database, userId: string) {
  return db.select().from(secondFactors).where(eq(secondFactors.userId, userId))
}

/** Seals a secret so that it opens for this user only. */
export function sealTotpSecret(env: Env, userId: string, secret: string): Promise<string> {
  return openVault(env.VAULT_KEYS).sealSmall(secret, `totp:${userId}`)
}

/**
 * The time step of an authenticator code (RFC 6238), or null when it is wrong or not newer than the last one used. The
 * step is still to be used with `spendTotpStep`, in the batch of what the code confirms.
 */
export async function totpStepOf(
  env: Env,
  userId: string,
  factor: StoredFactor,
  code: string,
  nowMs: number,
): Promise<number | null> {
  const secret = await openVault(env.VAULT_KEYS).openSmall(factor.secretSealed, `totp:${userId}`)
  const step = matchingStep(new TextDecoder().decode(secret), code.replace(/[\s-]/g, ''), nowMs)
  return step !== null && step > factor.lastStep ? step : null
}

/**
 * The time step of the first code of an app that is being set up. The code that was right when the mailed code was asked for
 * stays right for as long as that one lives: the same call is sent again with it, and the app shows another code by then.
 */
export async function firstStepOf(
  env: Env,
  userId: string,
  factor: StoredFactor,
  code: string,
  nowMs: number,
): Promise<number | null> {
  const step = await totpStepOf(env, userId, factor, code, nowMs)
  if (step !== null) return step
  const shownAtMs = startOfStep(factor.lastStep)
  if (nowMs - shownAtMs > FIRST_CODE_MS) return null
  const shown = await totpStepOf(env, userId, { ...factor, lastStep: factor.lastStep - 1 }, code, shownAtMs)
  return shown === factor.lastStep ? shown : null
}

/** Spends a code's step. Aborts the batch with `invalid_code` when this step or a newer one was used meanwhile. */
export function spendTotpStep(db: Database, userId: string, step: number): Statement {
  return db.update(secondFactors).set({ lastStep: step }).where(eq(secondFactors.userId, userId))
}

/** The hash under which a recovery code is stored; null for what cannot be one. */
export async function recoveryCodeHash(typed: string): Promise<string | null> {
  const code = normaliseRecoveryCode(typed)
  return code === null ? null : sha256Hex(code)
}

/**
 * What spends a code, of the app or a recovery code, in the batch of what it confirms; null when it is wrong. The batch
 * aborts with `invalid_code` when the code was used meanwhile.
 * @param factor the app's secret, where it is on, with the hash of the code that was sent, where that is an unused recovery code of theirs
 */
export async function spendCode(
  { db, env, nowMs }: Pick<Call, 'db' | 'env' | 'nowMs'>,
  userId: string,
  factor: { secretSealed: string | null; lastStep: number; recoveryHash: string | null },
  code: string,
): Promise<Statement[] | null> {
  const { secretSealed, lastStep, recoveryHash } = factor
  // In a list: a statement that an async function gives by itself is awaited, and so runs at once.
  if (recoveryHash !== null) return spendRecoveryCode(db, userId, recoveryHash, nowMs)
  if (secretSealed === null) return null
  const step = await totpStepOf(env, userId, { secretSealed, lastStep }, code, nowMs)
  return step === null ? null : [spendTotpStep(db, userId, step)]
}

function spendRecoveryCode(db: Database, userId: string, codeHash: string, nowMs: number): Statement[] {
  return [
    // NOT NULL aborts the batch where the code was replaced meanwhile: an UPDATE that matches nothing would not.
    db.run(sql`
      INSERT INTO recovery_codes (user_id, code_hash) SELECT ${userId}, NULL
      WHERE NOT EXISTS (SELECT 1 FROM recovery_codes WHERE user_id = ${userId} AND code_hash = ${codeHash})`),
    db
      .update(recoveryCodes)
      .set({ usedAt: nowMs })
      .where(and(eq(recoveryCodes.userId, userId), eq(recoveryCodes.codeHash, codeHash))),
  ]
}
