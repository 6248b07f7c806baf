import { and, eq, isNotNull, isNull } from 'drizzle-orm'
import type { Message } from '../../../src/contract/common.ts'
import type { closeAccount as endpoint } from '../../../src/contract/identity/closing.ts'
import { type Answer, type CallOf, type Effect, ok } from '../../http/call.ts'
import type { Statement } from '../../lib/database.ts'
import { refusalOfDatabase, refuse } from '../../lib/errors.ts'
import { kycSubmissions } from '../../lib/tables/kyc.ts'
import { users } from '../../lib/tables/people.ts'
import { outbox } from '../../lib/tables/platform.ts'
import { endTokens } from '../credentials/emailTokens.ts'
import { callOffEmailChange, endSessions } from '../credentials/revoke.ts'
import { commitWithProof } from '../factors/commitWithProof.ts'
import { accountClosedMail } from '../signIn/mails.ts'
import { forgetAtClosing } from './forgotten.ts'
import { keptDaysOf, obstaclesOf, readClosingFacts } from './show.ts'

type CloseCall = CallOf<typeof endpoint>

/**
 * Closes the actor's account for good, with the password and, where one is on, the second factor. The database refuses
 * `money_left` in the batch itself while the account has money, debts or open requests. Investors only.
 */
export async function closeAccount(call: CloseCall): Promise<Answer<Message>> {
  const { actor, nowMs, body } = call
  const standing = await readClosingFacts(call)
  const mail = accountClosedMail(actor, keptDaysOf(standing), nowMs)
  const effect: Effect = {
    statements: closing(call),
    audit: [{ action: 'account.closed', subject: actor.id }],
    mails: [mail],
  }
  try {
    await commitWithProof(call, body, effect, { whereOff: 'password' })
  } catch (error) {
    if (refusalOfDatabase(error)?.code !== 'money_left') throw error
    const [obstacle] = obstaclesOf(standing)
    refuse('money_left', {
      ...(obstacle && { msg: `Your account cannot be closed yet. ${obstacle.msg}` }),
    })
  }
  return ok({ msg: 'Your account is closed. We have sent you a mail that says what is kept and until when.' })
}

/** What closing changes. Sessions end first: a trigger refuses to close an account that is signed in. */
function closing({ actor, db, nowMs }: CloseCall): Statement[] {
  const { id, email } = actor
  return [
    endSessions(db, id, nowMs),
    endTokens(db, id, 'verify-email', nowMs),
    endTokens(db, id, 'reset-password', nowMs),
    callOffEmailChange(db, id, nowMs),
    ...forgetAtClosing(id),
    // The newsletter stays: it has a consent of its own.
    db
      .delete(outbox)
      .where(and(eq(outbox.recipient, email), isNull(outbox.list), isNotNull(outbox.nextAttemptAt))),
    db.update(users).set({ closedAt: nowMs }).where(eq(users.id, id)),
    // Nobody needs to review a document of a closed account.
    db
      .update(kycSubmissions)
      .set({ status: 'rejected', reason: 'The account was closed', decidedAt: nowMs })
      .where(and(eq(kycSubmissions.userId, id), eq(kycSubmissions.status, 'pending'))),
  ]
}
