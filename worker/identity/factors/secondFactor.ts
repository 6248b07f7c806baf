import { and, eq, sql } from 'drizzle-orm'
import type { Call } from '../../http/call.ts'
import type { CodeFactor } from '../../http/factorProof.ts'
import { sha256Hex } from '../../lib/crypto/tokens.ts'
import { matchingStep, normaliseRecoveryCode, startOfStep } from '../../lib/crypto/totp.ts'
import { openVault } from '../../lib/crypto/vault.ts'
import type { Database, Statement } from '../../lib/database.ts'
import type { Env } from '../../lib/env.ts'
import { recoveryCodes, secondFactors } from '../../lib/tables/people.ts'
import type { AccountOwner } from '../credentials/lockToken.ts'
import { CODE_MINUTES } from '../mailedCodes/codes.ts'
import { recordWrongCode } from './codeLimit.ts'

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
 * The time step of an authenticator code (RFC 6238), or null when it is wrong or not newer than the last one used. It counts
 * no wrong codes and uses none up: whatever takes a code of an app that is on calls `checkCode`.
 */
async function totpStepOf(
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

/** `spend` uses the code up in the batch of what it confirms, and aborts that where the code was used meanwhile. */
export type CheckedCode =
  | { readonly state: 'right'; readonly spend: readonly Statement[] }
  | { readonly state: 'wrong code' }
  | { readonly state: 'too many codes'; readonly retryAfterSeconds: number }

/**
 * Checks a code, of the app or a recovery code, and counts a wrong one. Whatever takes such a code checks it here, so that
 * the limit of `recordWrongCode` is one limit.
 */
export async function checkCode(
  call: Pick<Call, 'db' | 'env' | 'nowMs'>,
  owner: AccountOwner,
  { secretSealed, lastStep, recoveryHash, refusedUntil }: CodeFactor,
  code: string,
): Promise<CheckedCode> {
  const { db, env, nowMs } = call
  if (recoveryHash !== null)
    return { state: 'right', spend: spendRecoveryCode(db, owner.id, recoveryHash, nowMs) }
  if (secretSealed === null) return { state: 'wrong code' }
  if (refusedUntil !== null && refusedUntil > nowMs)
    return { state: 'too many codes', retryAfterSeconds: Math.ceil((refusedUntil - nowMs) / 1000) }
  const step = await totpStepOf(env, owner.id, { secretSealed, lastStep }, code, nowMs)
  if (step !== null) return { state: 'right', spend: [spendTotpStep(db, owner.id, step)] }
  await recordWrongCode(call, owner)
  return { state: 'wrong code' }
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
