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
