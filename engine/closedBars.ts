import { at } from './at.ts'
import type { Market } from './market.ts'
import type { ClosedBar } from './strategy.ts'

/** Shows a market bar by bar. Each call fills the same arrays again, so that following a market allocates nothing. */
export function closedBars(market: Market): (index: number) => ClosedBar {
  const { candles, time } = market
  const size = candles.length
  const open = new Float64Array(size)
  const high = new Float64Array(size)
  const low = new Float64Array(size)
  const close = new Float64Array(size)
  const volume = new Float64Array(size)
  const bar = { index: 0, time: 0, open, high, low, close, volume }
  return (index) => {
    bar.index = index
    bar.time = at(time, index)
    let asset = 0
    for (const columns of candles) {
      open[asset] = at(columns.open, index)
      high[asset] = at(columns.high, index)
      low[asset] = at(columns.low, index)
      close[asset] = at(columns.close, index)
      volume[asset] = at(columns.volume, index)
      asset++
    }
    return bar
  }
}
