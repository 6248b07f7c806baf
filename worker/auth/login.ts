import { and, eq } from 'drizzle-orm'
import type { login as loginEndpoint, SessionAnswer } from '../../src/contract/auth.ts'
import type { BodyOf } from '../../src/contract/endpoint.ts'
import { recordAudit } from '../lib/audit.ts'
import { type Answer, type CheckedCall, ok } from '../lib/call.ts'
import { dummyHash, hashPassword, needsRehash, verifyPassword } from '../lib/crypto/password.ts'
import { runBatch, type Statement } from '../lib/database.ts'
import { refusalOfDatabase } from '../lib/errors.ts'
import { deliverOutbox } from '../lib/mail/outbox.ts'
import { iso } from '../lib/paging.ts'
import { beginSignIn, type Candidate, type SignIn } from './beginSignIn.ts'
import { deviceOf, rememberDevice } from './device.ts'
import { openSession, passwordHasChanged } from './openSession.ts'
import { spendCode } from './secondFactor.ts'
import { noticesOfSignIn } from './signInNotice.ts'
import { users } from './tables.ts'

type LoginCall = CheckedCall<BodyOf<typeof loginEndpoint>, undefined>

/**
 * Signs somebody in. Refuses a wrong address and a wrong password alike, after the same work; then an unverified
 * address; then a missing, wrong or used code. A frozen account signs in: it may be read.
 */
export async function login(call: LoginCall): Promise<Answer<SessionAnswer>> {
  const attempt = await beginSignIn(call)
  const { candidate } = attempt
  const isRight = await verifyPassword(call.body.password, candidate?.passwordHash ?? dummyHash)
  if (candidate === null || !isRight) return attempt.fail('invalid_credentials')
  if (candidate.emailVerifiedAt === null) return attempt.drop('email_not_verified')
  if (candidate.secretSealed !== null && call.body.code === undefined)
    return attempt.drop('two_factor_required')
  const proof = await secondFactorProof(call, candidate)
  if (proof === null) return attempt.fail('invalid_sign_in_code')
  return enter(call, attempt, candidate, proof)
}

/** What uses the code up; nothing to use where there is no second factor; null when the code is wrong. */
async function secondFactorProof(call: LoginCall, candidate: Candidate): Promise<Statement[] | null> {
  const { id, secretSealed, lastStep, recoveryHash } = candidate
  if (secretSealed === null) return []
  return spendCode(call, id, { secretSealed, lastStep, recoveryHash }, call.body.code ?? '')
}

function usesRecoveryCode({ secretSealed, recoveryHash }: Candidate): boolean {
  return secretSealed !== null && recoveryHash !== null
}

async function enter(
  call: LoginCall,
  attempt: SignIn,
  candidate: Candidate,
  proof: readonly Statement[],
): Promise<Answer<SessionAnswer>> {
  const { db, nowMs } = call
  const userId = candidate.id
  const device = await deviceOf(call)
  const session = await openSession(db, {
    userId,
    passwordHash: candidate.passwordHash,
    nowMs,
    deviceHash: device.hash,
    ip: call.ip,
    userAgent: call.userAgent,
  })
  const notices = await noticesOfSignIn(call, candidate, usesRecoveryCode(candidate))
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
    // Another sign-in used the same code a moment earlier.
    if (refusalOfDatabase(error)?.code === 'invalid_code') return attempt.fail('invalid_sign_in_code')
    if (passwordHasChanged(error)) return attempt.fail('invalid_credentials')
    throw error
  }
  if (notices.mails) call.defer(deliverOutbox(call.env, db, Date.now()))
  return ok(
    {
      token: session.token,
      name: candidate.displayName,
      email: candidate.email,
      role: candidate.role,
      expiresAt: iso(session.expiresAtMs),
    },
    device.cookie === null ? undefined : { 'Set-Cookie': device.cookie },
  )
}

// Only now is the password known again: a hash of an older cost is replaced.
async function renewHash(call: LoginCall, candidate: Candidate): Promise<Statement[]> {
  if (!needsRehash(candidate.passwordHash)) return []
  const passwordHash = await hashPassword(call.body.password)
  return [
    call.db
      .update(users)
      .set({ passwordHash })
      .where(and(eq(users.id, candidate.id), eq(users.passwordHash, candidate.passwordHash))),
  ]
}
