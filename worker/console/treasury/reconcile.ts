import { sql } from 'drizzle-orm'
import { DAY_MS } from '../../../src/time.ts'
import { keepLedgerDay } from '../../ledger/ledgerDays.ts'
import { type Database, runBatch } from '../../lib/database.ts'
import { formatIsoDay } from '../../lib/days.ts'
import { compareStatements, RECONCILIATION } from '../proposals/compareStatements.ts'

const EVERY_MS = 10 * 60_000

/**
 * The cron job: compares each place that has a proof with the books. Once a day watched wallets by the day's count of the reserves, and
 * exchanges by their last answer; other places by a new statement. Triggers open a difference for a person to clear.
 */
export async function reconcile(db: Database, nowMs: number): Promise<void> {
  await keepLedgerDay(db, nowMs)
  if (nowMs % EVERY_MS >= 60_000) return
  const day = formatIsoDay(nowMs)
  const isNew = sql`NOT EXISTS (SELECT 1 FROM reconciliations WHERE place = p.place AND day >= ${day})`
  await runBatch(db, [
    sql`INSERT INTO ${RECONCILIATION}
      SELECT ${day}, p.place, p.booked, p.units, p.at, ${nowMs}
      FROM (SELECT asset || ':watched' AS place, booked, units, at FROM reserves WHERE day = ${day}) p WHERE ${isNew}`,
    compareStatements(nowMs, sql`1`),
    sql`INSERT INTO ${RECONCILIATION}
      SELECT ${day}, p.place, p.quantity, p.proven, p.at, ${nowMs}
      FROM (SELECT b.venue || ':' || b.asset AS place, b.quantity, c.at,
          iif(c.state = 'equal', b.quantity, coalesce(json_extract(c.balances, '$."' || b.asset || '"'), 0)) AS proven
        FROM venue_balances b JOIN venue_checks c ON c.venue = b.venue AND c.state <> 'unreachable') p WHERE ${isNew}`,
  ])
}

/** When the job next compares a statement of a place whose last row has this day. */
export function findNextComparison(lastDay: string | null, nowMs: number): number {
  if (lastDay === formatIsoDay(nowMs)) return Math.ceil((nowMs + 1) / DAY_MS) * DAY_MS
  return Math.ceil((nowMs + 1) / EVERY_MS) * EVERY_MS
}
