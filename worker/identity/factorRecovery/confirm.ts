import { eq, sql } from 'drizzle-orm'
import type { Message } from '../../../src/contract/common.ts'
import type { BodyOf } from '../../../src/contract/endpoint.ts'
import type { confirmFactorRecovery as endpoint } from '../../../src/contract/identity/factorRecovery.ts'
import { type Answer, type CheckedCall, ok } from '../../http/call.ts'
import { dummyHash } from '../../lib/crypto/dummyHash.ts'
import { isMailedCode } from '../../lib/crypto/mailedCode.ts'
import { verifyPassword } from '../../lib/crypto/password.ts'
import { runBatch } from '../../lib/database.ts'
import { refusalOfDatabase } from '../../lib/errors.ts'
import { factorRecoveries } from '../../lib/tables/people.ts'
import { beginRecovery } from './beginRecovery.ts'
import { filedMail } from './mails.ts'

type ConfirmCall = CheckedCall<BodyOf<typeof endpoint>, undefined>

/**
 * Files the request with the mailed code. A wrong address, password or code is `invalid_code`, all alike, and counts as a
 * failed sign-in; a wrong code also counts against the code, which takes five. The database looks again at the code and at
 * the account, in the batch itself.
 */
export async function confirmRecovery(call: ConfirmCall): Promise<Answer<Message>> {
  const { db, env, nowMs, body } = call
  const attempt = await beginRecovery(call)
  const { candidate } = attempt
  const isRight = await verifyPassword(body.password, candidate?.passwordHash ?? dummyHash)
  const { askedId = null, codeHash = null } = candidate ?? {}
  if (candidate === null || !isRight || askedId === null || codeHash === null)
    return attempt.fail('invalid_code')
  const asked = eq(factorRecoveries.id, askedId)
  if (!(await isMailedCode(env, askedId, body.code, codeHash))) {
    const counted = db
      .update(factorRecoveries)
      .set({ tries: sql`${factorRecoveries.tries} + 1` })
      .where(asked)
    return attempt.fail('invalid_code', { details: {}, statements: [counted] })
  }
  try {
    await call.commit({
      statements: [
        ...attempt.passed(),
        db.update(factorRecoveries).set({ filedAt: nowMs, expiresAt: null }).where(asked),
      ],
      audit: [{ action: 'factor_recovery.filed', subject: candidate.id }],
      mails: [await filedMail(env, candidate, askedId, nowMs)],
    })
  } catch (error) {
    // Another call used the code a moment earlier.
    if (refusalOfDatabase(error)?.code === 'invalid_code') return attempt.fail('invalid_code')
    await runBatch(db, attempt.passed())
    throw error
  }
  return ok({
    msg: 'Your request is filed. Two of our reviewers check that it is you, and may write to you. 72 hours after that your second factor is removed.',
  })
}
