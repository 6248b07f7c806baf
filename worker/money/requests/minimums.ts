import { sql } from 'drizzle-orm'
import { formatCents } from '../../../src/contract/money.ts'
import { type Read, reading } from '../../lib/database.ts'

/** The smallest amounts that the settings ask for. */
export function readMinimums(): Read<{ value: string }> {
  return reading<{ value: string }>(sql`SELECT value FROM settings WHERE key = 'minimums'`)
}

/** What is wrong with an amount in cents that is below the minimum; null where there is none or it is kept. */
export function minimumProblem(
  rows: readonly { value: string }[],
  kind: 'deposit' | 'withdrawal',
  amountCents: number,
): string | null {
  const least = minimumOf(rows, kind)
  return amountCents < least ? `The smallest ${kind} is ${formatCents(least)}` : null
}

/** In cents. Settings are checked where they are proposed; one that is missing means no minimum: 0. */
export function minimumOf(rows: readonly { value: string }[], kind: 'deposit' | 'withdrawal'): number {
  const minimums = JSON.parse(rows[0]?.value ?? '{}') as { deposit?: number; withdrawal?: number }
  return minimums[kind] ?? 0
}
