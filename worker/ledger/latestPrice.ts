import { eq, sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/sqlite-core'
import { DAY_MS } from '../../src/time.ts'
import { displays, strategies, valuations } from '../lib/tables/strategies.ts'
import { START_PRICE } from './units.ts'

/** What `latestPrice` reads for the strategy `s`. */
export interface PriceColumns {
  readonly startedAt: number
  readonly displayAt: number | null
  readonly displayPrice: number | null
  readonly valuedDay: number | null
  readonly valuedKind: 'open' | 'close' | null
  readonly valuedPrice: number | null
}

/** A strategy, its displayed price and its newest valuation: the tables of `LATEST_FIELDS`, to be joined as below. */
export const [s, d, v] = [alias(strategies, 's'), alias(displays, 'd'), alias(valuations, 'v')]
export const IS_DISPLAYED = eq(d.strategy, s.slug)
/** 'close' sorts before 'open'. */
export const IS_NEWEST = sql`v.strategy = s.slug AND (v.day, v.kind) = (
  SELECT l.day, l.kind FROM valuations l WHERE l.strategy = s.slug ORDER BY l.day DESC, l.kind LIMIT 1)`

export const LATEST_FIELDS = {
  startedAt: s.startedAt,
  ...{ displayAt: d.at, displayPrice: d.unitPrice },
  ...{ valuedDay: v.day, valuedKind: v.kind, valuedPrice: v.unitPrice },
}

/** The newest unit price in micro-USD, and its time. */
export interface LatestPrice {
  readonly unitPrice: number
  readonly atMs: number
}

export function getLatestPrice(row: PriceColumns): LatestPrice {
  const valued = getLastValuation(row)
  const { displayAt, displayPrice } = row
  return displayAt !== null && displayPrice !== null && displayAt >= valued.atMs
    ? { unitPrice: displayPrice, atMs: displayAt }
    : valued
}

/** The price of the newest valuation, without displayed prices between two. */
export function getLastValuation({
  startedAt,
  valuedDay,
  valuedKind,
  valuedPrice,
}: PriceColumns): LatestPrice {
  if (valuedDay === null || valuedPrice === null) return { unitPrice: START_PRICE, atMs: startedAt }
  return { unitPrice: valuedPrice, atMs: valuedDay + (valuedKind === 'close' ? DAY_MS : 0) }
}
