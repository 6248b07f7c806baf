import { and, eq, isNull, ne } from 'drizzle-orm'
import type { Message } from '../../../src/contract/common.ts'
import type { register as registerEndpoint } from '../../../src/contract/identity/registration.ts'
import { type Answer, created, type PublicCallOf } from '../../http/call.ts'
import { deviceCookie, newDevice } from '../../http/cookies.ts'
import { openBooks } from '../../ledger/accounts.ts'
import { hashPassword } from '../../lib/crypto/password.ts'
import { newId, randomText, UNAMBIGUOUS } from '../../lib/crypto/tokens.ts'
import type { Env } from '../../lib/env.ts'
import { refuseField, violates } from '../../lib/errors.ts'
import { foldedNames } from '../../lib/foldName.ts'
import { users } from '../../lib/tables/people.ts'
import { newEmailToken } from '../credentials/emailTokens.ts'
import { mayMail, REGISTERED_ALREADY_MAILS } from '../credentials/mailAllowance.ts'
import { refuseGuessable } from '../credentials/refuseGuessable.ts'
import { alreadyClosedMail, registeredAlreadyMail, verificationMail } from './mails.ts'
import { rememberDevice } from './openSession.ts'

type RegisterCall = PublicCallOf<typeof registerEndpoint>

const ANSWER: Message = { msg: 'Thank you. We have sent you a link to verify your e-mail address.' }

/**
 * Opens an account. If the address has one, the answer and the work are the same, and the owner gets a mail: the answer does
 * not reveal who has an account. Refuses a guessable password and an unknown `referralID`.
 */
export async function register(call: RegisterCall): Promise<Answer<Message>> {
  const { email, referralID, password, fullname, displayName = '' } = call.body
  refuseGuessable('password', password, [fullname, displayName, email])
  const [[holder], [referrer]] = await call.db.batch([
    holderOf(call, email),
    call.db
      .select({ id: users.id })
      .from(users)
      .where(
        and(
          eq(users.referralCode, referralID?.toLowerCase() ?? ''),
          isNull(users.closedAt),
          // The platform itself invites nobody.
          ne(users.id, 'system'),
        ),
      ),
  ])
  if (referralID !== undefined && referrer === undefined)
    refuseField('referralID', 'There is no such referral ID. Leave it empty if you have none')
  const passwordHash = await hashPassword(password)
  // The cookie proves in verifyEmail that the link was opened where the password was chosen. Everybody gets one.
  const device = await newDevice()
  if (holder) await mailHolder(call, holder)
  else await openAccount(call, passwordHash, referrer?.id ?? null, device.hash)
  return created(ANSWER, { 'Set-Cookie': await deviceCookie(call.env, device) })
}

async function openAccount(
  call: RegisterCall,
  passwordHash: string,
  referredBy: string | null,
  deviceHash: string,
) {
  const { body, db, env, nowMs } = call
  const id = newId()
  const displayName = body.displayName ?? body.fullname
  const { token, statement: keepToken } = await newEmailToken(db, id, 'verify-email', nowMs)
  const insertUser = db.insert(users).values({
    id,
    role: 'investor',
    email: body.email,
    fullname: body.fullname,
    displayName,
    ...foldedNames({ fullname: body.fullname, displayName }),
    phone: body.phone,
    country: body.country,
    passwordHash,
    createdAt: nowMs,
    referralCode: newReferralCode(),
    referredBy,
    termsVersion: body.acceptedTerms ?? null,
    termsAcceptedAt: body.acceptedTerms === undefined ? null : nowMs,
  })
  try {
    await call.commit({
      statements: [insertUser, openBooks(db, id), keepToken, rememberDevice(call, id, deviceHash)],
      audit: [{ action: 'account.opened', subject: id }],
      mails: [verificationMail(env, { email: body.email }, token)],
    })
  } catch (error) {
    // UNIQUE on "email" lets only one of two parallel registrations through.
    if (!violates(error, 'UNIQUE', 'users.email')) throw error
    const [holder] = await holderOf(call, body.email)
    if (holder) await mailHolder(call, holder)
  }
}

interface Holder {
  readonly id: string
  readonly email: string
  readonly displayName: string
  readonly emailVerifiedAt: number | null
  readonly closedAt: number | null
}

function holderOf(call: RegisterCall, email: string) {
  return call.db
    .select({
      id: users.id,
      email: users.email,
      displayName: users.displayName,
      emailVerifiedAt: users.emailVerifiedAt,
      closedAt: users.closedAt,
    })
    .from(users)
    .where(eq(users.email, email))
}

async function mailHolder(call: RegisterCall, holder: Holder): Promise<void> {
  if (await mayMail(call, holder.id, REGISTERED_ALREADY_MAILS))
    call.defer(() =>
      call.commit({
        mails: [
          holder.closedAt === null
            ? registeredAlreadyMail(call.env, holder)
            : alreadyClosedMail(holder, holder.closedAt),
        ],
      }),
    )
}

/** 40 random bits in lower case, without letters that look like digits. */
export function newReferralCode(): string {
  return randomText(8, UNAMBIGUOUS)
}

/** The link to register with a referral code. */
export function referralLink(env: Pick<Env, 'PUBLIC_ORIGIN'>, code: string): string {
  return `${env.PUBLIC_ORIGIN}/sign-up?ref=${code}`
}
