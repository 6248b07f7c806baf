import { mailDateText } from '../../../src/contract/dates.ts'
import type { SessionAnswer } from '../../../src/contract/identity/signIn.ts'
import { site } from '../../../src/site.ts'
import { recordAudit } from '../../http/audit.ts'
import { type Answer, type Call, ok } from '../../http/call.ts'
import type { SentProof } from '../../http/factorProof.ts'
import { toIso } from '../../http/paging.ts'
import { runBatch, type Statement } from '../../lib/database.ts'
import { findDatabaseRefusal } from '../../lib/errors.ts'
import { deliverOutbox } from '../../lib/mail/outbox.ts'
import { runtime } from '../../lib/runtime.ts'
import type { ChallengeScope } from '../factors/challenges.ts'
import { buildProofMethods, buildProofMethodsWithoutApp, checkProof, hasFactor } from '../factors/factors.ts'
import { type Candidate, SIGN_IN, type SignIn } from './beginSignIn.ts'
import { ensureDevice, hasPasswordChanged, openSession, rememberDevice } from './openSession.ts'
import { buildSignInNotices } from './signInNotice.ts'

/** An account whose password was right, whose mailed link was opened, or whose passkey answered. */
export interface Entry {
  readonly attempt: SignIn
  readonly candidate: Candidate
  readonly sent: SentProof
  readonly by: 'password' | 'link' | 'passkey'
  /** What else the batch of the sign-in does. */
  readonly statements: () => Promise<readonly Statement[]>
}

/**
 * Signs in after the password or the mailed link was right. Refuses what `refuseBarred` does, and a missing, wrong or used proof of the
 * second factor.
 */
export async function completeSignIn(call: Call, entry: Entry): Promise<Answer<SessionAnswer>> {
  const { attempt, candidate, sent } = entry
  await refuseBarred(attempt, candidate)
  if (!hasFactor(candidate)) return enterAccount(call, entry, [])
  const scope: ChallengeScope = { ...SIGN_IN, userId: candidate.id }
  const proof = await checkProof(call, scope, candidate, sent)
  switch (proof.state) {
    case 'missing':
      return attempt.drop('two_factor_required', await buildProofMethods(call, scope, candidate))
    case 'too many codes':
      return attempt.drop(
        'too_many_codes',
        await buildProofMethodsWithoutApp(call, scope, candidate, proof.retryAfterSeconds),
      )
    case 'wrong code':
      return attempt.fail('invalid_sign_in_code')
    case 'wrong passkey':
      return attempt.fail('invalid_sign_in_passkey', await buildProofMethods(call, scope, candidate))
    case 'right':
      return enterAccount(call, entry, proof.spend, nameFactor(candidate, sent))
  }
}

const SIGN_IN_ACTIONS = {
  password: 'session.opened',
  link: 'session.opened_by_link',
  passkey: 'session.opened_by_passkey',
} as const

// A recovery code only signs in, so it is no factor of the session.
function nameFactor(candidate: Candidate, sent: SentProof): 'totp' | 'passkey' | null {
  if (sent.isPasskey) return 'passkey'
  return candidate.recoveryHash === null ? 'totp' : null
}

/**
 * Refuses a closed account, a disabled operator and a locked account. An account that an operator froze may sign in and read.
 */
export async function refuseBarred(attempt: SignIn, candidate: Candidate): Promise<void> {
  if (candidate.closedAt !== null) {
    const msg = `This account was closed on ${mailDateText(candidate.closedAt, 'date')} and cannot be opened again. If you have a question, write to ${site.supportEmail}.`
    await attempt.drop('account_closed', { details: { msg }, statements: [] })
  }
  if (candidate.disabledAt !== null) await attempt.drop('operator_disabled')
  if (candidate.lockedAt !== null) await attempt.drop('account_locked')
}

/** Opens the session, in one batch with the proof that is spent. */
export async function enterAccount(
  call: Call,
  { attempt, candidate, by, statements }: Entry,
  proof: readonly Statement[],
  factorBy: 'totp' | 'passkey' | null = null,
): Promise<Answer<SessionAnswer>> {
  const { db, nowMs } = call
  const userId = candidate.id
  const { device, cookie } = await ensureDevice(call, candidate.knowsDevice === 1)
  const session = await openSession(call.env, db, {
    userId,
    // A link ends with every change of the password.
    ...(by === 'password' && { passwordHash: candidate.passwordHash }),
    nowMs,
    deviceHash: device.hash,
    ip: call.ip,
    userAgent: call.userAgent,
    factorBy,
  })
  const withRecoveryCode = hasFactor(candidate) && candidate.recoveryHash !== null
  const action = SIGN_IN_ACTIONS[by]
  const notices = await buildSignInNotices(call, candidate, { action, withRecoveryCode })
  try {
    await runBatch(db, [
      ...proof,
      ...attempt.passed(),
      session.statement,
      ...(await statements()),
      rememberDevice(call, userId, device.hash),
      recordAudit(db, userId, { action, subject: userId }, nowMs),
      ...notices.statements,
    ])
  } catch (error) {
    // Another sign-in used the same link or proof meanwhile, or the account changed.
    const code = findDatabaseRefusal(error)?.code
    if (code === 'invalid_token') return attempt.drop(code)
    if (code === 'invalid_code') return attempt.fail('invalid_sign_in_code')
    if (code === 'invalid_passkey') return attempt.fail('invalid_sign_in_passkey')
    if (code === 'account_locked') return attempt.drop(code)
    if (hasPasswordChanged(error)) return attempt.fail('invalid_credentials')
    throw error
  }
  if (notices.mails) call.defer(() => deliverOutbox(call.env, db, runtime.now()))
  return ok(
    {
      token: session.token,
      name: candidate.displayName,
      email: candidate.email,
      role: candidate.role,
      expiresAt: toIso(session.expiresAtMs),
    },
    cookie === null ? undefined : { 'Set-Cookie': cookie },
  )
}
