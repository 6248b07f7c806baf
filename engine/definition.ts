import type { Costs } from './costs.ts'
import type { RiskRules } from './riskRules.ts'
import type { Values } from './strategy.ts'

export const STRATEGY_KINDS = [
  'buy-and-hold',
  'cost-averaging',
  'rebalanced-basket',
  'sma-trend',
  'donchian-trend',
  'momentum-rotation',
  'mean-reversion',
  'volatility-target',
] as const
export type StrategyKind = (typeof STRATEGY_KINDS)[number]

/** All that decides what a strategy does: what is frozen, with its hash, when it starts. */
export interface Definition {
  readonly kind: StrategyKind
  readonly values: Values
  readonly assets: readonly string[]
  readonly costs: Costs
  readonly risk: RiskRules
}
