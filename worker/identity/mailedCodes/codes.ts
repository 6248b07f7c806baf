import { eq, sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/sqlite-core'
import { hashMailedCode, isMailedCode } from '../../lib/crypto/signature.ts'
import { generateDigits, newId } from '../../lib/crypto/tokens.ts'
import {
  buildQuery,
  type Database,
  type RowOf,
  type RowQuery,
  type Statement,
  selectRows,
} from '../../lib/database.ts'
import type { Env } from '../../lib/env.ts'
import { refuse } from '../../lib/errors.ts'
import { users } from '../../lib/tables/people.ts'
import { withdrawalCodes } from '../../lib/tables/requests.ts'
import { type CheckedCode, selectCodesRefusedUntil } from '../credentials/codeLimit.ts'

export const CODE_MINUTES = 10
/** How many tries a code allows, right or wrong. */
const CODE_TRIES = 5

/**
 * A code confirms exactly this amount to this destination. For a new second factor, the amount is zero and the hash is
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

/** A new six-digit code with its id, and the statements that store its hash and end earlier codes with the same `bound`. */
export async function newCode(
  env: Env,
  db: Database,
  bound: Bound,
  nowMs: number,
): Promise<{ id: string; code: string; statements: Statement[] }> {
  const id = newId()
  const code = generateDigits(6)
  const { investor, amountCents, destinationHash } = bound
  return {
    id,
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

export type MailedLimit = RowOf<typeof readMailedLimit>

/** Until when mailed codes are refused, in epoch milliseconds; null if they are accepted. */
function readMailedLimit(env: Env, userId: string, nowMs: number) {
  const u = alias(users, 'u')
  return selectRows({ refusedUntil: selectCodesRefusedUntil(env, 'mailed', nowMs) })
    .from(u)
    .where(eq(u.id, userId))
}

/** The results of `tryCodes` or `readUsedLinks`. */
export interface MailedTry {
  readonly limit: MailedLimit | undefined
  readonly codes: readonly TriedCode[]
}

/** Reads the limit, counts a try against each live code, and returns the codes that still had a try left. */
export function tryCodes(
  env: Env,
  { investor, amountCents, destinationHash }: Bound,
  nowMs: number,
): readonly [ReturnType<typeof readMailedLimit>, RowQuery<TriedCode>] {
  return [
    readMailedLimit(env, investor, nowMs),
    buildQuery(sql`
    UPDATE withdrawal_codes SET tries = tries + 1
    WHERE investor = ${investor} AND amount = ${amountCents} AND destination_hash = ${destinationHash}
      AND used_at IS NULL AND expires_at > ${nowMs} AND tries < ${CODE_TRIES}
    RETURNING id, code_hash`),
  ]
}

/** Reads the limit, and the live codes whose link was used, for a request that is sent without a code. */
export function readUsedLinks(
  env: Env,
  { investor, amountCents, destinationHash }: Bound,
  nowMs: number,
): ReturnType<typeof tryCodes> {
  return [
    readMailedLimit(env, investor, nowMs),
    buildQuery(sql`
    SELECT id, code_hash FROM withdrawal_codes
    WHERE investor = ${investor} AND amount = ${amountCents} AND destination_hash = ${destinationHash}
      AND used_at IS NULL AND expires_at > ${nowMs} AND confirmed_at IS NOT NULL`),
  ]
}

/** The statements that spend a used link from `readUsedLinks`; null if there is none, or while mailed codes are refused. */
export function spendUsedLink({ limit, codes: [code] }: MailedTry, nowMs: number): Statement[] | null {
  return code === undefined || (limit?.refusedUntil ?? 0) > nowMs ? null : [spendCode(code.id, nowMs)]
}

/** Compares a code with those from `tryCodes`. The caller records a wrong one with `recordWrongCode`, unless there was no code to compare it with. */
export async function compareMailedCode(
  env: Env,
  { limit, codes }: MailedTry,
  code: string,
  nowMs: number,
): Promise<CheckedCode> {
  const until = limit?.refusedUntil ?? null
  if (until !== null && until > nowMs)
    return { state: 'too many codes', retryAfterSeconds: Math.ceil((until - nowMs) / 1000) }
  for (const { id, code_hash } of codes) {
    if (await isMailedCode(env, id, code, code_hash)) return { state: 'right', spend: [spendCode(id, nowMs)] }
  }
  return { state: 'wrong code' }
}

/** Refuses mailed codes at the limit, and says what lifts it. */
export function refuseMailedCodes(retryAfterSeconds: number): never {
  refuse('too_many_codes', {
    msg: 'Too many wrong codes in the last seven days. Codes that we mail are refused for now. To use them again, choose a new password: sign out and follow “Forgot your password?”.',
    retryAfterSeconds,
  })
}

/** Marks a code as used. Aborts the batch with `invalid_code` if it was used meanwhile. */
function spendCode(id: string, nowMs: number): Statement {
  return sql`UPDATE withdrawal_codes SET used_at = ${nowMs} WHERE id = ${id}`
}

/**
 * Rewrites text so that no word looks like a code: a word with six digits in a row is split into groups of four characters. Readers
 * skip the blanks, and wallets strip them.
 */
export function splitLongNumbers(text: string): string {
  return text.replace(/[^\s“”]*\d{6}[^\s“”]*/g, (word) => (word.match(/.{1,4}/gsu) ?? []).join(' '))
}
