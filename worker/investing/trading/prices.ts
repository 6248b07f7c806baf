import { at } from '../../../engine/at.ts'
import type { Candles, Market } from '../../../engine/market/market.ts'
import { DAY_MS } from '../../../src/time.ts'
import type { Database } from '../../lib/database.ts'
import { bindStandings, readClosed } from '../candles/closedBars.ts'
import { MissingCandles, type Newest, readNewest, readOpens } from '../candles/read.ts'

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
 * The stored bars. Bars and opens never change once stored, so one instance reads each market once a day, and its newest prices
 * once, however many strategies ask for them.
 */
export function createStoredPrices(db: Database): Prices {
  const newest = createCachedReading((market, today) => readNewest(db, market, today))
  const days = createCachedReading(async (market, today, assets) =>
    readDays(db, market, assets, today, await newest(market, today, [])),
  )
  return {
    days: (market, assets, nowMs) => days(market, toDayStart(nowMs), assets),
    async now(market, assets, nowMs) {
      const today = toDayStart(nowMs)
      const { current } = await newest(market, today, [])
      const last = assets.map((asset) => current.get(asset))
      if (last.some((price) => price?.day !== today)) return null
      return Float64Array.from(last, (price) => price?.last ?? Number.NaN)
    },
  }
}

function toDayStart(nowMs: number): number {
  return Math.floor(nowMs / DAY_MS) * DAY_MS
}

type PriceReader<T> = (market: string, today: number, assets: readonly string[]) => Promise<T>

/** Caches each result. A failure is not kept, because missing candles may arrive later. */
function createCachedReading<T>(read: PriceReader<T>): PriceReader<T> {
  const known = new Map<string, Promise<T>>()
  return (market, today, assets) => {
    const key = JSON.stringify([market, assets, today])
    const result = known.get(key) ?? read(market, today, assets)
    known.set(key, result)
    result.catch(() => known.delete(key))
    return result
  }
}

async function readDays(
  db: Database,
  market: string,
  assets: readonly string[],
  today: number,
  newest: Newest,
): Promise<Market> {
  const closed = await readClosed(db, market, assets, today, newest.closed)
  const opens = findOpens(newest.current, assets, today) ?? (await readOpens(db, market, assets, today))
  if (opens === null) throw new MissingCandles(`${market}: the open of today`)
  const known = opened.get(closed)
  if (known?.opens.every((open, asset) => open === opens[asset])) return known.market
  const days = bindStandings(closed, withOpened(closed, today, opens))
  opened.set(closed, { opens, market: days })
  return days
}

/** Each asset's open, from the current bars; null if one of them is of another day. */
function findOpens(
  current: Newest['current'],
  assets: readonly string[],
  today: number,
): Float64Array | null {
  const bars = assets.map((asset) => current.get(asset))
  if (bars.some((bar) => bar?.day !== today)) return null
  return Float64Array.from(bars, (bar) => bar?.open ?? Number.NaN)
}

// The same object for the same bars, so that results computed from them can be kept with it.
const opened = new WeakMap<Market, { readonly opens: Float64Array; readonly market: Market }>()

/** A market of closed bars, plus the bar of a day that has only opened. */
export function withOpened(closed: Market, day: number, opens: Float64Array): Market {
  const time = addToColumn(closed.time, day)
  return {
    ...closed,
    time,
    candles: closed.candles.map((columns, asset): Candles => {
      const open = at(opens, asset)
      return {
        time,
        open: addToColumn(columns.open, open),
        high: addToColumn(columns.high, open),
        low: addToColumn(columns.low, open),
        close: addToColumn(columns.close, open),
        volume: addToColumn(columns.volume, 0),
      }
    }),
  }
}

function addToColumn(column: Float64Array, value: number): Float64Array {
  const longer = new Float64Array(column.length + 1)
  longer.set(column)
  longer[column.length] = value
  return longer
}
