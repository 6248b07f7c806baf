import { sql } from 'drizzle-orm'
import type { Call } from '../../http/call.ts'
import type { SentProof } from '../../http/factorProof.ts'
import { isOn } from '../factors/factors.ts'
import { beginSignIn, type Candidate, type SignIn } from '../signIn/beginSignIn.ts'

/** What a request for recovery needs to know of an account, beside what a sign-in does. */
export interface RecoveryState {
  readonly frozenAt: number | null
  /** The request that is filed and has not ended, if any. */
  readonly openId: string | null
  /** The newest request whose mailed code is alive. */
  readonly askedId: string | null
  readonly codeHash: string | null
}

const NO_PROOF: SentProof = { code: undefined, recoveryHash: null, answer: null, isPasskey: false }

/** A mailed code takes so many wrong tries. */
const CODE_TRIES = 5

/** Counts the try like a sign-in's and finds the account with its requests, in one round trip. Refuses 429 as a sign-in does. */
export function beginRecovery(
  call: Call & { readonly body: { readonly email: string } },
): Promise<SignIn<RecoveryState>> {
  const live = sql`investor = u.id AND expires_at > ${call.nowMs} AND tries < ${CODE_TRIES} ORDER BY seq DESC LIMIT 1`
  return beginSignIn<RecoveryState>(
    call,
    NO_PROOF,
    sql`u.frozen_at AS frozenAt,
        (SELECT id FROM factor_recoveries WHERE investor = u.id AND filed_at IS NOT NULL AND ended_at IS NULL) AS openId,
        (SELECT id FROM factor_recoveries WHERE ${live}) AS askedId,
        (SELECT code_hash FROM factor_recoveries WHERE ${live}) AS codeHash`,
  )
}

/** Whether recovery is for this account: an investor's, verified, neither closed nor locked, with a second factor on. */
export function isRecoverable(candidate: Candidate & RecoveryState): boolean {
  const { role, emailVerifiedAt, closedAt, frozenAt } = candidate
  return (
    role === 'investor' &&
    emailVerifiedAt !== null &&
    closedAt === null &&
    frozenAt === null &&
    isOn(candidate)
  )
}
