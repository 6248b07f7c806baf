import { sql } from 'drizzle-orm'
import * as z from 'zod/mini'
import { recordAudit } from '../../http/audit.ts'
import type { Call } from '../../http/call.ts'
import type { PasskeyAnswer } from '../../http/factorProof.ts'
import { decodeBase64url, sha256Hex } from '../../lib/crypto/tokens.ts'
import { runBatch, type Statement } from '../../lib/database.ts'
import type { Env } from '../../lib/env.ts'
import {
  type ChallengeScope,
  getRelyingPartyId,
  isVerificationRequired,
  listPasskeyOrigins,
  type NamedKey,
  spendChallenge,
} from './challenges.ts'

/** A stored passkey. */
export interface StoredKey extends NamedKey {
  readonly id: string
  /** COSE_Key, base64url. */
  readonly publicKey: string
  readonly signCount: number
}

/**
 * Checks the answer to an open challenge: signature, origin, host, user presence and the counter (WebAuthn level 2, section
 * 7.2). Returns the statements that mark it as used; null if it is wrong. A counter that did not rise indicates a cloned
 * device: the answer is refused and audited.
 */
export async function verifyAnswer(
  { db, env, request, nowMs }: Pick<Call, 'db' | 'env' | 'request' | 'nowMs'>,
  scope: ChallengeScope,
  keys: readonly StoredKey[],
  answer: PasskeyAnswer,
): Promise<Statement[] | null> {
  const key = keys.find(({ credentialId }) => credentialId === answer.credentialId)
  if (key === undefined) return null
  const info = await verifyAuthentication(env, request, key, answer, isVerificationRequired(scope))
  if (info === null) return null
  const { newCounter, credentialBackedUp } = info
  if (newCounter <= key.signCount && (newCounter > 0 || key.signCount > 0)) {
    const detail = { kept: key.signCount, given: newCounter }
    const entry = { action: 'passkey.counter_fell', subject: key.id, detail } as const
    await runBatch(db, [recordAudit(db, scope.userId, entry, nowMs)])
    return null
  }
  return [
    spendChallenge(answer.challengeHash, key.id, nowMs),
    sql`
      UPDATE passkeys SET sign_count = ${newCounter}, backed_up = ${credentialBackedUp ? 1 : 0}, last_used_at = ${nowMs}
      WHERE id = ${key.id}`,
  ]
}

/** The device's authentication data if the answer is valid; null otherwise. */
async function verifyAuthentication(
  env: Env,
  request: Request,
  key: StoredKey,
  answer: PasskeyAnswer,
  requireUserVerification: boolean,
) {
  // Loaded when first needed: it is a seventh of the work at the Worker's start.
  const { verifyAuthenticationResponse } = await import('@simplewebauthn/server')
  try {
    const { verified, authenticationInfo } = await verifyAuthenticationResponse({
      response: answer.response,
      expectedChallenge: answer.challenge,
      expectedOrigin: listPasskeyOrigins(env, request),
      expectedRPID: getRelyingPartyId(env),
      requireUserVerification,
      // The counter is compared after the signature is verified.
      credential: { id: key.credentialId, publicKey: decodeBase64url(key.publicKey), counter: 0 },
    })
    return verified ? authenticationInfo : null
  } catch {
    // The library throws on any malformed answer.
    return null
  }
}

const MAX = 8192
const bytes = z.string().check(z.regex(/^[A-Za-z0-9_-]+$/), z.maxLength(MAX))

const shape = z.object({
  id: bytes,
  rawId: bytes,
  type: z.literal('public-key'),
  response: z.object({
    clientDataJSON: bytes,
    authenticatorData: bytes,
    signature: bytes,
  }),
})

const clientData = z.object({ challenge: bytes })

/** Whether an answer was sent. A blank one counts as missing. */
export function isSent(sent: unknown): boolean {
  return sent !== undefined && sent !== null && sent !== ''
}

/** Reads a passkey's answer, sent as an object or as its JSON. Null if it is malformed. */
export async function readAnswer(sent: unknown): Promise<PasskeyAnswer | null> {
  const value = typeof sent === 'string' ? parseJson(sent) : sent
  const found = shape.safeParse(value)
  if (!found.success) return null
  const { id, rawId, type, response } = found.data
  const challenge = parseChallenge(response.clientDataJSON)
  if (challenge === null) return null
  return {
    credentialId: id,
    challenge,
    challengeHash: await sha256Hex(challenge),
    response: { id, rawId, type, response, clientExtensionResults: {} },
  }
}

/** The challenge in a browser's `clientDataJSON` (base64url); null if there is none. */
export function parseChallenge(clientDataJSON: string): string | null {
  try {
    const found = clientData.safeParse(parseJson(new TextDecoder().decode(decodeBase64url(clientDataJSON))))
    return found.success ? found.data.challenge : null
  } catch {
    return null
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
