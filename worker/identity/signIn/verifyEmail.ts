import { and, eq, isNull, sql } from 'drizzle-orm'
import type { Message } from '../../../src/contract/common.ts'
import type {
  resendVerification as resendEndpoint,
  SessionAnswer,
  verifyEmail as verifyEmailEndpoint,
} from '../../../src/contract/identity/signIn.ts'
import { type Answer, ok, type PublicCallOf } from '../../http/call.ts'
import { iso } from '../../http/paging.ts'
import { refuse } from '../../lib/errors.ts'
import { devices, users } from '../../lib/tables/people.ts'
import { newEmailToken, ownerOfToken, spendToken } from '../credentials/emailTokens.ts'
import { mayMail, VERIFICATION_MAILS } from '../credentials/mailAllowance.ts'
import { verificationMail } from './mails.ts'
import { openSession } from './openSession.ts'

type VerifyCall = PublicCallOf<typeof verifyEmailEndpoint>

/**
 * Verifies an address with the mailed token. Refuses `invalid_token` if it is wrong, used or expired. The browser that
 * registered gets the account's first session: whoever uses it chose the password, and now showed the mailbox. The link
 * alone opens none.
 */
export async function verifyEmail(call: VerifyCall): Promise<Answer<Message & { session?: SessionAnswer }>> {
  const { db, nowMs, body } = call
  const owner = await ownerOfToken(db, body.verificationToken, body.email, 'verify-email', nowMs)
  if (owner === null) return refuse('invalid_token')
  const opened = (await isRegistrant(call, owner.id))
    ? await openSession(call.env, db, {
        userId: owner.id,
        nowMs,
        deviceHash: call.device?.hash ?? null,
        ip: call.ip,
        userAgent: call.userAgent,
      })
    : null
  await call.commit({
    statements: [
      spendToken(owner.tokenHash, nowMs),
      sql`UPDATE users SET email_verified_at = coalesce(email_verified_at, ${nowMs}) WHERE id = ${owner.id}`,
      ...(opened ? [opened.statement] : []),
    ],
    audit: [
      { action: 'email.verified', subject: owner.id },
      ...(opened ? [{ action: 'session.opened', subject: owner.id } as const] : []),
    ],
  })
  return ok({
    msg: 'Your e-mail address is verified. You can sign in now.',
    ...(opened && {
      session: {
        token: opened.token,
        name: owner.displayName,
        email: owner.email,
        role: owner.role,
        expiresAt: iso(opened.expiresAtMs),
      },
    }),
  })
}

/** Whether this browser registered the account, which was never verified and has no second factor yet. */
async function isRegistrant({ db, device }: VerifyCall, userId: string): Promise<boolean> {
  if (device === null) return false
  const [known] = await db
    .select({ id: users.id })
    .from(users)
    .innerJoin(devices, eq(devices.userId, users.id))
    .where(
      and(
        eq(users.id, userId),
        eq(users.role, 'investor'),
        isNull(users.emailVerifiedAt),
        isNull(users.closedAt),
        eq(devices.deviceHash, device.hash),
      ),
    )
  return known !== undefined
}

type ResendCall = PublicCallOf<typeof resendEndpoint>

/**
 * Mails the verification link again if needed. Work that depends on the account runs after the answer, which is always the
 * same.
 */
export async function resendVerification(call: ResendCall): Promise<Answer<Message>> {
  call.defer(() => mailLink(call))
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
