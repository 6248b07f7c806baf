import { eq } from 'drizzle-orm'
import { getMarket } from '../../investing/candles/markets.ts'
import { getVenueName } from '../../investing/venueAccount/configuration.ts'
import type { Database } from '../../lib/database.ts'
import type { Env } from '../../lib/env.ts'
import { venueChecks } from '../../lib/tables/venues.ts'
import type { CheckResult } from './run.ts'

/** Cron works on the account each minute. Without a comparison for so long, it does not. */
const LATE_MS = 10 * 60_000

type Check = Pick<typeof venueChecks.$inferSelect, 'at' | 'state' | 'since'>

/**
 * Finds an exchange that could not be asked for ten minutes, that holds something other than our books say, or that was not compared.
 * Without a configured exchange there are no findings.
 */
export async function checkExchange(
  db: Database,
  _stored: string | null,
  nowMs: number,
  env: Env,
): Promise<CheckResult> {
  const venue = getVenueName(env)
  if (venue === '') return { findings: [], checkpoint: '' }
  const { at, state, since } = venueChecks
  const [check] = await db.select({ at, state, since }).from(venueChecks).where(eq(venueChecks.venue, venue))
  const finding = findExchangeFinding(check, nowMs)
  return { findings: finding === null ? [] : [`${getMarket(venue).name} ${finding}`], checkpoint: '' }
}

function findExchangeFinding(check: Check | undefined, nowMs: number): string | null {
  if (check === undefined || check.at <= nowMs - LATE_MS)
    return 'was not compared with our books in the last ten minutes'
  if (check.state === 'different') return 'holds something other than our books say'
  return check.state === 'unreachable' && check.since <= nowMs - LATE_MS
    ? 'cannot be compared with our books'
    : null
}
