import { type SQL, sql } from 'drizzle-orm'
import * as z from 'zod/mini'
import type { PasskeyQuestion } from '../../../src/contract/fields.ts'
import { factorFields } from '../../../src/contract/identity/factors.ts'
import type { Call } from '../../http/call.ts'
import type { Factors, SentProof } from '../../http/factorProof.ts'
import type { Statement } from '../../lib/database.ts'
import type { Env } from '../../lib/env.ts'
import type { Details } from '../../lib/errors.ts'
import { type CheckedCode, selectCodesRefusedUntil } from '../credentials/codeLimit.ts'
import type { AccountOwner } from '../credentials/lockToken.ts'
import {
  ANSWER_MS,
  type ChallengeScope,
  getRelyingPartyId,
  isVerificationRequired,
  newChallenge,
  toCredentialDescriptor,
} from './challenges.ts'
import { parseKeys, selectKeysJson } from './keys.ts'
import { checkCode, hashRecoveryCode } from './secondFactor.ts'
import { isSent, readAnswer, verifyAnswer } from './verify.ts'

const schema = z.object(factorFields)

/** Reads the proof in the body of an act; null without one. Recovery codes do not count: they only sign in. */
export async function findActProof(fields: unknown): Promise<SentProof | null> {
  const parsed = schema.safeParse(fields)
  if (!parsed.success) return null
  const proof = await readProof(parsed.data)
  return proof.isPasskey || proof.code !== undefined ? { ...proof, recoveryHash: null } : null
}

/** Reads the proof in a body. If both were sent, the passkey counts. */
export async function readProof(sent: {
  readonly code?: string | undefined
  readonly passkey?: unknown
}): Promise<SentProof> {
  const isPasskey = isSent(sent.passkey)
  const code = isPasskey ? undefined : sent.code
  return {
    code,
    recoveryHash: code === undefined ? null : await hashRecoveryCode(code),
    answer: await readAnswer(sent.passkey),
    isPasskey,
  }
}

/** SQL: the columns of `Factors` for the user `u`, for a proof with this purpose and context. */
export function selectFactorColumns(
  env: Env,
  { recoveryHash, answer }: SentProof,
  { purpose, context }: Pick<ChallengeScope, 'purpose' | 'context'>,
  nowMs: number,
): SQL {
  return sql`
    (SELECT secret_sealed FROM second_factors WHERE user_id = u.id AND enabled_at IS NOT NULL) AS secretSealed,
    coalesce((SELECT last_step FROM second_factors WHERE user_id = u.id), 0) AS lastStep,
    (SELECT code_hash FROM recovery_codes
     WHERE user_id = u.id AND code_hash = ${recoveryHash ?? ''} AND used_at IS NULL) AS recoveryHash,
    ${selectCodesRefusedUntil(env, 'app', nowMs)} AS refusedUntil,
    u.email AS ownerEmail, u.display_name AS ownerName, u.role AS ownerRole,
    ${selectKeysJson(sql`u.id`)} AS passkeys,
    EXISTS (SELECT 1 FROM passkey_challenges
            WHERE challenge_hash = ${answer?.challengeHash ?? ''} AND user_id = u.id AND purpose = ${purpose}
              AND context = ${context} AND used_at IS NULL AND expires_at > ${nowMs}) AS isChallengeOpen`
}

export function hasFactor({ secretSealed, passkeys }: Factors): boolean {
  return secretSealed !== null || parseKeys(passkeys).length > 0
}

/** `spend` marks the proof as used, in the batch that it confirms. The batch aborts if the proof was used meanwhile. */
export type CheckedFactor = CheckedCode | { readonly state: 'missing' | 'wrong passkey' }

/** Checks the sent proof against the second factors. */
export async function checkProof(
  call: Pick<Call, 'db' | 'env' | 'request' | 'nowMs'>,
  scope: ChallengeScope,
  factors: Factors,
  sent: SentProof,
): Promise<CheckedFactor> {
  if (sent.isPasskey) {
    if (sent.answer === null || factors.isChallengeOpen === 0) return { state: 'wrong passkey' }
    const keys = parseKeys(factors.passkeys)
    const spend = await verifyAnswer(call, scope, keys, sent.answer)
    return spend === null ? { state: 'wrong passkey' } : { state: 'right', spend }
  }
  if (sent.code === undefined) return { state: 'missing' }
  return checkCode(call, toAccountOwner(scope.userId, factors), factors, sent.code)
}

export function toAccountOwner(id: string, { ownerEmail, ownerName, ownerRole }: Factors): AccountOwner {
  return { id, email: ownerEmail, displayName: ownerName, role: ownerRole }
}

/** The methods left while app codes are refused, with the seconds until they are accepted again. */
export async function buildProofMethodsWithoutApp(
  call: Pick<Call, 'db' | 'env' | 'nowMs'>,
  scope: ChallengeScope,
  { passkeys }: Pick<Factors, 'passkeys'>,
  retryAfterSeconds: number,
): Promise<{ details: Details; statements: readonly Statement[] }> {
  const { details, statements } = await buildProofMethods(call, scope, { secretSealed: null, passkeys })
  // Without a passkey, the refusal's standard words name the recovery code.
  return { details: { ...(details.passkey && details), retryAfterSeconds }, statements }
}

/** The methods of proof as details of a refusal, and the statement that stores the challenge. */
export interface ProofMethods {
  readonly details: { methods: string[]; passkey?: PasskeyQuestion }
  readonly statements: readonly Statement[]
}

export async function buildProofMethods(
  { db, env, nowMs }: Pick<Call, 'db' | 'env' | 'nowMs'>,
  scope: ChallengeScope,
  factors: Pick<Factors, 'secretSealed' | 'passkeys'>,
): Promise<ProofMethods> {
  const keys = parseKeys(factors.passkeys)
  const app = factors.secretSealed === null ? [] : ['totp']
  if (keys.length === 0) return { details: { methods: app }, statements: [] }
  const { challenge, statement } = await newChallenge(db, scope, nowMs)
  const passkey: PasskeyQuestion = {
    challenge,
    rpId: getRelyingPartyId(env),
    timeout: ANSWER_MS,
    userVerification: isVerificationRequired(scope) ? 'required' : 'preferred',
    allowCredentials: keys.map(toCredentialDescriptor),
  }
  return { details: { methods: ['passkey', ...app], passkey }, statements: [statement] }
}
