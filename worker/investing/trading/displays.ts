import { sql } from 'drizzle-orm'
import { at } from '../../../engine/at.ts'
import { DAY_MS } from '../../../engine/metrics/dailyEquity.ts'
import type { Database } from '../../lib/database.ts'
import { displays } from '../../lib/tables/strategies.ts'
import { MissingCandles } from '../candles/read.ts'
import type { Prices } from './prices.ts'
import { type Pool, readPool, readProgress } from './state.ts'
import { barOf, modelFor } from './step.ts'
import { priceSinceOpen } from './valuation.ts'

const HOUR_MS = 3_600_000

/**
 * Updates the displayed unit price each hour from the latest prices, by the rules alone. It settles nothing. Before the day's
 * open is recorded, or without a price, the latest valuation stays displayed.
 */
export async function refreshDisplays(db: Database, prices: Prices, nowMs: number): Promise<void> {
  const hour = Math.floor(nowMs / HOUR_MS) * HOUR_MS
  const today = Math.floor(nowMs / DAY_MS) * DAY_MS
  const fresh = await db.all<{ strategy: string }>(sql`SELECT strategy FROM displays WHERE at >= ${hour}`)
  for (const { slug, latest } of await readProgress(db)) {
    if (latest?.kind !== 'open' || latest.day !== today || fresh.some(({ strategy }) => strategy === slug))
      continue
    const pool = await readPool(db, slug)
    const unitPrice = await priceNow(prices, pool, nowMs)
    if (unitPrice === null) continue
    const row = { at: nowMs, unitPrice }
    await db
      .insert(displays)
      .values({ strategy: slug, ...row })
      .onConflictDoUpdate({ target: displays.strategy, set: row })
  }
}

async function priceNow(prices: Prices, pool: Pool, nowMs: number): Promise<number | null> {
  const now = await prices.now(pool.market, pool.definition.assets, nowMs)
  if (now === null || pool.latest === null) return null
  try {
    const model = await modelFor({ prices, nowMs }, pool)
    const bar = barOf(model, pool.latest.day)
    const { cash, quantity } = model.opening(bar).after
    const worth = quantity.reduce((sum, units, asset) => sum + units * at(now, asset), cash)
    return priceSinceOpen(pool, model, bar, worth)
  } catch (error) {
    if (error instanceof MissingCandles) return null
    throw error
  }
}
