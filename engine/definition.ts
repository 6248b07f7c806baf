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

/** What a trade costs on each side, in basis points of what is traded: an exchange's fee, and a price worse than the one seen. */
export interface Costs {
  readonly feeBasisPoints: number
  readonly slippageBasisPoints: number
}

export const DEFAULT_COSTS: Costs = { feeBasisPoints: 25, slippageBasisPoints: 10 }

/** By how much the costs are multiplied where results are shown. */
export const COST_MULTIPLES = [0, 1, 2, 3] as const
export type CostMultiple = (typeof COST_MULTIPLES)[number]

/** Rules above any strategy. One that is left out does not hold. */
export interface RiskRules {
  /** All is sold, and nothing bought again, once a close stands this share below the highest before it: 0.35 is 35 %. */
  readonly maximumDrawdown?: number
  /** The most that one asset may be of the equity when it is bought, as a share. */
  readonly maximumPosition?: number
  /** The most that may be traded within a UTC day, bought and sold together, as a share of the equity at its first open. */
  readonly dailyTurnover?: number
}

/** Whether a close ends all trading. `peak` is the highest close before it, the starting capital included. */
export function isDrawdownReached(equity: number, peak: number, risk: RiskRules): boolean {
  return risk.maximumDrawdown !== undefined && equity <= peak * (1 - risk.maximumDrawdown)
}

/** What each kind of strategy does, in a sentence for people. */
export const DOES: Readonly<Record<StrategyKind, string>> = {
  'buy-and-hold': 'Buys once and holds, whatever happens: what the others are measured against.',
  'cost-averaging':
    'Buys for the same amount at fixed intervals, whatever the price, until a set share is invested.',
  'rebalanced-basket':
    'Holds several assets in equal parts, and trades back to them when one drifts too far from its part.',
  'sma-trend':
    'Holds while the short average of the price stands above the long one, and is in cash otherwise.',
  'donchian-trend':
    'Buys when a price passes the highest of some weeks, and sells when it falls below a lowest.',
  'momentum-rotation':
    'Holds the few assets that rose most over some months, changes them at intervals, and goes to cash when all fall.',
  'mean-reversion':
    'Buys after a sharp fall and sells when the price is back at its average, with a hard limit on the loss.',
  'volatility-target':
    'Holds less of the index the more its price swings, so that the swings stay near a target.',
}
