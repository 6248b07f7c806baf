import { sql } from 'drizzle-orm'
import { hashMailedCode, isMailedCode } from '../../lib/crypto/signature.ts'
import { newId, randomDigits } from '../../lib/crypto/tokens.ts'
import { type Database, type Read, reading, type Statement } from '../../lib/database.ts'
import type { Env } from '../../lib/env.ts'
import { withdrawalCodes } from '../../lib/tables/requests.ts'

export const CODE_MINUTES = 10
/** How many tries a code allows, right or wrong. */
const CODE_TRIES = 5

/**
 * What a code confirms: exactly this amount to this destination. For a new second factor, the amount is zero and the hash is
 * that of the factor.
 */
export interface Bound {
  readonly investor: string
  readonly amountCents: number
  readonly destinationHash: string
}

export interface TriedCode {
  readonly id: string
  readonly code_hash: string
}

/** A new six-digit code, and the statements that store its hash and end earlier codes with the same `bound`. */
export async function newCode(
  env: Env,
  db: Database,
  bound: Bound,
  nowMs: number,
): Promise<{ code: string; statements: Statement[] }> {
  const id = newId()
  const code = randomDigits(6)
  const { investor, amountCents, destinationHash } = bound
  return {
    code,
    statements: [
      sql`UPDATE withdrawal_codes SET expires_at = ${nowMs}
        WHERE investor = ${investor} AND amount = ${amountCents} AND destination_hash = ${destinationHash} AND used_at IS NULL AND expires_at > ${nowMs}`,
      db.insert(withdrawalCodes).values({
        id,
        investor,
        amount: amountCents,
        destinationHash,
        codeHash: await hashMailedCode(env, id, code),
        createdAt: nowMs,
        expiresAt: nowMs + CODE_MINUTES * 60_000,
      }),
    ],
  }
}

/** Counts a try against each live code, and returns the codes that still had a try left. */
export function tryCodes({ investor, amountCents, destinationHash }: Bound, nowMs: number): Read<TriedCode> {
  return reading<TriedCode>(sql`
    UPDATE withdrawal_codes SET tries = tries + 1
    WHERE investor = ${investor} AND amount = ${amountCents} AND destination_hash = ${destinationHash}
      AND used_at IS NULL AND expires_at > ${nowMs} AND tries < ${CODE_TRIES}
    RETURNING id, code_hash`)
}

/** The id of the matching code among those from `tryCodes`, or null. */
export async function matchingCode(
  env: Env,
  tried: readonly TriedCode[],
  code: string,
): Promise<string | null> {
  for (const { id, code_hash } of tried) {
    if (await isMailedCode(env, id, code, code_hash)) return id
  }
  return null
}

/** Marks a code as used. Aborts the batch with `invalid_code` if it was used meanwhile. */
export function spendCode(id: string, nowMs: number): Statement {
  return sql`UPDATE withdrawal_codes SET used_at = ${nowMs} WHERE id = ${id}`
}

/**
 * Text in which nothing looks like a code: a word with six digits in a row is split into groups of four characters. Readers
 * skip the blanks, and wallets strip them.
 */
export function withoutCodes(text: string): string {
  return text.replace(/\S*\d{6}\S*/g, (word) => (word.match(/.{1,4}/gsu) ?? []).join(' '))
}
