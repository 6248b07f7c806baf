import { at } from '../at.ts'
import { deviation, mean } from './moments.ts'
import { DAYS_A_YEAR } from './returns.ts'

/**
 * Beta (W. F. Sharpe, Capital Asset Prices, Journal of Finance 19, 1964): covariance of both daily returns / variance of the
 * benchmark's. Null if the benchmark does not move.
 */
export function beta(returns: Float64Array, benchmark: Float64Array): number | null {
  const spread = deviation(benchmark)
  const together = covariance(returns, benchmark)
  return !spread || together === null ? null : together / spread ** 2
}

/** Pearson's correlation of both daily returns, between −1 and 1. Null if one of them does not move. */
export function correlation(returns: Float64Array, benchmark: Float64Array): number | null {
  const spread = deviation(returns)
  const others = deviation(benchmark)
  const together = covariance(returns, benchmark)
  if (!spread || !others || together === null) return null
  return Math.max(-1, Math.min(1, together / (spread * others)))
}

/**
 * Tracking error (R. Grinold and R. Kahn, Active Portfolio Management, 1999, ch. 3): standard deviation of the daily differences
 * of returns, times √365. A share per year. Null under two returns.
 */
export function trackingError(returns: Float64Array, benchmark: Float64Array): number | null {
  const daily = deviation(differences(returns, benchmark))
  return daily === null ? null : daily * Math.sqrt(DAYS_A_YEAR)
}

/**
 * Information ratio (T. H. Goodwin, The Information Ratio, Financial Analysts Journal 54, 1998): mean of the daily differences of
 * returns / their standard deviation, times √365. Null without differences.
 */
export function informationRatio(returns: Float64Array, benchmark: Float64Array): number | null {
  const active = differences(returns, benchmark)
  const daily = deviation(active)
  const middle = mean(active)
  return !daily || middle === null ? null : (middle / daily) * Math.sqrt(DAYS_A_YEAR)
}

/**
 * Upside capture: the mean return on days when the benchmark rose / the benchmark's own on these days (C. R. Bacon, Practical
 * Portfolio Performance Measurement and Attribution, 2008, ch. 4, with arithmetic means). Null if it never rose.
 */
export function upCapture(returns: Float64Array, benchmark: Float64Array): number | null {
  return capture(returns, benchmark, 1)
}

/** Downside capture: the same for the days when it fell. */
export function downCapture(returns: Float64Array, benchmark: Float64Array): number | null {
  return capture(returns, benchmark, -1)
}

function capture(returns: Float64Array, benchmark: Float64Array, sign: 1 | -1): number | null {
  let own = 0
  let its = 0
  for (let i = 0; i < returns.length; i++) {
    if (Math.sign(at(benchmark, i)) !== sign) continue
    own += at(returns, i)
    its += at(benchmark, i)
  }
  // 0 divided by a fall would be −0, which JSON does not keep.
  return its === 0 ? null : own / its + 0
}

function covariance(a: Float64Array, b: Float64Array): number | null {
  const middleA = mean(a)
  const middleB = mean(b)
  if (middleA === null || middleB === null || a.length < 2) return null
  let sum = 0
  for (let i = 0; i < a.length; i++) sum += (at(a, i) - middleA) * (at(b, i) - middleB)
  return sum / (a.length - 1)
}

function differences(a: Float64Array, b: Float64Array): Float64Array {
  return a.map((value, i) => value - at(b, i))
}
