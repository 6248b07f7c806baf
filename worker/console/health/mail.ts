import { sql } from 'drizzle-orm'
import { MOST_MAILS } from '../../../src/contract/console/health.ts'
import { iso } from '../../http/paging.ts'
import { type Read, reading } from '../../lib/database.ts'
import { errorClass } from '../../platform/health/errorClass.ts'

/** How many mails wait, counted up to a thousand, and since when the oldest of those. */
export function readWaitingMail(): Read<{ count: number; oldest: number | null }> {
  return reading(sql`
    SELECT count(*) AS count, min(created_at) AS oldest FROM (
      SELECT created_at FROM outbox WHERE next_attempt_at IS NOT NULL ORDER BY next_attempt_at LIMIT ${MOST_MAILS})`)
}

interface Failing {
  readonly error: string
  readonly count: number
  readonly oldest: number
}

/** The mails that failed and wait to be tried again, by what was said of them, from the oldest on. */
export function readFailing(): Read<Failing> {
  return reading(sql`
    SELECT last_error AS error, count(*) AS count, min(created_at) AS oldest FROM (
      SELECT last_error, created_at FROM outbox WHERE next_attempt_at IS NOT NULL AND last_error IS NOT NULL
      ORDER BY created_at LIMIT ${MOST_MAILS})
    GROUP BY last_error ORDER BY oldest`)
}

/** What is shown of them: of what kind the failures are, never what a carrier said of somebody’s address. */
export function failingOf(rows: readonly Failing[]) {
  const counts = new Map<string, number>()
  for (const { error, count } of rows) {
    const shown = errorClass(error)
    counts.set(shown, (counts.get(shown) ?? 0) + count)
  }
  const [oldest] = rows
  return {
    failing: [...counts]
      .map(([error, count]) => ({ error, count }))
      .sort((a, b) => b.count - a.count || (a.error < b.error ? -1 : 1)),
    failingSince: oldest === undefined ? null : iso(oldest.oldest),
  }
}
