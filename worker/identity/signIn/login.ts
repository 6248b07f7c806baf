import { sql } from 'drizzle-orm'
import type { login as loginEndpoint, SessionAnswer } from '../../../src/contract/identity/signIn.ts'
import { type ActorCall, type Answer, noContent, type PublicCallOf } from '../../http/call.ts'
import { dummyHash } from '../../lib/crypto/dummyHash.ts'
import { hashPassword, shouldRehash, verifyPassword } from '../../lib/crypto/password.ts'
import type { Statement } from '../../lib/database.ts'
import { endSession } from '../credentials/distrust.ts'
import { readProof } from '../factors/factors.ts'
import { beginSignIn, type Candidate } from './beginSignIn.ts'
import { completeSignIn } from './completeSignIn.ts'

type LoginCall = PublicCallOf<typeof loginEndpoint>

/**
 * Signs a user in by password. Refuses a wrong address and a wrong password with the same answer and work; then an unverified
 * address, and what `completeSignIn` refuses.
 */
export async function login(call: LoginCall): Promise<Answer<SessionAnswer>> {
  const sent = await readProof(call.body)
  const attempt = await beginSignIn(call, sent)
  const { candidate } = attempt
  const hash = candidate?.passwordHash ?? attempt.waitingHash ?? dummyHash
  if (!(await verifyPassword(call.body.password, hash))) return attempt.fail('invalid_credentials')
  if (candidate === null) return attempt.drop('email_not_verified')
  return completeSignIn(call, {
    attempt,
    candidate,
    sent,
    by: 'password',
    statements: () => renewHash(call, candidate),
  })
}

// Replaces a hash with outdated cost parameters while the password is at hand.
async function renewHash(call: LoginCall, candidate: Candidate): Promise<Statement[]> {
  if (!shouldRehash(candidate.passwordHash)) return []
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
