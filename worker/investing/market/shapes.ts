import * as z from 'zod/mini'
import type { MarketCoin } from '../../../src/contract/investing/market.ts'
import { reduceSeries } from '../../../src/contract/series.ts'
import { DAY_MS } from '../../../src/time.ts'
import { ProviderFailure } from './provider.ts'

/** The rows that could be read, and the number of those that could not. */
export interface ParsedRows<T> {
  readonly rows: readonly T[]
  readonly dropped: number
}

/** A coin as the provider sends it, with its picture's address there. */
export interface ReceivedCoin extends Omit<MarketCoin, 'image'> {
  readonly picture: string | null
  /** When the provider last updated it, if it says so. */
  readonly seenAtMs: number | null
}

export interface ReceivedTrend {
  readonly id: string
  readonly name: string
  readonly symbol: string
  readonly picture: string | null
  readonly price: number
  readonly change: number
}

export interface ReceivedSeries {
  readonly id: string
  /** Oldest first. */
  readonly prices: readonly number[]
}

/** How many coins the list shows. */
const TOP = 50
/** With fewer, the list is broken. */
const FEWEST_COINS = 40
const FEWEST_TRENDS = 3
/** The most rows that a request can return. */
const MOST_ROWS = 250
/** Of a week of prices. The lowest and the highest of each are kept. */
const STEPS = 16

/** `GET /coins/markets`: the top 50 by rank. Refuses an answer with fewer than 40 good rows. */
export function parseCoins(answer: unknown, nowMs: number): ParsedRows<ReceivedCoin> {
  const { rows, dropped } = parseRows(answer, coinRow)
  const good = rows.filter((row) => isPlausible(row, nowMs))
  if (good.length < FEWEST_COINS) throw new ProviderFailure(`returned ${good.length} usable coins`)
  return {
    rows: good
      .toSorted((a, b) => a.market_cap_rank - b.market_cap_rank)
      .slice(0, TOP)
      .map(({ image, ath_date, last_updated, ...row }) => ({
        ...row,
        // A day without a price, or a price without a day, is useless.
        ...(row.ath === null || ath_date === null
          ? { ath: null, ath_date: null }
          : { ath_date: new Date(ath_date).toISOString() }),
        picture: image ?? null,
        seenAtMs: last_updated ?? null,
      })),
    dropped: dropped + rows.length - good.length,
  }
}

/** `GET /search/trending`: the most searched coins. Refuses an answer with fewer than three good rows. */
export function parseTrending(answer: unknown): ParsedRows<ReceivedTrend> {
  const { coins } = parseShape(z.object({ coins: z.array(z.unknown()) }), answer)
  const { rows, dropped } = parseRows(coins.map(getItem), trendRow)
  if (rows.length < FEWEST_TRENDS) throw new ProviderFailure(`returned ${rows.length} usable trending coins`)
  return {
    rows: rows.slice(0, TOP).map(({ id, name, symbol, large, data }) => ({
      id,
      name,
      symbol,
      picture: large ?? null,
      price: data.price,
      change: data.price_change_percentage_24h.usd,
    })),
    dropped,
  }
}

/** `GET /coins/markets?sparkline=true`: a week of prices of each coin, reduced for a small chart. */
export function parseSeries(answer: unknown): ParsedRows<ReceivedSeries> {
  const { rows, dropped } = parseRows(answer, seriesRow)
  return {
    rows: rows.map(({ id, sparkline_in_7d }) => ({
      id,
      prices: reduceSeries(sparkline_in_7d.price, STEPS).map(({ value }) => value),
    })),
    dropped,
  }
}

/** The all-time high lags the price by minutes. A larger gap contradicts it. */
const ABOVE_HIGHEST = 2

/**
 * Whether a coin's figures agree with each other and the clock. In the very first list, this is the only check that reveals a
 * misplaced decimal point.
 */
function isPlausible(
  { current_price, ath, ath_date }: { current_price: number; ath: number | null; ath_date: number | null },
  nowMs: number,
): boolean {
  return (ath_date ?? 0) <= nowMs + DAY_MS && current_price <= (ath ?? Infinity) * ABOVE_HIGHEST
}

// Names may not contain line breaks or marks that change the text direction, so that they cannot pose as text of ours.
const createTextSchema = (longest: number) =>
  z.string().check(z.trim(), z.minLength(1), z.maxLength(longest), z.regex(/^[^\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+$/u))
const id = z.string().check(z.regex(/^[a-z0-9][a-z0-9._-]{0,99}$/i))
// Below this a price has no digits left. Above the limit it is a mistake.
const price = z.number().check(z.gte(1e-15), z.lte(1e9))
const percent = z.number().check(z.gte(-100), z.lte(1e6))
const address = z.catch(z.nullish(z.string().check(z.maxLength(500))), null)
const moment = z.pipe(
  z.string().check(z.maxLength(40)),
  z.transform((text, context) => {
    const at = Date.parse(text)
    if (!Number.isNaN(at) && at > 0) return at
    context.issues.push({ code: 'custom', message: 'no time', input: text })
    return z.NEVER
  }),
)

const coinRow = z.object({
  id,
  symbol: createTextSchema(20),
  name: createTextSchema(60),
  image: address,
  current_price: price,
  market_cap_rank: z.int().check(z.gte(1), z.lte(100_000)),
  price_change_percentage_24h: z.nullable(percent),
  ath: z.nullable(price),
  ath_date: z.nullable(moment),
  last_updated: z.catch(z.nullish(moment), null),
})

const trendRow = z.object({
  id,
  name: createTextSchema(60),
  symbol: createTextSchema(20),
  large: address,
  data: z.object({ price, price_change_percentage_24h: z.object({ usd: percent }) }),
})

const seriesRow = z.object({
  id,
  sparkline_in_7d: z.object({ price: z.array(price).check(z.minLength(2), z.maxLength(2000)) }),
})

function getItem(row: unknown): unknown {
  return typeof row === 'object' && row !== null && 'item' in row ? row.item : null
}

function parseShape<S extends z.ZodMiniType>(schema: S, answer: unknown): z.output<S> {
  const result = schema.safeParse(answer)
  if (!result.success) throw new ProviderFailure('answered in another shape')
  return result.data
}

// Drops malformed rows and the second row of a coin.
function parseRows<S extends z.ZodMiniType<{ id: string }>>(
  answer: unknown,
  schema: S,
): ParsedRows<z.output<S>> {
  const all = parseShape(z.array(z.unknown()), answer)
  if (all.length > MOST_ROWS) throw new ProviderFailure(`answered ${all.length} rows`)
  const rows = new Map<string, z.output<S>>()
  for (const row of all) {
    const result = schema.safeParse(row)
    if (result.success && !rows.has(result.data.id)) rows.set(result.data.id, result.data)
  }
  return { rows: [...rows.values()], dropped: all.length - rows.size }
}
