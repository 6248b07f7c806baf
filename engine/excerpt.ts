import type { Candles } from './candles.ts'
import type { Market } from './market.ts'

/** The bars of a market from one on and before another, without copying them. Indices count as those of `slice` do. */
export function excerpt(market: Market, from: number, before = market.time.length): Market {
  return {
    intervalMs: market.intervalMs,
    assets: market.assets,
    time: market.time.subarray(from, before),
    candles: market.candles.map((candles) => excerptOf(candles, from, before)),
  }
}

function excerptOf({ time, open, high, low, close, volume }: Candles, from: number, before: number): Candles {
  return {
    time: time.subarray(from, before),
    open: open.subarray(from, before),
    high: high.subarray(from, before),
    low: low.subarray(from, before),
    close: close.subarray(from, before),
    volume: volume.subarray(from, before),
  }
}
