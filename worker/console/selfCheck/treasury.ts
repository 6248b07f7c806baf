import { sql } from 'drizzle-orm'
import { selectAssetName } from '../../ledger/custody.ts'
import { type Database, readTogether } from '../../lib/database.ts'
import { readFindings } from './findings.ts'
import type { CheckResult } from './run.ts'

/** Finds places whose books are below zero, and assets whose places do not add up to custody less the transfers to exchanges. */
export async function checkTreasury(db: Database): Promise<CheckResult> {
  const balance = sql`coalesce((SELECT balance FROM place_entries WHERE place = l.id ORDER BY at DESC, seq DESC LIMIT 1), 0)`
  const [negative, unequal] = await readTogether(
    db,
    readFindings(sql`
      SELECT 'Custody of ' || ${selectAssetName(sql`l.asset`)} || ' at ' || l.name || ' is below zero' AS finding
      FROM custody_places l WHERE ${balance} < 0 LIMIT 5`),
    readFindings(sql`
      SELECT 'The places of ' || ${selectAssetName(sql`b.asset`)} || ' do not add up to its custody' AS finding FROM custody_balances b
      WHERE b.balance <> (SELECT sum(${balance}) FROM custody_places l WHERE l.asset = b.asset)
        - (SELECT coalesce(sum(m.quantity), 0) FROM exchange_moves m JOIN custody_places l ON l.id = m.place WHERE l.asset = b.asset) LIMIT 5`),
  )
  return { findings: [...negative, ...unequal].map(({ finding }) => finding), checkpoint: '' }
}
