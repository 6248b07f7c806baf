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

/** Everything that determines a strategy's behaviour. It is frozen and hashed at the start. */
export interface Definition {
  readonly kind: StrategyKind
  readonly values: Values
  readonly assets: readonly string[]
  readonly costs: Costs
  readonly risk: RiskRules
}

/** The cost of each purchase or sale, in basis points of its value: the exchange's fee and the slippage. */
export interface Costs {
  readonly feeBasisPoints: number
  readonly slippageBasisPoints: number
}

export const DEFAULT_COSTS: Costs = { feeBasisPoints: 25, slippageBasisPoints: 10 }

/** Results are shown at these multiples of the costs. */
export const COST_MULTIPLES = [0, 1, 2, 3] as const
export type CostMultiple = (typeof COST_MULTIPLES)[number]

/** Risk limits on top of any strategy. A missing limit does not apply. */
export interface RiskRules {
  /** Sells everything once a close is this share below the highest earlier one: 0.35 is 35 %. */
  readonly maximumDrawdown?: number
  /**
   * How many days it then waits in cash. Afterwards it buys again when its own rule says so, and the drawdown is measured from then on.
   * Without it, trading ends for good.
   */
  readonly pauseDays?: number
  /** The largest share of the equity that a purchase may bring one asset to. */
  readonly maximumPosition?: number
  /** The most to trade within a UTC day, purchases plus sales, as a share of the equity at its first open. */
  readonly dailyTurnover?: number
}

/** Whether a close triggers the drawdown limit. `peak` is the highest close since the start or the last pause, including the capital then. */
export function isDrawdownReached(equity: number, peak: number, risk: RiskRules): boolean {
  return risk.maximumDrawdown !== undefined && equity <= peak * (1 - risk.maximumDrawdown)
}

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
