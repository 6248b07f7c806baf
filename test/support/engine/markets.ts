import fc from 'fast-check'
import { buildMarket } from '../../../engine/market/align.ts'
import { createEmptyCandles } from '../../../engine/market/candlesCsv.ts'
import type { Candles, Market } from '../../../engine/market/market.ts'
import { drawUniform, mulberry32 } from '../../../engine/random.ts'
import { DAY_MS } from '../../../src/time.ts'

export type Ohlc = readonly [open: number, high: number, low: number, close: number]

/** Daily bars from 1 January 2024 on, each `[open, high, low, close]`. */
export function daily(bars: readonly Ohlc[], intervalMs = DAY_MS): Candles {
  const candles = createEmptyCandles(bars.length)
  bars.forEach(([open, high, low, close], bar) => {
    candles.time[bar] = Date.UTC(2024, 0, 1) + bar * intervalMs
    candles.open[bar] = open
    candles.high[bar] = high
    candles.low[bar] = low
    candles.close[bar] = close
    candles.volume[bar] = 1
  })
  return candles
}

export function marketOf(...assets: readonly (readonly Ohlc[])[]): Market {
  return buildMarket(
    assets.map((bars, index) => ({ asset: `asset-${index}`, candles: daily(bars) })),
    DAY_MS,
  )
}

/** A bar whose four prices are all the same. */
export function flat(price: number): Ohlc {
  return [price, price, price, price]
}

/** A random walk of this many bars, with gaps between close and open. The same seed gives the same walk. */
export function walk(bars: number, seed: number, drift = 0.0004, spread = 0.02): Ohlc[] {
  const random = chances(seed)
  let close = 100
  return Array.from({ length: bars }, (): Ohlc => {
    const open = close * (1 + spread * 0.3 * (random() - 0.5))
    close = open * Math.exp(drift + spread * (random() + random() + random() - 1.5))
    const high = Math.max(open, close) * (1 + spread * 0.5 * random())
    const low = Math.min(open, close) * (1 - spread * 0.5 * random())
    return [open, high, low, close]
  })
}

/** Markets of one to three assets with any prices. */
export const anyMarket: fc.Arbitrary<Market> = fc
  .record({
    bars: fc.integer({ min: 3, max: 40 }),
    seeds: fc.array(fc.nat(), { minLength: 1, maxLength: 3 }),
    spread: fc.constantFrom(0, 0.02, 0.2, 0.5),
  })
  .map(({ bars, seeds, spread }) => marketOf(...seeds.map((seed) => walk(bars, seed, 0, spread))))

/** Shares from 0 to 1. The same seed gives the same shares. */
export function chances(seed: number): () => number {
  const random = mulberry32(seed)
  return () => drawUniform(random)
}
