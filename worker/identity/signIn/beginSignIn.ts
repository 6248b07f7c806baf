import { type SQL, sql } from 'drizzle-orm'
import type { Call } from '../../http/call.ts'
import type { Factors, SentProof } from '../../http/factorProof.ts'
import { prepare } from '../../lib/database.ts'
import {
  type Admission,
  beginTry,
  buildAccountCounter,
  buildAddressCounter,
  buildDeviceCounter,
  buildEnding,
  refuseTry,
  type TryOutcome,
} from '../credentials/tries.ts'
import { selectFactorColumns } from '../factors/factors.ts'
import { selectWaitingPasswordHash } from './registrations.ts'
import { HABITS, type Habits, recordFailedSignIn } from './signInNotice.ts'

type SignInCall = Call & { readonly body: { readonly email: string } }

/** The purpose and context of a passkey's challenge at sign-in. */
export const SIGN_IN = { purpose: 'sign-in', context: '' } as const

/** The account whose password is checked, with all facts that a sign-in depends on. */
export interface Candidate extends Habits, Factors {
  readonly id: string
  readonly email: string
  readonly role: 'investor' | 'operator'
  readonly displayName: string
  readonly passwordHash: string
  readonly emailVerifiedAt: number | null
  readonly closedAt: number | null
  /** When the owner locked the account. */
  readonly lockedAt: number | null
  /** When an administrator disabled an operator. */
  readonly disabledAt: number | null
}

/** An admitted sign-in attempt. */
export interface SignIn<More = unknown> extends TryOutcome {
  readonly candidate: (Candidate & More) | null
  /** Without a candidate: the password hash of a registration that waits for its link to be opened, if there is one. */
  readonly waitingHash: string | null
}

/** The row that a sign-in reads. All columns of the candidate are null if the address has no account. */
type SignInRow<More> = { readonly waitingHash: string | null } & ((Candidate & More) | { readonly id: null })

/** SQL: the columns of `Candidate` for the user `u`. */
export function selectCandidateColumns({ env, device, nowMs }: Call, proof: SentProof): SQL {
  return sql`
    u.id, u.email, u.role, u.display_name AS displayName, u.password_hash AS passwordHash,
    u.email_verified_at AS emailVerifiedAt, u.closed_at AS closedAt, u.locked_at AS lockedAt,
    u.disabled_at AS disabledAt, ${selectFactorColumns(env, proof, SIGN_IN, nowMs)},
    EXISTS (SELECT 1 FROM devices d WHERE d.user_id = u.id AND d.device_hash = ${device?.hash ?? ''}) AS knowsDevice,
    ${sql.raw(HABITS)}`
}

function pickCandidate<More>(found: SignInRow<More> | null): (Candidate & More) | null {
  return found === null || found.id === null ? null : found
}

/**
 * Counts the try and reads the candidate, in one round trip. Refuses 429 after too many failures. From a known device a right
 * password still signs in, and a wrong one is 429.
 * @param more further columns about the user `u`, as `More` names them
 */
export async function beginSignIn<More = unknown>(
  call: SignInCall,
  proof: SentProof,
  more: SQL = sql`1 AS found`,
): Promise<SignIn<More>> {
  const { env, body, ip } = call
  const { row: found, admission } = await beginTry<SignInRow<More>>(
    env,
    [await buildAccountCounter(body.email), buildAddressCounter(ip)],
    findCandidate(call, proof, more),
    // A known device need not wait for other tries.
    (row) => pickCandidate(row)?.knowsDevice === 1,
  )
  const candidate = pickCandidate(found)
  if (admission.state === 'begun') return signIn(call, found, admission.reserved, null)
  if (candidate === null || candidate.knowsDevice === 0) return refuseTry(admission.retryAfterSeconds)
  const further = await beginTry<SignInRow<More>>(
    env,
    [buildDeviceCounter(candidate.id, call.device?.hash ?? '')],
    findCandidate(call, proof, more),
  )
  if (further.admission.state === 'full') return refuseTry(further.admission.retryAfterSeconds)
  return signIn(call, further.row, further.admission.reserved, admission.retryAfterSeconds)
}

type ReservedPlaces = Extract<Admission, { state: 'begun' }>['reserved']

function signIn<More>(
  call: SignInCall,
  found: SignInRow<More> | null,
  reserved: ReservedPlaces,
  overLimitSeconds: number | null,
): SignIn<More> {
  const ending = buildEnding(
    call.db,
    reserved,
    overLimitSeconds === null ? undefined : () => refuseTry(overLimitSeconds),
  )
  const candidate = pickCandidate(found)
  return {
    ...ending,
    ...withFailureNotice(call, candidate, ending),
    candidate,
    waitingHash: found?.waitingHash ?? null,
  }
}

/** A `fail` that also records the failed sign-in for the owner, and mails them at the limit. */
export function withFailureNotice(
  call: Call,
  candidate: Candidate | null,
  { fail }: TryOutcome,
): Pick<TryOutcome, 'fail'> {
  return {
    fail: (code, more) =>
      fail(code, more).finally(() => {
        if (candidate !== null && candidate.closedAt === null)
          call.defer(() => recordFailedSignIn(call, candidate))
      }),
  }
}

function findCandidate(call: SignInCall, proof: SentProof, more: SQL): D1PreparedStatement {
  return prepare(
    call.db,
    sql`
     SELECT ${selectCandidateColumns(call, proof)}, ${more},
            ${selectWaitingPasswordHash(call.body.email, call.device?.hash ?? null, call.nowMs)} AS waitingHash
     FROM (SELECT 1) LEFT JOIN users u ON u.email = ${call.body.email}`,
  )
}
