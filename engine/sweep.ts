import type { StrategyKind } from './definition.ts'
import { fusedSmaTrend } from './fused.ts'
import type { Market } from './market.ts'
import { type RunOptions, run } from './run.ts'
import { STRATEGIES } from './strategies/registry.ts'
import type { Values } from './strategy.ts'
import { type Summary, summaryOf } from './summary.ts'

/** Tries one strategy with many values over the same market, and answers what came of each, in their order. */
export function sweep(
  market: Market,
  kind: StrategyKind,
  combinations: readonly Values[],
  options: RunOptions,
): readonly Summary[] {
  const fused = fusedOf(market, kind, options)
  return combinations.map(
    (values) => fused?.(values) ?? summaryOf(run(market, STRATEGIES[kind], values, options)),
  )
}

/** The faster way to the same figures, for what there is one. */
function fusedOf(
  market: Market,
  kind: StrategyKind,
  options: RunOptions,
): ((values: Values) => Summary | null) | null {
  const [candles, ...more] = market.candles
  if (kind !== 'sma-trend' || candles === undefined || more.length > 0) return null
  if (options.killAt !== undefined || options.risk?.dailyTurnover !== undefined) return null
  return ({ fast, slow }) =>
    fast === undefined || slow === undefined ? null : fusedSmaTrend(candles, { fast, slow }, options)
}
