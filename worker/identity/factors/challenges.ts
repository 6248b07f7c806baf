import { and, eq, gt, isNull, sql } from 'drizzle-orm'
import type { Call } from '../../http/call.ts'
import { listFurtherOrigins } from '../../http/origins.ts'
import { generateToken, sha256Hex } from '../../lib/crypto/tokens.ts'
import type { Database, Statement } from '../../lib/database.ts'
import { type Env, isDevelopment } from '../../lib/env.ts'
import { passkeyChallenges } from '../../lib/tables/people.ts'

/** How long a browser has to answer. */
export const ANSWER_MS = 5 * 60_000
/** How long a new passkey may be sent. Longer than the ten minutes of the mailed code. */
const REGISTER_MS = 15 * 60_000

/** Whom a challenge is for, and the only thing that its answer confirms. */
export interface ChallengeScope {
  readonly userId: string
  readonly purpose: (typeof passkeyChallenges.$inferSelect)['purpose']
  /** A hash from `hashContext`. */
  readonly context: string
}

/** The facts by which a browser finds a passkey. */
export interface NamedKey {
  readonly credentialId: string
  /** Space-separated. */
  readonly transports: string
}

/** Hashes the facts that a challenge is bound to. */
export function hashContext(...parts: readonly (string | number)[]): Promise<string> {
  return sha256Hex(JSON.stringify(parts))
}

/** A new challenge, and the statement that stores its hash. */
export async function newChallenge(
  db: Database,
  scope: ChallengeScope,
  nowMs: number,
): Promise<{ challenge: string; statement: Statement }> {
  const challenge = generateToken(32)
  return {
    challenge,
    statement: db.insert(passkeyChallenges).values({
      ...scope,
      challengeHash: await sha256Hex(challenge),
      createdAt: nowMs,
      expiresAt: nowMs + (scope.purpose === 'register' ? REGISTER_MS : ANSWER_MS),
    }),
  }
}

/**
 * Whether the device must verify its user, by PIN, finger or face. Withdrawals, operators' acts and a sign-in by passkey alone take no
 * password: a plugged-in key must not be enough.
 */
export function isVerificationRequired({ purpose }: ChallengeScope): boolean {
  return purpose === 'withdrawal' || purpose === 'act' || purpose === 'sign-in-alone'
}

export function toCredentialDescriptor({ credentialId, transports }: NamedKey) {
  return {
    type: 'public-key' as const,
    id: credentialId,
    transports: transports.split(' ').filter((transport) => transport !== ''),
  }
}

/** Marks a challenge as used. Aborts the batch with `invalid_passkey` if it was used or the passkey was removed meanwhile. */
export function spendChallenge(challengeHash: string, passkeyId: string, nowMs: number): Statement {
  return sql`UPDATE passkey_challenges SET used_at = ${nowMs}, used_by = ${passkeyId}
    WHERE challenge_hash = ${challengeHash}`
}

/** Whether the challenge has exactly this scope, is unanswered and has not expired. */
export async function isOpenChallenge(
  { db, nowMs }: Pick<Call, 'db' | 'nowMs'>,
  { userId, purpose, context }: ChallengeScope,
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

/** The WebAuthn RP ID. It binds passkeys to this host. */
export function getRelyingPartyId(env: Env): string {
  return new URL(env.PUBLIC_ORIGIN).hostname
}

/**
 * The origins that may use passkeys: the site's own and those in `ALLOWED_ORIGINS`; in development also the called origin,
 * with any port.
 */
export function listPasskeyOrigins(env: Env, request: Request): string[] {
  return [
    env.PUBLIC_ORIGIN,
    ...listFurtherOrigins(env),
    ...(isDevelopment(env) ? [new URL(request.url).origin] : []),
  ]
}
