import { deviation } from './moments.ts'
import { DAYS_A_YEAR } from './returns.ts'

/**
 * Annualised volatility: σ√365, where σ is the sample standard deviation of daily returns (J. Hull, Options, Futures, and Other
 * Derivatives, 2017, ch. 15; 365 because these markets have no weekend). A share a year; null under two returns.
 */
export function volatility(returns: Float64Array): number | null {
  const daily = deviation(returns)
  return daily === null ? null : daily * Math.sqrt(DAYS_A_YEAR)
}
