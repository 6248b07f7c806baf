import { and, eq, gt, isNull } from 'drizzle-orm'
import type { PasskeyQuestion } from '../../../src/contract/fields.ts'
import type { Call } from '../../http/call.ts'
import { furtherOrigins } from '../../http/csrf.ts'
import { randomToken, sha256Hex } from '../../lib/crypto/tokens.ts'
import type { Database, Statement } from '../../lib/database.ts'
import { type Env, isDevelopment } from '../../lib/env.ts'
import { passkeyChallenges } from '../../lib/tables/people.ts'

/** How long a browser has to answer. */
export const ANSWER_MS = 5 * 60_000
/** How long a passkey that was made may be sent: also with the mailed code, which lives for ten minutes. */
const REGISTER_MS = 15 * 60_000

/** Who is asked, and what the answer confirms: it is of no use for anything else. */
export interface Asked {
  readonly userId: string
  readonly purpose: (typeof passkeyChallenges.$inferSelect)['purpose']
  /** Equal for equal things; from `contextOf`. */
  readonly context: string
}

/** A key as far as a browser needs to know it. */
export interface NamedKey {
  readonly credentialId: string
  /** Space-separated. */
  readonly transports: string
}

/** What a challenge is bound to, as one text: of unlike parts another one. */
export function contextOf(...parts: readonly (string | number)[]): Promise<string> {
  return sha256Hex(JSON.stringify(parts))
}

/** A new challenge, and the statement that stores its hash. */
export async function newChallenge(
  { db, nowMs }: Pick<Call, 'db' | 'nowMs'>,
  asked: Asked,
): Promise<{ challenge: string; statement: Statement }> {
  const challenge = randomToken(32)
  return {
    challenge,
    statement: db.insert(passkeyChallenges).values({
      ...asked,
      challengeHash: await sha256Hex(challenge),
      createdAt: nowMs,
      expiresAt: nowMs + (asked.purpose === 'register' ? REGISTER_MS : ANSWER_MS),
    }),
  }
}

/** Asks one of these keys for an answer, and gives the statement that remembers it. */
export async function askPasskey(
  call: Pick<Call, 'db' | 'env' | 'nowMs'>,
  asked: Asked,
  keys: readonly NamedKey[],
): Promise<{ question: PasskeyQuestion; statement: Statement }> {
  const { challenge, statement } = await newChallenge(call, asked)
  return {
    question: {
      challenge,
      rpId: relyingPartyId(call.env),
      timeout: ANSWER_MS,
      userVerification: needsVerification(asked) ? 'required' : 'preferred',
      allowCredentials: keys.map(descriptorOf),
    },
    statement,
  }
}

/**
 * Whether the device has to make sure of who uses it, by PIN, finger or face. A withdrawal and an operator's act have no password beside them:
 * whoever finds an open session and a key in its socket must not get through.
 */
export function needsVerification({ purpose }: Asked): boolean {
  return purpose === 'withdrawal' || purpose === 'act'
}

export function descriptorOf({ credentialId, transports }: NamedKey) {
  return {
    type: 'public-key' as const,
    id: credentialId,
    transports: transports.split(' ').filter((transport) => transport !== ''),
  }
}

/** Uses a challenge up. Aborts the batch with `invalid_passkey` when that has happened, or the key is gone meanwhile. */
export function spendChallenge(
  db: Database,
  challengeHash: string,
  passkeyId: string,
  nowMs: number,
): Statement {
  return db
    .update(passkeyChallenges)
    .set({ usedAt: nowMs, usedBy: passkeyId })
    .where(eq(passkeyChallenges.challengeHash, challengeHash))
}

/** Whether this challenge was put for just that, and waits for its answer. */
export async function readOpen(
  { db, nowMs }: Pick<Call, 'db' | 'nowMs'>,
  { userId, purpose, context }: Asked,
  challengeHash: string,
): Promise<boolean> {
  const [row] = await db
    .select({ at: passkeyChallenges.createdAt })
    .from(passkeyChallenges)
    .where(
      and(
        eq(passkeyChallenges.challengeHash, challengeHash),
        eq(passkeyChallenges.userId, userId),
        eq(passkeyChallenges.purpose, purpose),
        eq(passkeyChallenges.context, context),
        isNull(passkeyChallenges.usedAt),
        gt(passkeyChallenges.expiresAt, nowMs),
      ),
    )
  return row !== undefined
}

/** The name under which browsers keep passkeys of this site (the RP ID of WebAuthn): they answer no other host. */
export function relyingPartyId(env: Env): string {
  return new URL(env.PUBLIC_ORIGIN).hostname
}

/**
 * The origins whose pages may have asked a passkey: the site's own and those that the operator named; in development also
 * the one that was called, whatever its port.
 */
export function passkeyOrigins({ env, request }: Pick<Call, 'env' | 'request'>): string[] {
  return [
    env.PUBLIC_ORIGIN,
    ...furtherOrigins(env),
    ...(isDevelopment(env) ? [new URL(request.url).origin] : []),
  ]
}
