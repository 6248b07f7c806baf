import { type SQL, sql } from 'drizzle-orm'
import type { PasskeyQuestion } from '../../../src/contract/fields.ts'
import type { Call } from '../../http/call.ts'
import type { Factors, SentProof } from '../../http/factorProof.ts'
import type { Statement } from '../../lib/database.ts'
import type { Env } from '../../lib/env.ts'
import type { Details } from '../../lib/errors.ts'
import type { AccountOwner } from '../credentials/lockToken.ts'
import { type Asked, askPasskey, needsVerification } from './challenges.ts'
import { codesRefusedUntil } from './codeLimit.ts'
import { keysAsJson, keysOf } from './keys.ts'
import { type CheckedCode, checkCode, recoveryCodeHash } from './secondFactor.ts'
import { isGiven, readAnswer, verifyAnswer } from './verify.ts'

/** Reads the proof in a body. If both came, the passkey counts. */
export async function readProof(sent: {
  readonly code?: string | undefined
  readonly passkey?: unknown
}): Promise<SentProof> {
  const isPasskey = isGiven(sent.passkey)
  const code = isPasskey ? undefined : sent.code
  return {
    code,
    recoveryHash: code === undefined ? null : await recoveryCodeHash(code),
    answer: await readAnswer(sent.passkey),
    isPasskey,
  }
}

/** SQL of the columns of `Factors` for the user `u`, and a proof of exactly this. */
export function factorColumns(
  env: Env,
  { recoveryHash, answer }: SentProof,
  { purpose, context }: Pick<Asked, 'purpose' | 'context'>,
  nowMs: number,
): SQL {
  return sql`
    (SELECT secret_sealed FROM second_factors WHERE user_id = u.id AND enabled_at IS NOT NULL) AS secretSealed,
    coalesce((SELECT last_step FROM second_factors WHERE user_id = u.id), 0) AS lastStep,
    (SELECT code_hash FROM recovery_codes
     WHERE user_id = u.id AND code_hash = ${recoveryHash ?? ''} AND used_at IS NULL) AS recoveryHash,
    ${codesRefusedUntil(env, nowMs)} AS refusedUntil,
    u.email AS ownerEmail, u.display_name AS ownerName, u.role AS ownerRole,
    ${keysAsJson('u.id')} AS passkeys,
    EXISTS (SELECT 1 FROM passkey_challenges
            WHERE challenge_hash = ${answer?.challengeHash ?? ''} AND user_id = u.id AND purpose = ${purpose}
              AND context = ${context} AND used_at IS NULL AND expires_at > ${nowMs}) AS isChallengeOpen`
}

export function isOn({ secretSealed, passkeys }: Factors): boolean {
  return secretSealed !== null || keysOf(passkeys).length > 0
}

/** `spend` uses the proof up, in the batch of what it confirms; it aborts if the proof was used meanwhile. */
export type Checked = CheckedCode | { readonly state: 'missing' | 'wrong passkey' }

/** Checks the sent proof against the second factors. */
export async function checkProof(
  call: Pick<Call, 'db' | 'env' | 'request' | 'nowMs'>,
  asked: Asked,
  factors: Factors,
  sent: SentProof,
): Promise<Checked> {
  if (sent.isPasskey) {
    if (sent.answer === null || factors.isChallengeOpen === 0) return { state: 'wrong passkey' }
    const keys = keysOf(factors.passkeys)
    const spend = await verifyAnswer(call, asked.userId, keys, sent.answer, needsVerification(asked))
    return spend === null ? { state: 'wrong passkey' } : { state: 'right', spend }
  }
  if (sent.code === undefined) return { state: 'missing' }
  return checkCode(call, ownerOf(asked.userId, factors), factors, sent.code)
}

export function ownerOf(id: string, { ownerEmail, ownerName, ownerRole }: Factors): AccountOwner {
  return { id, email: ownerEmail, displayName: ownerName, role: ownerRole }
}

/** How to prove it while app codes are refused, with the seconds until they are taken again. */
export async function waysWithoutApp(
  call: Pick<Call, 'db' | 'env' | 'nowMs'>,
  asked: Asked,
  { passkeys }: Pick<Factors, 'passkeys'>,
  retryAfterSeconds: number,
): Promise<{ details: Details; statements: readonly Statement[] }> {
  const { details, statements } = await waysToProve(call, asked, { secretSealed: null, passkeys })
  // Without a passkey, the refusal's own words name the recovery code.
  return { details: { ...(details.passkey && details), retryAfterSeconds }, statements }
}

/** How a second factor can be proved: details for a refusal, and the statement that stores the challenge. */
export interface Ways {
  readonly details: { methods: string[]; passkey?: PasskeyQuestion }
  readonly statements: readonly Statement[]
}

export async function waysToProve(
  call: Pick<Call, 'db' | 'env' | 'nowMs'>,
  asked: Asked,
  factors: Pick<Factors, 'secretSealed' | 'passkeys'>,
): Promise<Ways> {
  const keys = keysOf(factors.passkeys)
  const app = factors.secretSealed === null ? [] : ['totp']
  if (keys.length === 0) return { details: { methods: app }, statements: [] }
  const { question, statement } = await askPasskey(call, asked, keys)
  return { details: { methods: ['passkey', ...app], passkey: question }, statements: [statement] }
}
