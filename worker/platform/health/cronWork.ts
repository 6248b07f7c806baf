import { sql } from 'drizzle-orm'
import { type Database, runBatch } from '../../lib/database.ts'
import { DAY_MS } from '../../lib/days.ts'
import { cronWork } from '../../lib/tables/platform.ts'

/** How one piece of work went. */
export interface Ran {
  readonly name: string
  /** When it began, in epoch milliseconds. */
  readonly at: number
  readonly tookMs: number
  /** Of what kind its failure was; null where it went well. */
  readonly error: string | null
}

/** The name under which the cron itself is noted. */
export const WHOLE = 'cron'
const NOTED_EVERY_MS = 5 * 60_000 - 10_000

/**
 * Notes how the cron's work went, in one statement: the whole each time, a piece of it each five minutes, and at once where it
 * begins or ceases to fail, fails in another way, or took longer than ever that day. So a quiet minute writes one row.
 */
export async function recordWork(db: Database, runs: readonly Ran[]): Promise<void> {
  const day = (at: string) => sql`${sql.raw(at)} / ${sql.raw(String(DAY_MS))}`
  await runBatch(db, [
    sql`INSERT INTO ${cronWork} (name, at, longest_ms, failed_since, error)
      SELECT r.value ->> 'name', r.value ->> 'at', r.value ->> 'tookMs',
        CASE WHEN r.value ->> 'error' IS NULL THEN NULL ELSE r.value ->> 'at' END, r.value ->> 'error'
      FROM json_each(${JSON.stringify(runs)}) r WHERE true
      ON CONFLICT (name) DO UPDATE SET
        at = excluded.at,
        longest_ms = CASE WHEN ${day('cron_work.at')} = ${day('excluded.at')}
          THEN max(cron_work.longest_ms, excluded.longest_ms) ELSE excluded.longest_ms END,
        failed_since = CASE WHEN excluded.error IS NULL THEN NULL ELSE coalesce(cron_work.failed_since, excluded.failed_since) END,
        error = excluded.error
      WHERE excluded.name = ${WHOLE} OR excluded.at - cron_work.at >= ${NOTED_EVERY_MS}
        OR excluded.error IS NOT cron_work.error OR excluded.longest_ms > cron_work.longest_ms`,
  ])
}

/** What names a failure without telling what it was about, in the order in which they are looked for. */
const KNOWN: readonly RegExp[] = [
  /^Live mode does not trade the simulated market$/,
  /\bResend answered \d{3}\b/,
  /\bLog destination answered \d{3}\b/,
  /\bSQLITE_[A-Z_]+\b/,
  /\bD1_[A-Z_]+\b/,
  /\bE_[A-Z_]+\b/,
  /\btimed? ?out\b/i,
  /\bNetwork connection lost\b/,
]

/**
 * Of what kind a failure is, from its message: a carrier's status, a code of the database, a lost connection. Messages
 * may hold addresses and contents, so that nothing else of them is shown; what is not known is "other".
 */
export function errorClass(message: string): string {
  for (const pattern of KNOWN) {
    const [found] = pattern.exec(message) ?? []
    if (found !== undefined) return /^time/i.test(found) ? 'timed out' : found
  }
  return 'other'
}
