import { and, eq, type SQL, sql } from 'drizzle-orm'
import { SETTINGS } from '../../../src/contract/console/settingList.ts'
import type { Coin } from '../../../src/contract/money/coins.ts'
import type { Chain } from '../../../src/contract/money/payments.ts'
import { toIntegerSql } from '../../ledger/requestEvents.ts'
import { type Database, type Statement, selectRows } from '../../lib/database.ts'
import { reserves } from '../../lib/tables/payouts.ts'

/**
 * The balances of the watch-only wallets according to the books, by asset. A payout that is in a block up to this height counts as paid,
 * although its withdrawals are completed only some blocks later.
 */
export function readBooked(chain: Chain, height: SQL) {
  return selectRows({ asset: sql<Coin>`asset`, units: sql<string>`CAST(sum(units) AS TEXT)` })
    .from(sql`(
      SELECT l.asset, (SELECT balance FROM place_entries WHERE place = l.id ORDER BY at DESC, seq DESC LIMIT 1) AS units
      FROM custody_places l WHERE l.proof = 'chain'
      UNION ALL
      SELECT n.coin, -i.units FROM payouts p JOIN payout_items i ON i.payout = p.id JOIN chain_networks n ON n.network = i.network
      WHERE p.state = 'released' AND p.chain = ${chain} AND p.height <= ${height}
      UNION ALL
      SELECT p.chain, -t.fee FROM payouts p JOIN payout_transactions t ON t.payout = p.id AND t.version = p.version
      WHERE p.state = 'released' AND p.chain = ${chain} AND p.height <= ${height}
      UNION ALL SELECT coin, 0 FROM chain_networks WHERE chain = ${chain})`)
    .where(sql`asset IN (SELECT coin FROM chain_networks WHERE chain = ${chain})`)
    .groupBy(sql`asset`)
}

export interface CountedReserve {
  readonly day: string
  readonly asset: Coin
  readonly chain: Chain
  readonly height: number
  readonly hash: string
  readonly units: bigint
  readonly booked: bigint
}

const TOLERANCE = sql`coalesce(
  (SELECT CAST(value AS INTEGER) FROM settings WHERE key = 'reserveShortfall'), ${sql.raw(String(SETTINGS.reserveShortfall.default))})`

/** Stores a counted reserve. A shortfall beyond the setting stops payouts. */
export function storeReserve(counted: CountedReserve, nowMs: number): Statement {
  const { day, asset, chain, height, hash, units, booked } = counted
  const [held, expected] = [toIntegerSql(units), toIntegerSql(booked)]
  // Divided first, because the product could exceed SQLite's integers.
  return sql`
    INSERT INTO reserves (day, asset, chain, height, block_hash, units, booked, stops_payouts, at)
    VALUES (${day}, ${asset}, ${chain}, ${height}, ${hash}, ${held}, ${expected},
      ${expected} > 0 AND ${held} < ${expected} - CAST(${expected} / 10000.0 * ${TOLERANCE} AS INTEGER), ${nowMs})
    ON CONFLICT (day, asset) DO NOTHING`
}

/** Raises the alarm for reserves of the day that stop payouts. Called after they were stored. */
export async function reportShortfall(db: Database, day: string, chain: Chain): Promise<void> {
  const short = await db
    .select({ asset: reserves.asset })
    .from(reserves)
    .where(and(eq(reserves.day, day), eq(reserves.chain, chain), eq(reserves.stopsPayouts, 1)))
  const problem = 'The wallets hold less than the books say.'
  for (const { asset } of short) console.error(JSON.stringify({ level: 'alarm', reserves: asset, problem }))
}
