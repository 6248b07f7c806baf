import { and, eq, isNull, sql } from 'drizzle-orm'
import type { Message } from '../../../src/contract/common.ts'
import {
  type resendVerification as resendEndpoint,
  type SessionAnswer,
  VERIFIED_ALREADY,
  type verifyEmail as verifyEmailEndpoint,
} from '../../../src/contract/identity/signIn.ts'
import { type Answer, type Call, ok, type PublicCallOf } from '../../http/call.ts'
import { toIso } from '../../http/paging.ts'
import { openBooks } from '../../ledger/accounts.ts'
import { sha256Hex } from '../../lib/crypto/tokens.ts'
import { isConstraintError, refuse } from '../../lib/errors.ts'
import { buildFoldedNames } from '../../lib/foldName.ts'
import { users } from '../../lib/tables/people.ts'
import { takeMailAllowance, VERIFICATION_MAILS } from '../credentials/mailAllowance.ts'
import { buildVerificationMail } from './mails.ts'
import { openSession, rememberDevice } from './openSession.ts'
import { newReferralCode } from './register.ts'
import {
  findNewestRegistration,
  findRegistration,
  openVerificationToken,
  type Registration,
} from './registrations.ts'

type VerifyCall = PublicCallOf<typeof verifyEmailEndpoint>
type VerificationAnswer = Message & { session?: SessionAnswer }

/**
 * Opens the account of the registration whose link was opened, with its password, names and referral, and ends all others of
 * that address. Refuses `invalid_token` if the token is wrong, used or expired; to the owner of the account that it opened, with
 * the reason `verified_already`. The browser that registered gets the account's first session: whoever uses it chose the
 * password, and now showed the mailbox. The link alone opens none.
 */
export async function verifyEmail(call: VerifyCall): Promise<Answer<VerificationAnswer>> {
  const { db, env, nowMs, body } = call
  const id = await openVerificationToken(env, body.verificationToken)
  if (id === null) return refuse('invalid_token')
  const [[registration], [account]] = await db.batch([
    findRegistration(db, id, body.email, nowMs),
    findAccount(call, id),
  ])
  if (account !== undefined) return refuseUsedLink()
  if (registration === undefined) return refuse('invalid_token')
  return openAccount(call, registration)
}

/** The account that a registration became, while it still has that address. */
function findAccount({ db, body }: VerifyCall, id: string) {
  return db
    .select({ id: users.id })
    .from(users)
    .where(and(eq(users.id, id), eq(users.email, body.email), isNull(users.closedAt)))
}

function refuseUsedLink(): never {
  refuse('invalid_token', {
    msg: 'Your e-mail address is verified already. You can sign in.',
    reasons: [VERIFIED_ALREADY],
  })
}

async function openAccount(
  call: VerifyCall,
  registration: Registration,
): Promise<Answer<VerificationAnswer>> {
  const { db, nowMs } = call
  const { id, email, displayName, deviceHash } = registration
  const opened =
    call.device?.hash === deviceHash
      ? await openSession(call.env, db, {
          userId: id,
          nowMs,
          deviceHash,
          ip: call.ip,
          userAgent: call.userAgent,
        })
      : null
  try {
    await call.commit({
      statements: [
        db.insert(users).values({
          // NOT NULL aborts the batch if another call used or ended the registration meanwhile.
          id: sql`(SELECT id FROM registrations WHERE id = ${id})`,
          role: 'investor',
          email,
          fullname: registration.fullname,
          displayName,
          ...buildFoldedNames(registration),
          phone: registration.phone,
          country: registration.country,
          passwordHash: registration.passwordHash,
          emailVerifiedAt: nowMs,
          createdAt: nowMs,
          referralCode: newReferralCode(),
          // A referrer who closed their account meanwhile is not recorded.
          referredBy: sql`(SELECT id FROM users WHERE id = ${registration.referredBy} AND closed_at IS NULL)`,
          termsVersion: registration.termsVersion,
          termsAcceptedAt: registration.termsVersion === null ? null : registration.createdAt,
        }),
        openBooks(db, id),
        rememberDevice(call, id, deviceHash),
        ...(opened ? [opened.statement] : []),
        sql`DELETE FROM registrations WHERE email = ${email}`,
      ],
      audit: [
        { action: 'account.opened', subject: id },
        { action: 'email.verified', subject: id },
        ...(opened ? [{ action: 'session.opened', subject: id } as const] : []),
      ],
    })
  } catch (error) {
    if (
      !isConstraintError(error, 'NOT NULL', 'users.id') &&
      !isConstraintError(error, 'UNIQUE', 'users.email')
    )
      throw error
    const [account] = await findAccount(call, id)
    return account === undefined ? refuse('invalid_token') : refuseUsedLink()
  }
  return ok({
    msg: 'Your e-mail address is verified. You can sign in now.',
    ...(opened && {
      session: {
        token: opened.token,
        name: displayName,
        email,
        role: 'investor' as const,
        expiresAt: toIso(opened.expiresAtMs),
      },
    }),
  })
}

/**
 * Mails the verification link again if needed. Work that depends on the account runs after the answer, which is always the
 * same.
 */
export async function resendVerification(
  call: PublicCallOf<typeof resendEndpoint>,
): Promise<Answer<Message>> {
  call.defer(() => mailVerificationLink(call, call.body.email))
  return ok({
    msg: 'If this address has an account that is not verified yet, we have sent a new link to it.',
  })
}

/** Mails the link of the registration that this browser made, or else of the newest one, if the address has any. */
export async function mailVerificationLink(call: Call, email: string): Promise<void> {
  const { db, env, nowMs } = call
  const [registration] = await findNewestRegistration(db, email, call.device?.hash ?? null, nowMs)
  if (
    registration === undefined ||
    !(await takeMailAllowance(call, await sha256Hex(email), VERIFICATION_MAILS))
  )
    return
  await call.commit({ mails: [await buildVerificationMail(env, registration)] })
}
