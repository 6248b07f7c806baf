import { eq } from 'drizzle-orm'
import type { Message } from '../../../src/contract/common.ts'
import type { BodyOf } from '../../../src/contract/endpoint.ts'
import type { forgotPassword as forgotEndpoint } from '../../../src/contract/identity/auth.ts'
import { type Answer, type CheckedCall, ok } from '../../http/call.ts'
import { users } from '../../lib/tables/people.ts'
import { endTokens, newEmailToken } from '../credentials/emailTokens.ts'
import { mayMail, RESET_MAILS } from '../credentials/mailAllowance.ts'
import { alreadyClosedMail } from './closedAccountMails.ts'
import { resetMail } from './mails.ts'

type ForgotCall = CheckedCall<BodyOf<typeof forgotEndpoint>, undefined>

/** Mails a link to choose a new password. All that differs happens after the answer, which is always the same. */
export async function forgotPassword(call: ForgotCall): Promise<Answer<Message>> {
  call.defer(mailLink(call))
  return ok({ msg: 'If this address has an account, we have sent a link to choose a new password to it.' })
}

async function mailLink(call: ForgotCall): Promise<void> {
  const { db, env, nowMs } = call
  const [user] = await db
    .select({ id: users.id, email: users.email, displayName: users.displayName, closedAt: users.closedAt })
    .from(users)
    .where(eq(users.email, call.body.email))
  if (!user || !(await mayMail(call, user.id, RESET_MAILS))) return
  if (user.closedAt !== null) {
    await call.commit({ mails: [alreadyClosedMail(user, user.closedAt)] })
    return
  }
  const { token, statement } = await newEmailToken(db, user.id, 'reset-password', nowMs)
  await call.commit({
    statements: [endTokens(db, user.id, 'reset-password', nowMs), statement],
    mails: [resetMail(env, user, token)],
  })
}
