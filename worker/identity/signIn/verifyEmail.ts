import { and, eq, isNull, sql } from 'drizzle-orm'
import type { Message } from '../../../src/contract/common.ts'
import type {
  resendVerification as resendEndpoint,
  verifyEmail as verifyEmailEndpoint,
} from '../../../src/contract/identity/signIn.ts'
import { type Answer, ok, type PublicCallOf } from '../../http/call.ts'
import { refuse } from '../../lib/errors.ts'
import { users } from '../../lib/tables/people.ts'
import { newEmailToken, ownerOfToken, spendToken } from '../credentials/emailTokens.ts'
import { mayMail, VERIFICATION_MAILS } from '../credentials/mailAllowance.ts'
import { verificationMail } from './mails.ts'

/** Verifies an address with the mailed token. Refuses `invalid_token` if it is wrong, used or expired. */
export async function verifyEmail(call: PublicCallOf<typeof verifyEmailEndpoint>): Promise<Answer<Message>> {
  const { db, nowMs, body } = call
  const owner = await ownerOfToken(db, body.verificationToken, body.email, 'verify-email', nowMs)
  if (owner === null) return refuse('invalid_token')
  await call.commit({
    statements: [
      spendToken(owner.tokenHash, nowMs),
      sql`UPDATE users SET email_verified_at = coalesce(email_verified_at, ${nowMs}) WHERE id = ${owner.id}`,
    ],
    audit: [{ action: 'email.verified', subject: owner.id }],
  })
  return ok({ msg: 'Your e-mail address is verified. You can sign in now.' })
}

type ResendCall = PublicCallOf<typeof resendEndpoint>

/**
 * Mails the verification link again if needed. Work that depends on the account runs after the answer, which is always the
 * same.
 */
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
