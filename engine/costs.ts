/** What a trade costs on each side, in basis points of what is traded: an exchange's fee, and a price worse than the one seen. */
export interface Costs {
  readonly feeBasisPoints: number
  readonly slippageBasisPoints: number
}

export const DEFAULT_COSTS: Costs = { feeBasisPoints: 25, slippageBasisPoints: 10 }

/** By how much the costs are multiplied where results are shown. */
export const COST_MULTIPLES = [0, 1, 2, 3] as const
export type CostMultiple = (typeof COST_MULTIPLES)[number]
