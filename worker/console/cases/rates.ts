import type { Coin } from '../../../src/contract/money/coins.ts'
import type { Call } from '../../http/call.ts'
import { rateOf } from '../../investing/market/quote.ts'
import { marketOf, readMarket } from '../../investing/market/snapshot.ts'
import { type Database, type Read, reading } from '../../lib/database.ts'
import type { marketSnapshots } from '../../lib/tables/market.ts'

type MarketRow = typeof marketSnapshots.$inferSelect

/** Reads the market's prices; can share a batch. */
export function readRates(db: Database): Read<MarketRow> {
  return reading(readMarket(db).getSQL())
}

/** USD for one coin as a decimal, from the rows of `readRates`; null if the market has no price or an old one. */
export function rateIn(
  rows: readonly MarketRow[],
  coin: Coin,
  call: Pick<Call, 'env' | 'nowMs'>,
  maxAgeMs?: number,
): string | null {
  return rateOf(marketOf(rows, call.nowMs), coin, call, maxAgeMs)
}
