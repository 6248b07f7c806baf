import { eq, sql } from 'drizzle-orm'
import type { Message } from '../../../src/contract/common.ts'
import type {
  confirmFactorRecovery,
  requestFactorRecovery,
} from '../../../src/contract/identity/factorRecovery.ts'
import { DAY_MS } from '../../../src/time.ts'
import { type Answer, accepted, type Call, ok, type PublicCallOf } from '../../http/call.ts'
import type { SentProof } from '../../http/factorProof.ts'
import { dummyHash } from '../../lib/crypto/dummyHash.ts'
import { verifyPassword } from '../../lib/crypto/password.ts'
import { hashMailedCode, isMailedCode } from '../../lib/crypto/signature.ts'
import { generateDigits, newId } from '../../lib/crypto/tokens.ts'
import { runBatch } from '../../lib/database.ts'
import { findDatabaseRefusal } from '../../lib/errors.ts'
import { factorRecoveries } from '../../lib/tables/people.ts'
import { recordWrongCode, selectCodesRefusedUntil } from '../credentials/codeLimit.ts'
import { type MailAllowance, takeMailAllowance } from '../credentials/mailAllowance.ts'
import { hasFactor } from '../factors/factors.ts'
import { CODE_MINUTES } from '../mailedCodes/codes.ts'
import { beginSignIn, type Candidate, type SignIn } from '../signIn/beginSignIn.ts'
import { buildCodeMail, buildFiledMail } from './mails.ts'

type RequestCall = PublicCallOf<typeof requestFactorRecovery>

const CODE_MAILS: MailAllowance = { name: 'mail-factor-recovery', max: 5, windowMs: DAY_MS }

/**
 * Mails a code to an investor who has the password and lost the second factor. Work that depends on the account runs after
 * the answer, which is always the same, except 429 for too many tries.
 */
export async function requestRecovery(call: RequestCall): Promise<Answer<Message>> {
  const attempt = await beginRecovery(call)
  call.defer(() => mailCode(call, attempt))
  return accepted({
    msg: 'If the e-mail address and the password are right and the account has a second factor, we sent a code to that address.',
  })
}

async function mailCode(call: RequestCall, attempt: SignIn<RecoveryState>): Promise<void> {
  const { db, env, nowMs, body } = call
  const { candidate } = attempt
  const isRight = await verifyPassword(body.password, candidate?.passwordHash ?? dummyHash)
  // Counts as a failed sign-in. The answer was already sent, so the client never sees this refusal.
  if (candidate === null || !isRight) return attempt.fail('invalid_credentials')
  await runBatch(db, attempt.passed())
  if (!isRecoverable(candidate) || !(await takeMailAllowance(call, candidate.id, CODE_MAILS))) return
  if (candidate.openId !== null) {
    await call.commit({ mails: [await buildFiledMail(env, candidate, candidate.openId, nowMs)] })
    return
  }
  const [id, code] = [newId(), generateDigits(6)]
  await call.commit({
    statements: [
      sql`UPDATE factor_recoveries SET expires_at = ${nowMs}
        WHERE investor = ${candidate.id} AND expires_at > ${nowMs}`,
      db.insert(factorRecoveries).values({
        id,
        investor: candidate.id,
        codeHash: await hashMailedCode(env, id, code),
        askedAt: nowMs,
        expiresAt: nowMs + CODE_MINUTES * 60_000,
      }),
    ],
    mails: [buildCodeMail(env, candidate, code)],
  })
}

type ConfirmCall = PublicCallOf<typeof confirmFactorRecovery>

/**
 * Files the request with the mailed code. A wrong address, password or code is always `invalid_code` and counts as a failed
 * sign-in. A wrong code also counts against the mailed code, which allows five tries, and among all wrong mailed codes. The database checks code and account
 * again in the batch.
 */
export async function confirmRecovery(call: ConfirmCall): Promise<Answer<Message>> {
  const { db, env, nowMs, body } = call
  const attempt = await beginRecovery(call)
  const { candidate } = attempt
  const isRight = await verifyPassword(body.password, candidate?.passwordHash ?? dummyHash)
  const { requestId = null, codeHash = null } = candidate ?? {}
  if (candidate === null || !isRight || requestId === null || codeHash === null)
    return attempt.fail('invalid_code')
  const isRequest = eq(factorRecoveries.id, requestId)
  // At the limit of wrong codes the refusal is the same, because it must not show that the password was right.
  if (candidate.codesRefusedUntil !== null) return attempt.fail('invalid_code')
  if (!(await isMailedCode(env, requestId, body.code, codeHash))) {
    const counted = db
      .update(factorRecoveries)
      .set({ tries: sql`${factorRecoveries.tries} + 1` })
      .where(isRequest)
    await recordWrongCode(db, env, candidate, 'mailed', nowMs)
    return attempt.fail('invalid_code', { details: {}, statements: [counted] })
  }
  try {
    await call.commit({
      statements: [
        ...attempt.passed(),
        db.update(factorRecoveries).set({ filedAt: nowMs, expiresAt: null }).where(isRequest),
      ],
      audit: [{ action: 'factor_recovery.filed', subject: candidate.id }],
      mails: [await buildFiledMail(env, candidate, requestId, nowMs)],
    })
  } catch (error) {
    // Another call used the code a moment earlier.
    if (findDatabaseRefusal(error)?.code === 'invalid_code') return attempt.fail('invalid_code')
    await runBatch(db, attempt.passed())
    throw error
  }
  return ok({
    msg: 'We received your request. Two reviewers will check that it is you, and may write to you. Your second factor is removed 72 hours after they approve it.',
  })
}

/** The columns that a recovery reads of an account, besides the sign-in columns. */
export interface RecoveryState {
  readonly frozenAt: number | null
  /** The request that is filed and not ended, if any. */
  readonly openId: string | null
  /** The newest request with a live mailed code. */
  readonly requestId: string | null
  readonly codeHash: string | null
  /** Until when mailed codes are refused. */
  readonly codesRefusedUntil: number | null
}

const NO_PROOF: SentProof = { code: undefined, recoveryHash: null, answer: null, isPasskey: false }

const CODE_TRIES = 5

/** Counts the try like a sign-in and reads the account with its requests, in one round trip. Refuses 429 like a sign-in. */
function beginRecovery(
  call: Call & { readonly body: { readonly email: string } },
): Promise<SignIn<RecoveryState>> {
  const live = sql`investor = u.id AND expires_at > ${call.nowMs} AND tries < ${CODE_TRIES} ORDER BY seq DESC LIMIT 1`
  return beginSignIn<RecoveryState>(
    call,
    NO_PROOF,
    sql`u.frozen_at AS frozenAt, ${selectCodesRefusedUntil(call.env, 'mailed', call.nowMs)} AS codesRefusedUntil,
        (SELECT id FROM factor_recoveries WHERE investor = u.id AND filed_at IS NOT NULL AND ended_at IS NULL) AS openId,
        (SELECT id FROM factor_recoveries WHERE ${live}) AS requestId,
        (SELECT code_hash FROM factor_recoveries WHERE ${live}) AS codeHash`,
  )
}

/** Whether the account may be recovered: a verified investor, not closed or frozen, with a second factor. */
function isRecoverable(candidate: Candidate & RecoveryState): boolean {
  const { role, emailVerifiedAt, closedAt, frozenAt } = candidate
  return (
    role === 'investor' &&
    emailVerifiedAt !== null &&
    closedAt === null &&
    frozenAt === null &&
    hasFactor(candidate)
  )
}
