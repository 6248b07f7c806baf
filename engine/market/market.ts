/**
 * Several assets over the same bars, without gaps. Each asset's `time` equals the market's. If an asset has no bar, before its
 * market began or on a missing day, all its columns except `time` are NaN.
 */
export interface Market {
  readonly intervalMs: number
  readonly time: Float64Array
  readonly assets: readonly string[]
  /** One per asset, in the order of `assets`. */
  readonly candles: readonly Candles[]
}

/**
 * Bars of one asset as columns of equal length, oldest first. `time` is the open of a bar (epoch milliseconds), prices
 * are in the quote currency, `volume` in units of the asset.
 */
export interface Candles {
  readonly time: Float64Array
  readonly open: Float64Array
  readonly high: Float64Array
  readonly low: Float64Array
  readonly close: Float64Array
  readonly volume: Float64Array
  /** The times of the first bars of further venues. Highs and lows are not compared over them. */
  readonly seams?: readonly number[]
}

/** The bars from `from` up to, but excluding, `before`, without copying them. */
export function takeExcerpt(market: Market, from: number, before = market.time.length): Market {
  return {
    intervalMs: market.intervalMs,
    assets: market.assets,
    time: market.time.subarray(from, before),
    candles: market.candles.map((candles) => takeCandles(candles, from, before)),
  }
}

function takeCandles(
  { time, open, high, low, close, volume, seams }: Candles,
  from: number,
  before: number,
): Candles {
  return {
    time: time.subarray(from, before),
    open: open.subarray(from, before),
    high: high.subarray(from, before),
    low: low.subarray(from, before),
    close: close.subarray(from, before),
    volume: volume.subarray(from, before),
    ...(seams && { seams }),
  }
}

export type MarketFault =
  | 'empty'
  | 'too-short'
  | 'lengths'
  | 'assets'
  | 'time'
  | 'gap'
  | 'price'
  | 'range'
  | 'volume'
  | 'text'

/** Unusable candles, with the reason. `bar` counts from 0, a line of text from 1. */
export class MarketError extends Error {
  readonly fault: MarketFault

  constructor(fault: MarketFault, message: string) {
    super(message)
    this.name = 'MarketError'
    this.fault = fault
  }
}
