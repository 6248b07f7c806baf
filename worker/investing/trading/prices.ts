import { at } from '../../../engine/at.ts'
import type { Candles, Market } from '../../../engine/market.ts'
import { DAY_MS } from '../../../engine/metrics/dailyEquity.ts'
import type { Database } from '../../lib/database.ts'
import { readClosed } from '../candles/closed.ts'
import { MissingCandles, readCurrent, readOpens } from '../candles/read.ts'

/** The source of a pool's prices. */
export interface Prices {
  /**
   * Daily bars of these assets from the first day that all have, without a gap. The last bar is the day of `nowMs`. It has opened
   * and not closed, so all four prices are its open. Throws `MissingCandles` if a bar or the open is missing.
   */
  days(market: string, assets: readonly string[], nowMs: number): Promise<Market>
  /** Each asset's latest price of today. Null if one is missing. */
  now(market: string, assets: readonly string[], nowMs: number): Promise<Float64Array | null>
}

/**
 * The stored bars. Bars and opens never change once stored, so one instance reads each market once a day, however many
 * strategies ask for it.
 */
export function storedPrices(db: Database): Prices {
  const known = new Map<string, Promise<Market>>()
  return {
    days(market, assets, nowMs) {
      const today = Math.floor(nowMs / DAY_MS) * DAY_MS
      const key = JSON.stringify([market, assets, today])
      const read = known.get(key) ?? readDays(db, market, assets, today)
      known.set(key, read)
      // What is missing now may arrive.
      read.catch(() => known.delete(key))
      return read
    },
    async now(market, assets, nowMs) {
      const today = Math.floor(nowMs / DAY_MS) * DAY_MS
      const current = await readCurrent(db, market, assets)
      const last = assets.map((asset) => current.get(asset))
      if (last.some((price) => price?.day !== today)) return null
      return Float64Array.from(last, (price) => price?.last ?? Number.NaN)
    },
  }
}

async function readDays(
  db: Database,
  market: string,
  assets: readonly string[],
  today: number,
): Promise<Market> {
  const closed = await readClosed(db, market, assets, today)
  const opens = await readOpens(db, market, assets, today)
  if (opens === null) throw new MissingCandles(`${market}: the open of today`)
  const known = opened.get(closed)
  if (known?.opens.every((open, asset) => open === opens[asset])) return known.market
  const days = withOpened(closed, today, opens)
  opened.set(closed, { opens, market: days })
  return days
}

// The same object for the same bars, so that what is computed from them can be kept with it.
const opened = new WeakMap<Market, { readonly opens: Float64Array; readonly market: Market }>()

/** A market of closed bars, plus the bar of a day that has only opened. */
export function withOpened(closed: Market, day: number, opens: Float64Array): Market {
  const time = followedBy(closed.time, day)
  return {
    ...closed,
    time,
    candles: closed.candles.map((columns, asset): Candles => {
      const open = at(opens, asset)
      return {
        time,
        open: followedBy(columns.open, open),
        high: followedBy(columns.high, open),
        low: followedBy(columns.low, open),
        close: followedBy(columns.close, open),
        volume: followedBy(columns.volume, 0),
      }
    }),
  }
}

function followedBy(column: Float64Array, value: number): Float64Array {
  const longer = new Float64Array(column.length + 1)
  longer.set(column)
  longer[column.length] = value
  return longer
}
