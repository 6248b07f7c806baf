import { eq, sql } from 'drizzle-orm'
import type { Message } from '../../../src/contract/common.ts'
import type {
  forgotPassword as forgotEndpoint,
  resetPassword as resetEndpoint,
} from '../../../src/contract/identity/passwords.ts'
import { type Answer, ok, type PublicCallOf } from '../../http/call.ts'
import { createDeviceCookie, newDevice } from '../../http/device.ts'
import { describeStoppedPayouts } from '../../ledger/stopPayouts.ts'
import { hashPassword } from '../../lib/crypto/password.ts'
import { refuse } from '../../lib/errors.ts'
import { users } from '../../lib/tables/people.ts'
import { clearWrongMailedCodes } from '../credentials/codeLimit.ts'
import { endTokens, findTokenOwner, newEmailToken, spendToken } from '../credentials/emailTokens.ts'
import { RESET_MAILS, takeMailAllowance } from '../credentials/mailAllowance.ts'
import { refuseGuessable } from '../credentials/refuseGuessable.ts'
import { buildAccountCounter } from '../credentials/tries.ts'
import { buildAlreadyClosedMail, buildPasswordChangedMail, buildResetMail } from './mails.ts'
import { rememberDevice } from './openSession.ts'
import { replacePassword } from './replacePassword.ts'
import { mailVerificationLink } from './verifyEmail.ts'

type ForgotCall = PublicCallOf<typeof forgotEndpoint>

/**
 * Mails a link to choose a new password. Work that depends on the account runs after the answer, which is always the
 * same.
 */
export async function requestPasswordReset(call: ForgotCall): Promise<Answer<Message>> {
  call.defer(() => mailLink(call))
  return ok({ msg: 'If this address has an account, we have sent a link to choose a new password to it.' })
}

async function mailLink(call: ForgotCall): Promise<void> {
  const { db, env, nowMs } = call
  const [user] = await db
    .select({
      id: users.id,
      email: users.email,
      displayName: users.displayName,
      emailVerifiedAt: users.emailVerifiedAt,
      closedAt: users.closedAt,
    })
    .from(users)
    .where(eq(users.email, call.body.email))
  // A registration has no password to reset yet. Its link is mailed again.
  if (!user) return mailVerificationLink(call, call.body.email)
  if (!(await takeMailAllowance(call, user.id, RESET_MAILS))) return
  if (user.closedAt !== null) {
    await call.commit({ mails: [buildAlreadyClosedMail(user, user.closedAt)] })
    return
  }
  const { token, statement } = await newEmailToken(db, user.id, 'reset-password', nowMs)
  await call.commit({
    statements: [endTokens(user.id, 'reset-password', nowMs), statement],
    mails: [buildResetMail(env, user, token)],
  })
}

/**
 * Sets a new password with the mailed token and ends every session. The token proves the mailbox, so failed sign-ins
 * and wrong mailed codes are cleared. Payouts are stopped: an attacker may have used the account.
 */
export async function resetPassword(call: PublicCallOf<typeof resetEndpoint>): Promise<Answer<Message>> {
  const { db, env, nowMs, body } = call
  const owner = await findTokenOwner(db, body.token, body.email, 'reset-password', nowMs)
  if (owner === null) return refuse('invalid_token')
  refuseGuessable('password', body.password, [owner.displayName, owner.email])
  const passwordHash = await hashPassword(body.password)
  const device = await newDevice()
  const { key } = await buildAccountCounter(owner.email)
  await call.commit({
    statements: [
      spendToken(owner.tokenHash, nowMs),
      ...replacePassword(db, { userId: owner.id, passwordHash, nowMs, cause: 'password_reset' }),
      // After the distrust, which forgets every device: this browser showed the mailbox.
      rememberDevice(call, owner.id, device.hash),
      sql`DELETE FROM rate_counters WHERE key = ${key}`,
      clearWrongMailedCodes(owner.id),
    ],
    audit: [{ action: 'password.reset', subject: owner.id }],
    mails: [await buildPasswordChangedMail(env, owner, nowMs, describeStoppedPayouts(owner.outgoing))],
  })
  return ok(
    { msg: 'Your password was changed. Please sign in with the new one.' },
    { 'Set-Cookie': await createDeviceCookie(env, device) },
  )
}
