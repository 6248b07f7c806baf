import { type Coin, MARKET_IDS } from '../../../src/contract/money/coins.ts'
import { type Database, type Read, reading } from '../database.ts'
import type { Env } from '../env.ts'
import type { marketSnapshots } from '../tables/market.ts'
import { type Market, marketOf, readMarket, SAMPLE_SOURCE } from './snapshot.ts'

export type MarketRow = typeof marketSnapshots.$inferSelect

/** Reads the market's prices; can share a batch. */
export function readRates(db: Database): Read<MarketRow> {
  return reading(readMarket(db).getSQL())
}

/** USD for one coin as a decimal, from the rows of `readRates`; null if the market has no price or an old one. */
export function rateIn(
  rows: readonly MarketRow[],
  coin: Coin,
  call: { readonly env: Env; readonly nowMs: number },
  maxAgeMs?: number,
): string | null {
  return rateOf(marketOf(rows, call.nowMs), coin, call, maxAgeMs)
}

/** The oldest price that a quote may use. */
const QUOTE_MAX_AGE_MS = 60 * 60_000

/**
 * USD for one coin as a plain decimal. Null if the snapshot lacks the coin, is older than `maxAgeMs`, has an unconfirmed jump of
 * it, or is the sample although a provider is configured.
 */
export function rateOf(
  { coins }: Market,
  coin: Coin,
  { env, nowMs }: { env: Env; nowMs: number },
  maxAgeMs = QUOTE_MAX_AGE_MS,
): string | null {
  const id = MARKET_IDS[coin]
  const price = coins.rows.find((row) => row.id === id)?.current_price
  if (price === undefined || !(price > 0) || !Number.isFinite(price)) return null
  if (nowMs - coins.atMs > maxAgeMs || Object.hasOwn(coins.held, id)) return null
  if (coins.source === SAMPLE_SOURCE && (env.MARKET_BASE_URL ?? '') !== '') return null
  return decimalOf(price)
}

/** A positive number without exponent: `1e-7` as `0.0000001`. Cut below the eighteenth decimal. */
export function decimalOf(value: number): string {
  const shortest = String(value)
  if (!shortest.includes('e')) return shortest
  return value >= 1 ? BigInt(value).toString() : value.toFixed(18).replace(/\.?0+$/, '')
}
