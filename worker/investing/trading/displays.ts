import { sql } from 'drizzle-orm'
import { at } from '../../../engine/at.ts'
import { DAY_MS } from '../../../src/time.ts'
import { type Database, runBatch, type Statement } from '../../lib/database.ts'
import { displays } from '../../lib/tables/strategies.ts'
import { MissingCandles } from '../candles/read.ts'
import type { Prices } from './prices.ts'
import { type Pool, readPools } from './state.ts'
import { getBarIndex, loadModel } from './step.ts'
import { priceSinceOpen } from './valuation.ts'

const HOUR_MS = 3_600_000

/**
 * Updates the displayed unit price each hour from the latest prices, by the rules alone. It settles no orders. Before the day's
 * open is recorded, or without a price, the latest valuation stays displayed.
 */
export async function updateDisplays(db: Database, prices: Prices, nowMs: number): Promise<void> {
  const hour = Math.floor(nowMs / HOUR_MS) * HOUR_MS
  const today = Math.floor(nowMs / DAY_MS) * DAY_MS
  const due = sql`NOT EXISTS (SELECT 1 FROM displays d WHERE d.strategy = s.slug AND d.at >= ${hour})`
  // A condition on the valuation would let SQLite begin with all valuations.
  const pools = (await readPools(db, due)).filter(
    ({ latest }) => latest?.kind === 'open' && latest.day === today,
  )
  const shown: Statement[] = []
  const failures: unknown[] = []
  for (const pool of pools) {
    const unitPrice = await priceNow(prices, pool, nowMs).catch((error: unknown) => {
      failures.push(error)
      return null
    })
    if (unitPrice !== null) shown.push(storeDisplay(db, pool, unitPrice, nowMs))
  }
  await runBatch(db, shown)
  if (failures.length > 0) throw failures[0]
}

function storeDisplay(db: Database, { slug }: Pool, unitPrice: number, nowMs: number): Statement {
  const row = { at: nowMs, unitPrice }
  return db
    .insert(displays)
    .values({ strategy: slug, ...row })
    .onConflictDoUpdate({ target: displays.strategy, set: row })
}

async function priceNow(prices: Prices, pool: Pool, nowMs: number): Promise<number | null> {
  const now = await prices.now(pool.market, pool.definition.assets, nowMs)
  if (now === null || pool.latest === null) return null
  try {
    const model = await loadModel({ prices, nowMs }, pool)
    const bar = getBarIndex(model, pool.latest.day)
    const { cash, quantity } = model.opening(bar).after
    const worth = quantity.reduce((sum, units, asset) => sum + units * at(now, asset), cash)
    return priceSinceOpen(pool, model, bar, worth)
  } catch (error) {
    if (error instanceof MissingCandles) return null
    throw error
  }
}
