import { DEFAULT_COSTS } from '../../../engine/definition.ts'
import { type Market, takeExcerpt } from '../../../engine/market/market.ts'
import { type Run, run } from '../../../engine/run.ts'
import type { Strategy, Values } from '../../../engine/strategy.ts'
import { recorded, type Said } from './recorded.ts'

export interface Followed {
  readonly said: readonly Said[]
  readonly result: Run
}

export function follow(market: Market, strategy: Strategy, values: Values, from?: number): Followed {
  const { strategy: written, said } = recorded(strategy)
  return { said, result: run(market, written, values, { startingCash: 1_000, costs: DEFAULT_COSTS, from }) }
}

/** Everything known and done before a bar, as one text for comparison. */
function before(bar: number, { said, result }: Followed): string {
  return JSON.stringify([
    said.filter((line) => line.bar < bar),
    [...result.equity.slice(0, bar - result.from)],
    result.fills.filter((fill) => fill.bar < bar),
  ])
}

/** Creates a strategy for a given market. Only such a strategy could look ahead. */
export type Given = (shown: Market) => Strategy

export function prefixSaysTheSame(
  market: Market,
  given: Given,
  values: Values,
  cuts: readonly number[],
): boolean {
  const whole = follow(market, given(market), values)
  return cuts.every((cut) => {
    const shown = takeExcerpt(market, 0, cut)
    return before(cut, follow(shown, given(shown), values)) === before(cut, whole)
  })
}

/** The market with other prices from a bar on: a thousand times higher or lower. A missing bar stays missing. */
export function corrupted(market: Market, from: number, factor: number): Market {
  const other = (column: Float64Array) =>
    column.map((value, bar) => (bar < from || Number.isNaN(value) ? value : factor * (100 + (bar % 7))))
  return {
    ...market,
    candles: market.candles.map((candles) => ({
      ...candles,
      open: other(candles.open),
      high: other(candles.high),
      low: other(candles.low),
      close: other(candles.close),
      volume: other(candles.volume),
    })),
  }
}

export function futureChangesNothing(market: Market, given: Given, values: Values, cut: number): boolean {
  const whole = follow(market, given(market), values)
  return [1e-3, 1e3].every((factor) => {
    const shown = corrupted(market, cut, factor)
    return before(cut, follow(shown, given(shown), values)) === before(cut, whole)
  })
}
