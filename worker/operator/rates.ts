import type { Coin } from '../../src/contract/coins.ts'
import { type Database, type Read, reading } from '../lib/database.ts'
import { rateOf } from '../market/rate.ts'
import { marketOf, readMarket } from '../market/snapshot.ts'
import type { marketSnapshots } from '../market/tables.ts'

type MarketRow = typeof marketSnapshots.$inferSelect

/** The read of the market's prices, to ride in a batch. */
export function readRates(db: Database): Read<MarketRow> {
  return reading(readMarket(db).getSQL())
}

/** USD for one coin as a decimal, from the rows of `readRates`; null when the market does not name it. */
export function rateIn(rows: readonly MarketRow[], coin: Coin, nowMs: number): string | null {
  return rateOf(marketOf(rows, nowMs), coin)
}
