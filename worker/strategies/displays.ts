import { sql } from 'drizzle-orm'
import { unitPrice } from '../ledger/units.ts'
import { type Database, reading, readTogether } from '../lib/database.ts'
import { netValue } from './plan.ts'
import type { Prices } from './prices.ts'
import { readPool, readStandings } from './state.ts'
import { displays } from './tables.ts'
import { A_UNIT, bookOf } from './valuation.ts'

const HOUR_MS = 3_600_000

/**
 * Shows each hour what a unit is worth at the prices told last. Nothing is settled by it. Where nobody holds a unit, or all
 * together less than one, and where a price is not known, the latest valuation stays what is shown.
 */
export async function refreshDisplays(db: Database, prices: Prices, nowMs: number): Promise<void> {
  const hour = Math.floor(nowMs / HOUR_MS) * HOUR_MS
  const [fresh] = await readTogether(
    db,
    reading<{ strategy: string }>(sql`SELECT strategy FROM displays WHERE at >= ${hour}`),
  )
  for (const { slug } of await readStandings(db)) {
    if (fresh.some(({ strategy }) => strategy === slug)) continue
    const pool = await readPool(db, slug)
    if (pool.units < A_UNIT) continue
    const now = await prices.now(pool.market, pool.definition.assets, nowMs)
    if (now === null) continue
    const row = { at: nowMs, unitPrice: Math.max(1, unitPrice(netValue(bookOf(pool), now), pool.units)) }
    await db
      .insert(displays)
      .values({ strategy: slug, ...row })
      .onConflictDoUpdate({ target: displays.strategy, set: row })
  }
}
