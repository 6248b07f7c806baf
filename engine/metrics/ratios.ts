import { at } from '../at.ts'
import type { Trade } from '../run.ts'
import { computeDeviation, computeMean } from './moments.ts'
import { DAYS_A_YEAR } from './returns.ts'

/**
 * Annualised volatility: σ√365, where σ is the sample standard deviation of daily returns (J. Hull, Options, Futures, and Other
 * Derivatives, 2017, ch. 15; 365 because these markets have no weekend). A share per year. Null under two returns.
 */
export function computeVolatility(returns: Float64Array): number | null {
  const daily = computeDeviation(returns)
  return daily === null ? null : daily * Math.sqrt(DAYS_A_YEAR)
}

/**
 * The Sharpe ratio (W. F. Sharpe, The Sharpe Ratio, Journal of Portfolio Management 21, 1994): mean / σ of daily returns, times
 * √365. The risk-free return is 0, because cash earns no interest here. Null under two returns and without spread.
 */
export function computeSharpe(returns: Float64Array): number | null {
  const daily = computeDailySharpe(returns)
  return daily === null ? null : daily * Math.sqrt(DAYS_A_YEAR)
}

/** The same for one day, not annualised. */
export function computeDailySharpe(returns: Float64Array): number | null {
  const spread = computeDeviation(returns)
  const middle = computeMean(returns)
  return spread === null || middle === null || spread === 0 ? null : middle / spread
}

/**
 * The Sortino ratio (F. A. Sortino and L. N. Price, Performance Measurement in a Downside Risk Framework, Journal of Investing 3,
 * 1994) with a target of 0: mean / √(Σ min(r, 0)² / n), times √365. Null without returns, and without a day with a loss.
 */
export function computeSortino(returns: Float64Array): number | null {
  const middle = computeMean(returns)
  if (middle === null) return null
  let squares = 0
  for (let i = 0; i < returns.length; i++) squares += Math.min(at(returns, i), 0) ** 2
  const downside = Math.sqrt(squares / returns.length)
  return downside === 0 ? null : (middle / downside) * Math.sqrt(DAYS_A_YEAR)
}

/**
 * The Calmar ratio (T. W. Young, Calmar Ratio: A Smoother Tool, Futures 20, 1991), here over the whole period: CAGR / |maximum
 * drawdown|. Null under 365 days, and without a drawdown.
 */
export function computeCalmar(annualGrowth: number | null, maximumDrawdown: number): number | null {
  return annualGrowth === null || maximumDrawdown === 0 ? null : annualGrowth / -maximumDrawdown
}

/**
 * Profit factor (R. Pardo, The Evaluation and Optimization of Trading Strategies, 2008): the gains of all winning trades / the
 * losses of all losing trades, after costs. Open trades count at their last value. Null without a losing trade.
 */
export function computeProfitFactor(trades: readonly Trade[]): number | null {
  let won = 0
  let lost = 0
  for (const trade of trades) {
    const profit = trade.proceeds - trade.cost
    if (profit > 0) won += profit
    else lost -= profit
  }
  return lost > 0 ? won / lost : null
}

/**
 * Turnover per year: purchases plus sales / average daily equity, times 365 / days (R. Grinold and R. Kahn, Active Portfolio
 * Management, 1999, ch. 16, who count one side; here both count, because both cost). Null without equity.
 */
export function computeTurnover(traded: number, equity: Float64Array): number | null {
  const average = computeMean(equity)
  return average === null || average <= 0 ? null : (traded / average) * (DAYS_A_YEAR / equity.length)
}
