import { at } from '../../../engine/at.ts'
import { createEmptyCandles } from '../../../engine/market/candlesCsv.ts'
import type { Candles } from '../../../engine/market/market.ts'
import type { Bar } from './parse.ts'

/** Bars as the engine's columns. */
export function toCandles(bars: readonly Bar[]): Candles {
  const columns = createEmptyCandles(bars.length)
  for (const [index, bar] of bars.entries()) {
    columns.time[index] = bar.day
    columns.open[index] = bar.open
    columns.high[index] = bar.high
    columns.low[index] = bar.low
    columns.close[index] = bar.close
    columns.volume[index] = bar.volume
  }
  return columns
}

/** The engine's columns as bars. */
export function toBars({ time, open, high, low, close, volume }: Candles): Bar[] {
  return Array.from(time, (day, bar) => ({
    day,
    open: at(open, bar),
    high: at(high, bar),
    low: at(low, bar),
    close: at(close, bar),
    volume: at(volume, bar),
  }))
}
