import { and, eq, gt, isNull, sql } from 'drizzle-orm'
import { countOutgoing } from '../../ledger/stopPayouts.ts'
import { generateToken, sha256Hex } from '../../lib/crypto/tokens.ts'
import type { Database, Statement } from '../../lib/database.ts'
import { emailTokens, users } from '../../lib/tables/people.ts'

export type Purpose = 'reset-password' | 'sign-in'

const LIFE_MS: Record<Purpose, number> = { 'reset-password': 3_600_000, 'sign-in': 15 * 60_000 }

/** A new 256-bit token for a mail, and the statement that stores its hash. */
export async function newEmailToken(
  db: Database,
  userId: string,
  purpose: Purpose,
  nowMs: number,
): Promise<{ token: string; statement: Statement }> {
  const token = generateToken(32)
  const statement = db.insert(emailTokens).values({
    tokenHash: await sha256Hex(token),
    userId,
    purpose,
    createdAt: nowMs,
    expiresAt: nowMs + LIFE_MS[purpose],
  })
  return { token, statement }
}

export interface TokenOwner {
  readonly tokenHash: string
  readonly id: string
  readonly role: 'investor' | 'operator'
  readonly email: string
  readonly displayName: string
  /** Open withdrawals, and redemptions whose proceeds will be withdrawn. */
  readonly outgoing: number
}

/** Finds the owner of an unused, unexpired token with this purpose and address. One round trip. */
export async function findTokenOwner(
  db: Database,
  token: string,
  email: string,
  purpose: Purpose,
  nowMs: number,
): Promise<TokenOwner | null> {
  const tokenHash = await sha256Hex(token)
  const [owner] = await db
    .select({
      id: users.id,
      role: users.role,
      email: users.email,
      displayName: users.displayName,
      outgoing: countOutgoing(sql`${users.id}`),
    })
    .from(emailTokens)
    .innerJoin(users, eq(users.id, emailTokens.userId))
    .where(
      and(
        eq(emailTokens.tokenHash, tokenHash),
        eq(emailTokens.purpose, purpose),
        eq(users.email, email),
        isNull(emailTokens.usedAt),
        gt(emailTokens.expiresAt, nowMs),
      ),
    )
  return owner ? { tokenHash, ...owner } : null
}

/** Marks a token as used. Aborts the batch with `invalid_token` if it was used or ended meanwhile. */
export function spendToken(tokenHash: string, nowMs: number): Statement {
  return sql`UPDATE email_tokens SET used_at = ${nowMs} WHERE token_hash = ${tokenHash}`
}

/** Ends a user's unused tokens of a purpose. */
export function endTokens(userId: string, purpose: Purpose, nowMs: number): Statement {
  return sql`UPDATE email_tokens SET used_at = ${nowMs}
    WHERE user_id = ${userId} AND purpose = ${purpose} AND used_at IS NULL AND expires_at > ${nowMs}`
}
