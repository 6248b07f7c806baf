import { sql } from 'drizzle-orm'
import { keepLedgerDay } from '../../ledger/ledgerDays.ts'
import { type Database, runBatch } from '../../lib/database.ts'
import { formatIsoDay } from '../../lib/days.ts'

const EVERY_MINUTES = 10

/**
 * The cron job: once a day, compares each place that has a proof with the books. Watched wallets by the day's count of the reserves, other
 * places by their newest statement, with the books at its time, and exchanges by their last answer. A place whose proof comes later in
 * the day is compared then. Triggers open a difference for a person to clear.
 */
export async function reconcile(db: Database, nowMs: number): Promise<void> {
  await keepLedgerDay(db, nowMs)
  if (Math.floor(nowMs / 60_000) % EVERY_MINUTES !== 0) return
  const day = formatIsoDay(nowMs)
  const isNew = sql`NOT EXISTS (SELECT 1 FROM reconciliations WHERE place = p.place AND day >= ${day})`
  const columns = sql`reconciliations (day, place, books, proven, proven_at, at)`
  await runBatch(db, [
    sql`INSERT INTO ${columns}
      SELECT ${day}, p.place, p.booked, p.units, p.at, ${nowMs}
      FROM (SELECT asset || ':watched' AS place, booked, units, at FROM reserves WHERE day = ${day}) p WHERE ${isNew}`,
    sql`INSERT INTO ${columns}
      SELECT ${day}, p.place, coalesce((
        SELECT balance FROM place_entries WHERE place = p.place AND at <= p.at ORDER BY at DESC, seq DESC LIMIT 1), 0), p.units, p.at, ${nowMs}
      FROM (SELECT s.* FROM custody_places l JOIN custody_statements s ON s.place = l.id
        AND s.at = (SELECT max(at) FROM custody_statements WHERE place = l.id)) p WHERE ${isNew}`,
    sql`INSERT INTO ${columns}
      SELECT ${day}, p.place, p.quantity, p.proven, p.at, ${nowMs}
      FROM (SELECT b.venue || ':' || b.asset AS place, b.quantity, c.at,
          iif(c.state = 'equal', b.quantity, coalesce(json_extract(c.balances, '$."' || b.asset || '"'), 0)) AS proven
        FROM venue_balances b JOIN venue_checks c ON c.venue = b.venue AND c.state <> 'unreachable') p WHERE ${isNew}`,
  ])
}
