import { deviation, mean } from './moments.ts'
import { DAYS_A_YEAR } from './returns.ts'

/**
 * The Sharpe ratio (W. F. Sharpe, The Sharpe Ratio, Journal of Portfolio Management 21, 1994): mean / σ of daily returns over cash,
 * which earns nothing here, times √365. Null under two returns and without spread.
 */
export function sharpe(returns: Float64Array): number | null {
  const daily = dailySharpe(returns)
  return daily === null ? null : daily * Math.sqrt(DAYS_A_YEAR)
}

/** Likewise for one day: not annualised. */
export function dailySharpe(returns: Float64Array): number | null {
  const spread = deviation(returns)
  const middle = mean(returns)
  return spread === null || middle === null || spread === 0 ? null : middle / spread
}
