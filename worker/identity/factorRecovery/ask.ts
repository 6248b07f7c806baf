import { and, eq, gt } from 'drizzle-orm'
import type { Message } from '../../../src/contract/common.ts'
import type { BodyOf } from '../../../src/contract/endpoint.ts'
import type { askFactorRecovery as endpoint } from '../../../src/contract/identity/factorRecovery.ts'
import { type Answer, accepted, type CheckedCall } from '../../http/call.ts'
import { dummyHash } from '../../lib/crypto/dummyHash.ts'
import { hashMailedCode } from '../../lib/crypto/mailedCode.ts'
import { verifyPassword } from '../../lib/crypto/password.ts'
import { newId, randomDigits } from '../../lib/crypto/tokens.ts'
import { runBatch } from '../../lib/database.ts'
import { factorRecoveries } from '../../lib/tables/people.ts'
import { type MailAllowance, mayMail } from '../credentials/mailAllowance.ts'
import { CODE_MINUTES } from '../mailedCodes/codes.ts'
import type { SignIn } from '../signIn/beginSignIn.ts'
import { beginRecovery, isRecoverable, type RecoveryState } from './beginRecovery.ts'
import { codeMail, filedMail } from './mails.ts'

type AskCall = CheckedCall<BodyOf<typeof endpoint>, undefined>

/** Five codes a day with five tries each: guessing one of a million takes lifetimes. */
const CODE_MAILS: MailAllowance = { name: 'mail-factor-recovery', max: 5, windowMs: 24 * 3_600_000 }

/**
 * Mails a code to an investor who has the password and lost the second factor. All that differs between accounts happens
 * after the answer, which is always the same; only too many tries are 429, as at a sign-in.
 */
export async function askRecovery(call: AskCall): Promise<Answer<Message>> {
  const attempt = await beginRecovery(call)
  call.defer(mailCode(call, attempt))
  return accepted({
    msg: 'If the e-mail address and the password are right and the account has a second factor, we have mailed a code to it.',
  })
}

async function mailCode(call: AskCall, attempt: SignIn<RecoveryState>): Promise<void> {
  const { db, env, nowMs, body } = call
  const { candidate } = attempt
  const isRight = await verifyPassword(body.password, candidate?.passwordHash ?? dummyHash)
  // Counted as a failed sign-in. The answer was given already, so the refusal reaches nobody.
  if (candidate === null || !isRight) return attempt.fail('invalid_credentials')
  await runBatch(db, attempt.passed())
  if (!isRecoverable(candidate) || !(await mayMail(call, candidate.id, CODE_MAILS))) return
  if (candidate.openId !== null) {
    await call.commit({ mails: [await filedMail(env, candidate, candidate.openId, nowMs)] })
    return
  }
  const [id, code] = [newId(), randomDigits(6)]
  await call.commit({
    statements: [
      // A newer code ends the ones before it.
      db
        .update(factorRecoveries)
        .set({ expiresAt: nowMs })
        .where(and(eq(factorRecoveries.investor, candidate.id), gt(factorRecoveries.expiresAt, nowMs))),
      db.insert(factorRecoveries).values({
        id,
        investor: candidate.id,
        codeHash: await hashMailedCode(env, id, code),
        askedAt: nowMs,
        expiresAt: nowMs + CODE_MINUTES * 60_000,
      }),
    ],
    mails: [codeMail(env, candidate, code)],
  })
}
