import { eq, sql } from 'drizzle-orm'
import { DAY_MS } from '../../../src/time.ts'
import { buildQuery, type Database, readTogether, runBatch, selectRows } from '../../lib/database.ts'
import { cronWork } from '../../lib/tables/platform.ts'

/** The result of one run of a job. */
export interface JobRun {
  readonly name: string
  /** Start, in epoch milliseconds. */
  readonly at: number
  readonly tookMs: number
  /** The kind of failure; null on success. */
  readonly error: string | null
}

/** The name under which cron itself is recorded. */
export const CRON = 'cron'
// Every write is billed. The row of cron itself shows each minute that the jobs ran.
const NOTED_EVERY_MS = 30 * 60_000 - 10_000

/**
 * Records the runs in one statement: cron itself each time, a job every half hour, and at once if a job starts or stops
 * failing, fails differently, or sets the day's longest duration. So a quiet minute writes one row.
 */
export async function recordWork(db: Database, runs: readonly JobRun[]): Promise<void> {
  const toDaySql = (at: string) => sql`${sql.raw(at)} / ${sql.raw(String(DAY_MS))}`
  await runBatch(db, [
    sql`INSERT INTO ${cronWork} (name, at, longest_ms, failed_since, error)
      SELECT r.value ->> 'name', r.value ->> 'at', r.value ->> 'tookMs',
        CASE WHEN r.value ->> 'error' IS NULL THEN NULL ELSE r.value ->> 'at' END, r.value ->> 'error'
      FROM json_each(${JSON.stringify(runs)}) r WHERE true
      ON CONFLICT (name) DO UPDATE SET
        at = excluded.at,
        longest_ms = CASE WHEN ${toDaySql('cron_work.at')} = ${toDaySql('excluded.at')}
          THEN max(cron_work.longest_ms, excluded.longest_ms) ELSE excluded.longest_ms END,
        failed_since = CASE WHEN excluded.error IS NULL THEN NULL ELSE coalesce(cron_work.failed_since, excluded.failed_since) END,
        error = excluded.error,
        running = NULL
      WHERE excluded.name = ${CRON} OR excluded.at - cron_work.at >= ${NOTED_EVERY_MS}
        OR excluded.error IS NOT cron_work.error OR excluded.longest_ms > cron_work.longest_ms`,
  ])
}

/** The kind of failure of a job that the last run did not come back from: the Worker was killed, or it is still running. */
const CUT_OFF = 'did not end'

/** Notes which job runs now, so that the next run knows which one this run did not come back from. */
export async function recordJob(db: Database, name: string, nowMs: number): Promise<void> {
  await runBatch(db, [
    db
      .insert(cronWork)
      .values({ name: CRON, at: nowMs, longestMs: 0, running: name })
      .onConflictDoUpdate({ target: cronWork.name, set: { running: name } }),
  ])
}

/** The jobs that earlier runs did not come back from and that have not ended since, those that waited longest first. */
export async function readCutOff(db: Database, nowMs: number): Promise<readonly string[]> {
  const [, rows] = await readTogether(
    db,
    buildQuery(sql`INSERT INTO cron_work (name, at, longest_ms, failed_since, error)
      SELECT running, ${nowMs}, 0, ${nowMs}, ${CUT_OFF} FROM cron_work WHERE name = ${CRON} AND running IS NOT NULL
      ON CONFLICT (name) DO UPDATE SET
        at = excluded.at, failed_since = coalesce(failed_since, excluded.failed_since), error = excluded.error`),
    selectRows({ name: cronWork.name })
      .from(cronWork)
      .where(eq(cronWork.error, CUT_OFF))
      .orderBy(cronWork.at),
  )
  return rows.map(({ name }) => name)
}

/** Parts of messages that name a failure without private content, tried in order. */
const KNOWN: readonly RegExp[] = [
  /^Live mode does not trade the simulated market$/,
  /^Live mode does not trade investors’ money on paper$/,
  /\bResend answered \d{3}\b/,
  /\bSQLITE_[A-Z_]+\b/,
  /\bD1_[A-Z_]+\b/,
  /\bE_[A-Z_]+\b/,
  /\btimed? ?out\b/i,
  /\bNetwork connection lost\b/,
  /\bD1 DB is overloaded\b/,
  /\bcaused object to be reset\b/,
  /\btransient issue\b/,
]

/**
 * The kind of a failure, from its message: a carrier's status, a database code, a failed connection. Messages may contain
 * addresses and content, so any other message becomes "other".
 */
export function getErrorClass(message: string): string {
  for (const pattern of KNOWN) {
    const [found] = pattern.exec(message) ?? []
    if (found !== undefined) return /^time/i.test(found) ? 'timed out' : found
  }
  return 'other'
}
