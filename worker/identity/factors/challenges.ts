import { and, eq, gt, isNull, sql } from 'drizzle-orm'
import type { PasskeyQuestion } from '../../../src/contract/fields.ts'
import type { Call } from '../../http/call.ts'
import { furtherOrigins } from '../../http/cookies.ts'
import { randomToken, sha256Hex } from '../../lib/crypto/tokens.ts'
import type { Statement } from '../../lib/database.ts'
import { type Env, isDevelopment } from '../../lib/env.ts'
import { passkeyChallenges } from '../../lib/tables/people.ts'

/** How long a browser has to answer. */
export const ANSWER_MS = 5 * 60_000
/** How long a new passkey may be sent: longer than the mailed code lives, which is ten minutes. */
const REGISTER_MS = 15 * 60_000

/** Who is asked, and what the answer confirms: it is good for nothing else. */
export interface Asked {
  readonly userId: string
  readonly purpose: (typeof passkeyChallenges.$inferSelect)['purpose']
  /** A hash from `contextOf`. */
  readonly context: string
}

/** What a browser needs to know of a key. */
export interface NamedKey {
  readonly credentialId: string
  /** Space-separated. */
  readonly transports: string
}

/** A hash of what a challenge is bound to. */
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

/** A question to these keys, and the statement that stores its challenge. */
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
 * Whether the device must check who uses it, by PIN, finger or face. Withdrawals and operators' acts ask for no password:
 * finding an open session and a plugged-in key must not be enough.
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

/** Uses a challenge up. Aborts the batch with `invalid_passkey` if it was used, or the key removed, meanwhile. */
export function spendChallenge(challengeHash: string, passkeyId: string, nowMs: number): Statement {
  return sql`UPDATE passkey_challenges SET used_at = ${nowMs}, used_by = ${passkeyId}
    WHERE challenge_hash = ${challengeHash}`
}

/** Whether the challenge was issued for exactly this and is unanswered. */
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

/** The RP ID of WebAuthn: passkeys of this site answer no other host. */
export function relyingPartyId(env: Env): string {
  return new URL(env.PUBLIC_ORIGIN).hostname
}

/**
 * The origins that may ask a passkey: the site's own and those in `ALLOWED_ORIGINS`; in development also the one that was
 * called, whatever its port.
 */
export function passkeyOrigins({ env, request }: Pick<Call, 'env' | 'request'>): string[] {
  return [
    env.PUBLIC_ORIGIN,
    ...furtherOrigins(env),
    ...(isDevelopment(env) ? [new URL(request.url).origin] : []),
  ]
}
