import { and, eq, isNull } from 'drizzle-orm'
import type { Message } from '../../../src/contract/common.ts'
import type { BodyOf } from '../../../src/contract/endpoint.ts'
import type { resendVerification as resendEndpoint } from '../../../src/contract/identity/auth.ts'
import { type Answer, type CheckedCall, ok } from '../../http/call.ts'
import { users } from '../../lib/tables/people.ts'
import { newEmailToken } from '../credentials/emailTokens.ts'
import { mayMail, VERIFICATION_MAILS } from '../credentials/mailAllowance.ts'
import { verificationMail } from './mails.ts'

type ResendCall = CheckedCall<BodyOf<typeof resendEndpoint>, undefined>

/** Mails the verification link again where one is wanted. All that differs happens after the answer, which is always the same. */
export async function resendVerification(call: ResendCall): Promise<Answer<Message>> {
  call.defer(mailLink(call))
  return ok({
    msg: 'If this address has an account that is not verified yet, we have sent a new link to it.',
  })
}

async function mailLink(call: ResendCall): Promise<void> {
  const { db, env, nowMs } = call
  const [user] = await db
    .select({ id: users.id, email: users.email, displayName: users.displayName })
    .from(users)
    .where(and(eq(users.email, call.body.email), isNull(users.emailVerifiedAt)))
  if (!user || !(await mayMail(call, user.id, VERIFICATION_MAILS))) return
  const { token, statement } = await newEmailToken(db, user.id, 'verify-email', nowMs)
  await call.commit({ statements: [statement], mails: [verificationMail(env, user, token)] })
}
