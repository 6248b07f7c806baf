import { at } from '../../../engine/at.ts'
import type { Candles, Market } from '../../../engine/market.ts'
import { DAY_MS } from '../../../engine/metrics/dailyEquity.ts'
import type { Database } from '../../lib/database.ts'
import { MissingCandles, readCandles, readCurrent, readOpens } from '../candles/read.ts'

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

/** Prices from the stored bars. */
export function storedPrices(db: Database): Prices {
  return {
    async days(market, assets, nowMs) {
      const today = Math.floor(nowMs / DAY_MS) * DAY_MS
      const closed = await readCandles(db, market, assets, null, today)
      const opens = await readOpens(db, market, assets, today)
      if (opens === null) throw new MissingCandles(`${market}: the open of today`)
      return withOpened(closed, today, opens)
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

/** A market of closed bars, plus the bar of a day that has only opened. */
export function withOpened(closed: Market, day: number, opens: Float64Array): Market {
  const time = Float64Array.of(...closed.time, day)
  return {
    ...closed,
    time,
    candles: closed.candles.map((columns, asset): Candles => {
      const open = at(opens, asset)
      const and = (column: Float64Array, value = open) => Float64Array.of(...column, value)
      return {
        time,
        open: and(columns.open),
        high: and(columns.high),
        low: and(columns.low),
        close: and(columns.close),
        volume: and(columns.volume, 0),
      }
    }),
  }
}
