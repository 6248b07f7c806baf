import { sql } from 'drizzle-orm'
import type { Message } from '../../../src/contract/common.ts'
import type { closeAccount as endpoint } from '../../../src/contract/identity/closing.ts'
import { type Answer, type CallOf, type Effect, ok } from '../../http/call.ts'
import type { Statement } from '../../lib/database.ts'
import { findDatabaseRefusal, refuse } from '../../lib/errors.ts'
import { cancelPendingEmailChange, endAllPlans, endSessions } from '../credentials/distrust.ts'
import { endTokens } from '../credentials/emailTokens.ts'
import { commitWithProof } from '../factors/commitWithProof.ts'
import { deleteAtClosing } from '../personalData/list.ts'
import { buildAccountClosedMail } from '../signIn/mails.ts'
import { computeKeptDays, listObstacles, readClosingFacts } from './show.ts'

type CloseCall = CallOf<typeof endpoint>

/**
 * Closes the actor's account for good, with the password and the second factor, if there is one. The database refuses
 * `money_left` in the batch itself while the account has money, debts or open requests. Investors only.
 */
export async function closeAccount(call: CloseCall): Promise<Answer<Message>> {
  const { actor, nowMs, body } = call
  const facts = await readClosingFacts(call)
  const mail = buildAccountClosedMail(actor, computeKeptDays(facts), nowMs)
  const effect: Effect = {
    statements: buildClosingStatements(call),
    audit: [{ action: 'account.closed', subject: actor.id }],
    mails: [mail],
  }
  try {
    await commitWithProof(call, body, effect, { withoutFactor: 'password' })
  } catch (error) {
    if (findDatabaseRefusal(error)?.code !== 'money_left') throw error
    const [obstacle] = listObstacles(facts)
    refuse('money_left', {
      ...(obstacle && { msg: `Your account cannot be closed yet. ${obstacle.msg}` }),
    })
  }
  return ok({ msg: 'Your account is closed. We sent you a mail that says what we keep and until when.' })
}

/** Statements that close the account. Sessions end first: a trigger refuses to close an account with a live session. */
function buildClosingStatements({ actor, nowMs }: CloseCall): Statement[] {
  const { id, email } = actor
  return [
    endSessions(id, nowMs),
    endTokens(id, 'reset-password', nowMs),
    endTokens(id, 'sign-in', nowMs),
    cancelPendingEmailChange(id, nowMs),
    endAllPlans(id, nowMs),
    // Only a position whose cost is 0 cents can be left.
    sql`UPDATE position_stops SET status = 'ended', ended_at = ${nowMs} WHERE investor = ${id} AND status = 'active'`,
    ...deleteAtClosing(id),
    // Newsletter mails stay: the newsletter has its own consent.
    sql`DELETE FROM outbox WHERE recipient = ${email} AND list IS NOT 'newsletter' AND next_attempt_at IS NOT NULL`,
    sql`UPDATE users SET closed_at = ${nowMs} WHERE id = ${id}`,
    // A closed account needs no review.
    sql`UPDATE kyc_submissions SET status = 'rejected', reason = 'The account was closed', decided_at = ${nowMs}
      WHERE user_id = ${id} AND status = 'pending'`,
  ]
}
