import { sql } from 'drizzle-orm'
import { marketOf } from '../../investing/candles/markets.ts'
import { venueNameOf } from '../../investing/venueAccount/configuration.ts'
import type { Database } from '../../lib/database.ts'
import type { Env } from '../../lib/env.ts'
import type { Checked } from './run.ts'

/** Cron works on the account each minute. Without a comparison for so long, it does not. */
const LATE_MS = 10 * 60_000

interface Check {
  readonly at: number
  readonly state: 'equal' | 'different' | 'unreachable'
  readonly since: number
}

/**
 * Finds an exchange that could not be asked for ten minutes, that holds something other than our books say, or that was not compared. Without
 * a configured exchange there is nothing to find.
 */
export async function checkExchange(
  db: Database,
  _stored: string | null,
  nowMs: number,
  env: Env,
): Promise<Checked> {
  const venue = venueNameOf(env)
  if (venue === '') return { findings: [], checkpoint: '' }
  const [check] = await db.all<Check>(sql`SELECT at, state, since FROM venue_checks WHERE venue = ${venue}`)
  const finding = findingOn(check, nowMs)
  return { findings: finding === null ? [] : [`${marketOf(venue).name} ${finding}`], checkpoint: '' }
}

function findingOn(check: Check | undefined, nowMs: number): string | null {
  if (check === undefined || check.at <= nowMs - LATE_MS)
    return 'was not compared with our books in the last ten minutes'
  if (check.state === 'different') return 'holds something other than our books say'
  return check.state === 'unreachable' && check.since <= nowMs - LATE_MS
    ? 'cannot be compared with our books'
    : null
}
