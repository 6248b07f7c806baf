import { DAY_MS } from '../../src/time.ts'
import { at } from '../at.ts'
import type { Day } from '../backtest/backtestResult.ts'
import { toDayNumber } from '../metrics/dailyEquity.ts'
import { type NamedCandles, refuseBadBars } from './align.ts'
import { createEmptyCandles } from './candlesCsv.ts'
import { findFirstLiquidBar } from './liquidity.ts'
import { type Candles, type Market, MarketError } from './market.ts'

/**
 * Combines daily bars of real assets into one market, from the first day on which one of them is liquid until `until`. An asset
 * has NaN before it is liquid (`findFirstLiquidBar`) and on days that its file lacks. Throws a `MarketError` for unusable bars, an
 * asset that is never liquid, and a file that ends before `until`.
 */
export function buildRealMarket(named: readonly NamedCandles[], until: Day): Market {
  const end = toDayNumber(until)
  const days = named.map((coin) => findUsableDays(coin, end))
  const start = Math.min(...days.map(({ from }) => from))
  const length = end - start + 1
  const time = Float64Array.from({ length }, (_, day) => (start + day) * DAY_MS)
  return {
    intervalMs: DAY_MS,
    time,
    assets: named.map(({ asset }) => asset),
    candles: named.map(({ candles }, asset) => placeBars(candles, days[asset]?.from ?? start, time)),
  }
}

function findUsableDays({ asset, candles }: NamedCandles, end: number): { readonly from: number } {
  refuseBadBars(asset, candles, DAY_MS, 'allowed')
  const first = findFirstLiquidBar(candles)
  if (first === null) throw new MarketError('too-short', `${asset} is never liquid enough.`)
  if (at(candles.time, candles.time.length - 1) < end * DAY_MS) {
    throw new MarketError('too-short', `The bars of ${asset} end before the others.`)
  }
  return { from: at(candles.time, first) / DAY_MS }
}

/** One asset's bars from a day on, at their indexes in the market's days. NaN elsewhere. */
function placeBars(candles: Candles, from: number, time: Float64Array): Candles {
  const { seams } = candles
  const columns = { ...createEmptyCandles(time.length), time, ...(seams && { seams }) }
  const start = at(time, 0)
  for (const name of ['open', 'high', 'low', 'close', 'volume'] as const) columns[name].fill(Number.NaN)
  for (let bar = 0; bar < candles.time.length; bar++) {
    const opens = at(candles.time, bar)
    const day = (opens - start) / DAY_MS
    if (opens < from * DAY_MS || day >= time.length) continue
    columns.open[day] = at(candles.open, bar)
    columns.high[day] = at(candles.high, bar)
    columns.low[day] = at(candles.low, bar)
    columns.close[day] = at(candles.close, bar)
    columns.volume[day] = at(candles.volume, bar)
  }
  return columns
}
