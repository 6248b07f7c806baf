import { type SQL, sql } from 'drizzle-orm'
import { DAY_MS } from '../../src/time.ts'
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

/** SQL of the columns, for joins named by `LATEST_JOINS`. */
export const LATEST_COLUMNS: SQL = sql`
  s.started_at AS startedAt, d.at AS displayAt, d.unit_price AS displayPrice,
  v.day AS valuedDay, v.kind AS valuedKind, v.unit_price AS valuedPrice`

/** The newest valuation of the strategy `s`, and the displayed price. 'close' sorts before 'open'. */
export const LATEST_JOINS: SQL = sql`
  LEFT JOIN displays d ON d.strategy = s.slug
  LEFT JOIN valuations v ON v.strategy = s.slug AND (v.day, v.kind) = (
    SELECT l.day, l.kind FROM valuations l WHERE l.strategy = s.slug ORDER BY l.day DESC, l.kind LIMIT 1)`

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
