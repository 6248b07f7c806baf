import { sql } from 'drizzle-orm'
import { mailDateText } from '../../../src/contract/dates.ts'
import type { login as loginEndpoint, SessionAnswer } from '../../../src/contract/identity/signIn.ts'
import { site } from '../../../src/site.ts'
import { recordAudit } from '../../http/audit.ts'
import { type ActorCall, type Answer, noContent, ok, type PublicCallOf } from '../../http/call.ts'
import type { SentProof } from '../../http/factorProof.ts'
import { iso } from '../../http/paging.ts'
import { dummyHash } from '../../lib/crypto/dummyHash.ts'
import { hashPassword, needsRehash, verifyPassword } from '../../lib/crypto/password.ts'
import { runBatch, type Statement } from '../../lib/database.ts'
import { refusalOfDatabase } from '../../lib/errors.ts'
import { deliverOutbox } from '../../lib/mail/outbox.ts'
import { runtime } from '../../lib/runtime.ts'
import { endSession } from '../credentials/distrust.ts'
import type { ChallengeScope } from '../factors/challenges.ts'
import { checkProof, hasFactor, proofMethods, proofMethodsWithoutApp, readProof } from '../factors/factors.ts'
import { beginSignIn, type Candidate, SIGN_IN, type SignIn } from './beginSignIn.ts'
import { deviceOf, openSession, passwordHasChanged, rememberDevice } from './openSession.ts'
import { noticesOfSignIn } from './signInNotice.ts'

type LoginCall = PublicCallOf<typeof loginEndpoint>

/**
 * Signs a user in. Refuses a wrong address and a wrong password with the same answer and work; then a closed
 * account, a disabled operator, a locked account, an unverified address, and a missing, wrong or used proof of the second factor.
 * An account that an operator froze may sign in and read.
 */
export async function login(call: LoginCall): Promise<Answer<SessionAnswer>> {
  const sent = await readProof(call.body)
  const attempt = await beginSignIn(call, sent)
  const { candidate } = attempt
  const hash = candidate?.passwordHash ?? attempt.waitingHash ?? dummyHash
  if (!(await verifyPassword(call.body.password, hash))) return attempt.fail('invalid_credentials')
  if (candidate === null) return attempt.drop('email_not_verified')
  if (candidate.closedAt !== null) {
    const msg = `This account was closed on ${mailDateText(candidate.closedAt, 'date')} and cannot be opened again. If you have a question, write to ${site.supportEmail}.`
    return attempt.drop('account_closed', { details: { msg }, statements: [] })
  }
  if (candidate.disabledAt !== null) return attempt.drop('operator_disabled')
  if (candidate.lockedAt !== null) return attempt.drop('account_locked')
  if (!hasFactor(candidate)) return enter(call, attempt, candidate, [])
  const scope: ChallengeScope = { ...SIGN_IN, userId: candidate.id }
  const proof = await checkProof(call, scope, candidate, sent)
  switch (proof.state) {
    case 'missing':
      return attempt.drop('two_factor_required', await proofMethods(call, scope, candidate))
    case 'too many codes':
      return attempt.drop(
        'too_many_codes',
        await proofMethodsWithoutApp(call, scope, candidate, proof.retryAfterSeconds),
      )
    case 'wrong code':
      return attempt.fail('invalid_sign_in_code')
    case 'wrong passkey':
      return attempt.fail('invalid_sign_in_passkey', await proofMethods(call, scope, candidate))
    case 'right':
      return enter(call, attempt, candidate, proof.spend, factorOf(candidate, sent))
  }
}

// A recovery code only signs in, so it is no factor of the session.
function factorOf(candidate: Candidate, sent: SentProof): 'totp' | 'passkey' | null {
  if (sent.isPasskey) return 'passkey'
  return candidate.recoveryHash === null ? 'totp' : null
}

async function enter(
  call: LoginCall,
  attempt: SignIn,
  candidate: Candidate,
  proof: readonly Statement[],
  factorBy: 'totp' | 'passkey' | null = null,
): Promise<Answer<SessionAnswer>> {
  const { db, nowMs } = call
  const userId = candidate.id
  const { device, cookie } = await deviceOf(call, candidate.knowsDevice === 1)
  const session = await openSession(call.env, db, {
    userId,
    passwordHash: candidate.passwordHash,
    nowMs,
    deviceHash: device.hash,
    ip: call.ip,
    userAgent: call.userAgent,
    factorBy,
  })
  const withRecoveryCode = hasFactor(candidate) && candidate.recoveryHash !== null
  const notices = await noticesOfSignIn(call, candidate, withRecoveryCode)
  try {
    await runBatch(db, [
      ...proof,
      ...attempt.passed(),
      session.statement,
      rememberDevice(call, userId, device.hash),
      ...(await renewHash(call, candidate)),
      recordAudit(db, userId, { action: 'session.opened', subject: userId }, nowMs),
      ...notices.statements,
    ])
  } catch (error) {
    // Another sign-in used the same proof meanwhile.
    const code = refusalOfDatabase(error)?.code
    if (code === 'invalid_code') return attempt.fail('invalid_sign_in_code')
    if (code === 'invalid_passkey') return attempt.fail('invalid_sign_in_passkey')
    if (code === 'account_locked') return attempt.drop(code)
    if (passwordHasChanged(error)) return attempt.fail('invalid_credentials')
    throw error
  }
  if (notices.mails) call.defer(() => deliverOutbox(call.env, db, runtime.now()))
  return ok(
    {
      token: session.token,
      name: candidate.displayName,
      email: candidate.email,
      role: candidate.role,
      expiresAt: iso(session.expiresAtMs),
    },
    cookie === null ? undefined : { 'Set-Cookie': cookie },
  )
}

// Replaces a hash with outdated cost parameters while the password is at hand.
async function renewHash(call: LoginCall, candidate: Candidate): Promise<Statement[]> {
  if (!needsRehash(candidate.passwordHash)) return []
  const passwordHash = await hashPassword(call.body.password)
  return [
    sql`UPDATE users SET password_hash = ${passwordHash}
      WHERE id = ${candidate.id} AND password_hash = ${candidate.passwordHash}`,
  ]
}

export async function logout(call: ActorCall): Promise<Answer<undefined>> {
  const { actor, nowMs } = call
  await call.commit({
    statements: [endSession(actor.session.id, nowMs)],
    audit: [{ action: 'session.ended', subject: actor.id }],
  })
  return noContent()
}
