import type { login } from '../../src/contract/auth.ts'
import type { BodyOf } from '../../src/contract/endpoint.ts'
import type { CheckedCall } from '../lib/call.ts'
import { recoveryCodeHash } from './secondFactor.ts'
import { HABITS, type Habits, noticeFailedSignIn } from './signInNotice.ts'
import {
  type Admission,
  accountCounter,
  addressCounter,
  beginTry,
  deviceCounter,
  type Ending,
  endingOf,
  refuseTry,
} from './tries.ts'

type LoginCall = CheckedCall<BodyOf<typeof login>, undefined>

/** Whose password is to be checked, with all that a sign-in decides by. */
export interface Candidate extends Habits {
  readonly id: string
  readonly email: string
  readonly role: 'investor' | 'operator'
  readonly displayName: string
  readonly passwordHash: string
  readonly emailVerifiedAt: number | null
  /** Null where the second factor is off. */
  readonly secretSealed: string | null
  readonly lastStep: number
  /** The hash of the code that was sent, where it is an unused recovery code of theirs. */
  readonly recoveryHash: string | null
}

/** A sign-in that was let in to have its password checked, and counts. */
export interface SignIn extends Ending {
  readonly candidate: Candidate | null
}

/**
 * Counts the try and finds the candidate, in one round trip. Refuses with 429 once too many have failed, unless the
 * request comes from a device that the account knows: then a right password still gets in, a wrong one is that 429.
 */
export async function beginSignIn(call: LoginCall): Promise<SignIn> {
  const { env, body, ip } = call
  const { row: candidate, admission } = await beginTry<Candidate>(
    env,
    [await accountCounter(body.email), addressCounter(ip)],
    await findCandidate(call),
    // Who is known by their device need not wait for others' tries.
    (row) => row?.knowsDevice === 1,
  )
  if (admission.state === 'begun') return signIn(call, candidate, admission.reserved, null)
  if (candidate === null || candidate.knowsDevice === 0) return refuseTry(admission.retryAfterSeconds)
  const further = await beginTry<Candidate>(
    env,
    [deviceCounter(candidate.id, call.deviceHash ?? '')],
    await findCandidate(call),
  )
  if (further.admission.state === 'full') return refuseTry(further.admission.retryAfterSeconds)
  return signIn(call, further.row, further.admission.reserved, admission.retryAfterSeconds)
}

type Reserved = Extract<Admission, { state: 'begun' }>['reserved']

function signIn(
  call: LoginCall,
  candidate: Candidate | null,
  reserved: Reserved,
  overLimitSeconds: number | null,
): SignIn {
  const ending = endingOf(
    call.db,
    reserved,
    overLimitSeconds === null ? undefined : () => refuseTry(overLimitSeconds),
  )
  return {
    ...ending,
    candidate,
    fail: (code) =>
      ending.fail(code).finally(() => {
        if (candidate !== null) call.defer(noticeFailedSignIn(call, candidate))
      }),
  }
}

async function findCandidate(call: LoginCall): Promise<D1PreparedStatement> {
  const { email, code } = call.body
  const recoveryHash = code === undefined ? null : await recoveryCodeHash(code)
  return call.env.DB.prepare(
    `SELECT u.id, u.email, u.role, u.display_name AS displayName, u.password_hash AS passwordHash,
            u.email_verified_at AS emailVerifiedAt, f.secret_sealed AS secretSealed, coalesce(f.last_step, 0) AS lastStep,
            (SELECT r.code_hash FROM recovery_codes r
             WHERE r.user_id = u.id AND r.code_hash = ?2 AND r.used_at IS NULL) AS recoveryHash,
            EXISTS (SELECT 1 FROM devices d WHERE d.user_id = u.id AND d.device_hash = ?3) AS knowsDevice,
            ${HABITS}
     FROM users u LEFT JOIN second_factors f ON f.user_id = u.id AND f.enabled_at IS NOT NULL
     WHERE u.email = ?1`,
  ).bind(email, recoveryHash ?? '', call.deviceHash ?? '')
}
