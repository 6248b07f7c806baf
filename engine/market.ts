import type { Candles } from './candles.ts'

/** Several assets over the very same bars: each one's `time` equals the market's, without a gap. */
export interface Market {
  readonly intervalMs: number
  readonly time: Float64Array
  readonly assets: readonly string[]
  /** One for each asset, in their order. */
  readonly candles: readonly Candles[]
}
