import { and, eq, isNull, ne } from 'drizzle-orm'
import type { Message } from '../../../src/contract/common.ts'
import type { register as registerEndpoint } from '../../../src/contract/identity/registration.ts'
import { type Answer, created, type PublicCallOf } from '../../http/call.ts'
import { createDeviceCookie, newDevice } from '../../http/device.ts'
import { hashPassword } from '../../lib/crypto/password.ts'
import { generateText, newId, UNAMBIGUOUS } from '../../lib/crypto/tokens.ts'
import type { Env } from '../../lib/env.ts'
import { findDatabaseRefusal, refuseField } from '../../lib/errors.ts'
import { toNetworkAddress } from '../../lib/networkAddress.ts'
import { registrations, users } from '../../lib/tables/people.ts'
import { REGISTERED_ALREADY_MAILS, takeMailAllowance } from '../credentials/mailAllowance.ts'
import { refuseGuessable } from '../credentials/refuseGuessable.ts'
import { buildAlreadyClosedMail, buildAlreadyRegisteredMail, buildVerificationMail } from './mails.ts'
import type { Registration } from './registrations.ts'

type RegisterCall = PublicCallOf<typeof registerEndpoint>

const ANSWER: Message = { msg: 'Thank you. We have sent you a link to verify your e-mail address.' }

/**
 * Mails a link that opens an account with the sent data. If the address has an account, the answer and the work are the same,
 * and the owner gets a mail: the answer does not reveal who has one. Refuses a guessable password and an unknown `referralID`.
 */
export async function register(call: RegisterCall): Promise<Answer<Message>> {
  const { email, referralID, password, fullname, displayName = '' } = call.body
  refuseGuessable('password', password, [fullname, displayName, email])
  const [[holder], [referrer]] = await call.db.batch([
    selectHolder(call, email),
    call.db
      .select({ id: users.id })
      .from(users)
      .where(
        and(
          eq(users.referralCode, referralID?.toLowerCase() ?? ''),
          isNull(users.closedAt),
          // The platform itself is no referrer.
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
  else await storeRegistration(call, passwordHash, referrer?.id ?? null, device.hash)
  return created(ANSWER, { 'Set-Cookie': await createDeviceCookie(call.env, device) })
}

/** Stores the registration and mails its link, unless the limits of the address are reached. */
async function storeRegistration(
  call: RegisterCall,
  passwordHash: string,
  referredBy: string | null,
  deviceHash: string,
): Promise<void> {
  const { body, db, env, nowMs } = call
  const registration: Registration = {
    id: newId(),
    email: body.email,
    fullname: body.fullname,
    displayName: body.displayName ?? body.fullname,
    phone: body.phone,
    country: body.country,
    passwordHash,
    referredBy,
    termsVersion: body.acceptedTerms ?? null,
    deviceHash,
    network: toNetworkAddress(call.ip),
    createdAt: nowMs,
  }
  try {
    await call.commit({
      statements: [db.insert(registrations).values(registration)],
      mails: [await buildVerificationMail(env, registration)],
    })
  } catch (error) {
    if (findDatabaseRefusal(error)?.code !== 'too_many_requests') throw error
  }
}

interface Holder {
  readonly id: string
  readonly email: string
  readonly displayName: string
  readonly emailVerifiedAt: number | null
  readonly closedAt: number | null
}

function selectHolder(call: RegisterCall, email: string) {
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
  if (await takeMailAllowance(call, holder.id, REGISTERED_ALREADY_MAILS))
    call.defer(() =>
      call.commit({
        mails: [
          holder.closedAt === null
            ? buildAlreadyRegisteredMail(call.env, holder)
            : buildAlreadyClosedMail(holder, holder.closedAt),
        ],
      }),
    )
}

/** 40 random bits in lower case, without letters that look like digits. */
export function newReferralCode(): string {
  return generateText(8, UNAMBIGUOUS)
}

/** The link to register with a referral code. */
export function buildReferralLink(env: Pick<Env, 'PUBLIC_ORIGIN'>, code: string): string {
  return `${env.PUBLIC_ORIGIN}/sign-up?ref=${code}`
}
