import { sql } from 'drizzle-orm'
import type { PasskeyQuestion } from '../../../src/contract/fields.ts'
import type {
  beginPasskeySignIn as beginEndpoint,
  SessionAnswer,
  signInWithPasskey as useEndpoint,
} from '../../../src/contract/identity/signIn.ts'
import { type Answer, ok, type PublicCallOf } from '../../http/call.ts'
import { sign, verifySignature } from '../../lib/crypto/signature.ts'
import { decodeBase64url, encodeBase64url, generateToken } from '../../lib/crypto/tokens.ts'
import { prepare } from '../../lib/database.ts'
import type { Env } from '../../lib/env.ts'
import { refuse } from '../../lib/errors.ts'
import { passkeyChallenges } from '../../lib/tables/people.ts'
import { beginTry, buildAddressCounter, buildEnding, refuseTry } from '../credentials/tries.ts'
import { ANSWER_MS, type ChallengeScope, getRelyingPartyId } from '../factors/challenges.ts'
import { readProof } from '../factors/factors.ts'
import { parseKeys } from '../factors/keys.ts'
import { verifyAnswer } from '../factors/verify.ts'
import { type Candidate, selectCandidateColumns, withFailureNotice } from './beginSignIn.ts'
import { enterAccount, refuseBarred } from './completeSignIn.ts'

const LABEL = 'passkey-sign-in'

/** The challenge for a sign-in by passkey alone. It is signed instead of stored, because nobody is known yet. */
export async function beginPasskeySignIn({
  env,
  nowMs,
}: PublicCallOf<typeof beginEndpoint>): Promise<Answer<PasskeyQuestion>> {
  const issued = `${nowMs}.${generateToken(16)}`
  const signed = `${issued}.${await sign(env.VAULT_KEYS, LABEL, issued)}`
  return ok({
    challenge: encodeBase64url(new TextEncoder().encode(signed)),
    rpId: getRelyingPartyId(env),
    timeout: ANSWER_MS,
    userVerification: 'required',
    // Empty: the device offers its own passkeys for this site, and the answer says whose it is.
    allowCredentials: [],
  })
}

/**
 * Signs in with a passkey alone: it is something that its owner has, and the device verified who they are. Refuses a challenge that we did
 * not issue, an expired or used one, a device that did not verify its user, and what `refuseBarred` refuses.
 */
export async function signInWithPasskey(
  call: PublicCallOf<typeof useEndpoint>,
): Promise<Answer<SessionAnswer>> {
  const { db, env, nowMs, ip, body } = call
  const sent = await readProof(body)
  const { answer } = sent
  const issuedMs = answer === null ? null : await readIssuedMs(env, answer.challenge)
  if (answer === null || issuedMs === null || nowMs - issuedMs > ANSWER_MS)
    return refuse('invalid_sign_in_passkey')
  const { row: candidate, admission } = await beginTry<Candidate>(
    env,
    [buildAddressCounter(ip)],
    prepare(
      db,
      sql`SELECT ${selectCandidateColumns(call, sent)} FROM passkeys k JOIN users u ON u.id = k.user_id
        WHERE k.credential_id = ${answer.credentialId}`,
    ),
  )
  if (admission.state === 'full') return refuseTry(admission.retryAfterSeconds)
  const ending = buildEnding(db, admission.reserved)
  if (candidate === null) return ending.fail('invalid_sign_in_passkey')
  const attempt = { ...ending, ...withFailureNotice(call, candidate, ending), candidate, waitingHash: null }
  const scope: ChallengeScope = { userId: candidate.id, purpose: 'sign-in-alone', context: '' }
  const spend = await verifyAnswer(call, scope, parseKeys(candidate.passkeys), answer)
  if (spend === null) return attempt.fail('invalid_sign_in_passkey')
  await refuseBarred(attempt, candidate)
  // Stored when it is answered: the second answer to one challenge breaks its key.
  const { challengeHash } = answer
  const stored = { ...scope, challengeHash, createdAt: issuedMs, expiresAt: issuedMs + ANSWER_MS + 1 }
  return enterAccount(
    call,
    { attempt, candidate, sent, by: 'passkey', statements: async () => [] },
    [db.insert(passkeyChallenges).values(stored), ...spend],
    'passkey',
  )
}

/** When we issued a challenge (epoch milliseconds); null if we did not. */
async function readIssuedMs(env: Env, challenge: string): Promise<number | null> {
  const text = new TextDecoder().decode(decodeBase64url(challenge))
  const [, issued = '', atMs = '', signature = ''] =
    /^((\d{13})\.[\w-]{22})\.(\d+\.[\w-]{43})$/.exec(text) ?? []
  return issued !== '' && (await verifySignature(env.VAULT_KEYS, LABEL, issued, signature))
    ? Number(atMs)
    : null
}
