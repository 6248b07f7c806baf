import { sql } from 'drizzle-orm'
import { type Database, reading, readTogether } from '../lib/database.ts'
import { selfChecks } from '../lib/tables.ts'
import { checkAll } from './all.ts'
import { checkRecent } from './recent.ts'
import { checkSchema } from './schemaCheck.ts'

const RECENT_EVERY_MS = 600_000
const ALL_EVERY_MS = 86_400_000

/** What one run of a check saw: what is wrong, null where nothing is, and where to go on. */
export interface Checked {
  readonly finding: string | null
  readonly checkpoint: string
}

/** One of the self-checks. `due` says from when on it runs again, by how its last run ended. */
interface SelfCheck {
  readonly name: string
  readonly isDue: (last: LastRun | undefined, nowMs: number) => boolean
  readonly run: (db: Database, checkpoint: string | null, nowMs: number) => Promise<Checked>
}

interface LastRun {
  readonly name: string
  readonly checkpoint: string
  readonly ok: number
  readonly at: number
}

const CHECKS: readonly SelfCheck[] = [
  { name: 'schema', isDue: every(RECENT_EVERY_MS), run: checkSchema },
  { name: 'ledger', isDue: every(RECENT_EVERY_MS), run: checkRecent },
  // Once a day from the start, and each minute on until it is through.
  {
    name: 'everything',
    isDue: (last, nowMs) => isUnderWay(last) || every(ALL_EVERY_MS)(last, nowMs),
    run: checkAll,
  },
]

/**
 * Runs the self-checks that are due: the schema and what was posted lately each ten minutes, everything once a day in pages.
 * A finding is kept in `self_checks` and raised as an alarm in the log at each run until it is gone.
 */
export async function runSelfChecks(db: Database, nowMs: number): Promise<void> {
  const [rows] = await readTogether(
    db,
    reading<LastRun>(sql`SELECT name, checkpoint, ok, at FROM self_checks`),
  )
  for (const check of CHECKS) {
    const last = rows.find(({ name }) => name === check.name)
    if (!check.isDue(last, nowMs)) continue
    const { finding, checkpoint } = await check.run(db, last?.checkpoint ?? null, nowMs)
    if (finding !== null) console.error(JSON.stringify({ level: 'alarm', selfCheck: check.name, finding }))
    const result = { checkpoint, ok: finding === null, finding, at: nowMs }
    await db
      .insert(selfChecks)
      .values({ name: check.name, ...result })
      .onConflictDoUpdate({ target: selfChecks.name, set: result })
  }
}

function every(periodMs: number): SelfCheck['isDue'] {
  // Cron is a little early or late by turns.
  return (last, nowMs) => last === undefined || nowMs - last.at >= periodMs - 30_000
}

function isUnderWay(last: LastRun | undefined): boolean {
  return last !== undefined && last.checkpoint !== ''
}
