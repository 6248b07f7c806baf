import { and, eq, ne } from 'drizzle-orm'
import { type Coin, MARKET_IDS } from '../../../src/contract/money/coins.ts'
import { type Database, type RowOf, selectRows } from '../database.ts'
import type { Env } from '../env.ts'
import { currentCandles, type marketSnapshots } from '../tables/market.ts'
import { type Market, readMarket, SAMPLE_SOURCE, toMarket } from './snapshot.ts'

export type MarketRow = typeof marketSnapshots.$inferSelect

/** Reads the market's prices; can share a batch. */
export function readRates(db: Database) {
  return readMarket(db)
}

/** USD for one coin as a decimal, from the rows of `readRates`; null if the market has no price or an old one. */
export function findRate(
  rows: readonly MarketRow[],
  coin: Coin,
  call: { readonly env: Env; readonly nowMs: number },
  maxAgeMs?: number,
): string | null {
  return findMarketRate(toMarket(rows, call.nowMs), coin, call, maxAgeMs)
}

/** The oldest price that is believed. */
const BELIEVED_MS = 60 * 60_000
/** A price that is at most this old is credited at as it is. */
const FRESH_MS = 2 * 60_000
const MINUTE_MS = 60_000
/**
 * What each started minute beyond that takes off the price, in basis points. A minute moves bitcoin and ether by less than 0.1 % as a rule,
 * so an investor gains no money by depositing while our price is above that of the market.
 */
const SPREAD_A_MINUTE: Readonly<Record<Coin, number>> = { bitcoin: 10, ethereum: 10, usdt: 1, usdc: 1 }

/** What an exchange last paid for a coin. */
export type ExchangePrice = RowOf<typeof readExchangePrices>

/** Reads the prices of the configured exchange, the second source beside the market's list; can share a batch. */
export function readExchangePrices(env: Env) {
  const provider = (env.CANDLES_PROVIDER ?? '').trim().toLowerCase()
  const { asset, last, at, market } = currentCandles
  return selectRows({ asset, last, at })
    .from(currentCandles)
    .where(and(eq(market, provider), ne(market, 'simulated')))
}

/** USD for one coin, and when that was its price. */
export interface CreditPrice {
  readonly rate: string
  readonly atMs: number
}

/**
 * The price at which a coin that arrives is quoted and credited: the newer one of the market's list and the exchange, less a spread for its
 * age beyond two minutes. Null without a believed price.
 */
export function creditPriceIn(
  rows: readonly MarketRow[],
  exchange: readonly ExchangePrice[],
  coin: Coin,
  { env, nowMs }: { readonly env: Env; readonly nowMs: number },
): CreditPrice | null {
  const market = toMarket(rows, nowMs)
  const believed = findMarketRate(market, coin, { env, nowMs })
  if (believed === null) return null
  const listed = { rate: believed, atMs: market.coins.atMs }
  const traded = exchange.find(({ asset, at }) => asset === MARKET_IDS[coin] && at <= nowMs)
  const newest =
    traded !== undefined && traded.at > listed.atMs
      ? { rate: formatPlainDecimal(traded.last), atMs: traded.at }
      : listed
  return { ...newest, rate: withSpread(newest.rate, coin, nowMs - newest.atMs) }
}

/** The rate less the spread for its age. */
export function withSpread(rate: string, coin: Coin, ageMs: number): string {
  const minutes = Math.max(0, Math.ceil((ageMs - FRESH_MS) / MINUTE_MS))
  if (minutes === 0) return rate
  return formatPlainDecimal((Number(rate) * (10_000 - minutes * SPREAD_A_MINUTE[coin])) / 10_000)
}

/**
 * USD for one coin as a plain decimal. Null if the snapshot lacks the coin, is older than `maxAgeMs`, has an unconfirmed jump of
 * it, or is the sample although a provider is configured.
 */
function findMarketRate(
  { coins }: Market,
  coin: Coin,
  { env, nowMs }: { env: Env; nowMs: number },
  maxAgeMs = BELIEVED_MS,
): string | null {
  const id = MARKET_IDS[coin]
  const price = coins.rows.find((row) => row.id === id)?.current_price
  if (price === undefined || !(price > 0) || !Number.isFinite(price)) return null
  if (nowMs - coins.atMs > maxAgeMs || Object.hasOwn(coins.held, id)) return null
  if (coins.source === SAMPLE_SOURCE && (env.MARKET_BASE_URL ?? '') !== '') return null
  return formatPlainDecimal(price)
}

/** A positive number without exponent: `1e-7` as `0.0000001`. Cut below the eighteenth decimal. */
export function formatPlainDecimal(value: number): string {
  const shortest = String(value)
  if (!shortest.includes('e')) return shortest
  return value >= 1 ? BigInt(value).toString() : value.toFixed(18).replace(/\.?0+$/, '')
}
