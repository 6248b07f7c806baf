import { at } from '../at.ts'
import { computeDeviation, computeMean } from './moments.ts'
import { DAYS_A_YEAR } from './returns.ts'

/**
 * Beta (W. F. Sharpe, Capital Asset Prices, Journal of Finance 19, 1964): covariance of both daily returns / variance of the
 * benchmark's. Null if the benchmark does not move.
 */
export function computeBeta(returns: Float64Array, benchmark: Float64Array): number | null {
  const spread = computeDeviation(benchmark)
  const together = computeCovariance(returns, benchmark)
  return !spread || together === null ? null : together / spread ** 2
}

/** Pearson's correlation of both daily returns, between −1 and 1. Null if one of them does not move. */
export function computeCorrelation(returns: Float64Array, benchmark: Float64Array): number | null {
  const spread = computeDeviation(returns)
  const others = computeDeviation(benchmark)
  const together = computeCovariance(returns, benchmark)
  if (!spread || !others || together === null) return null
  return Math.max(-1, Math.min(1, together / (spread * others)))
}

/**
 * Tracking error (R. Grinold and R. Kahn, Active Portfolio Management, 1999, ch. 3): standard deviation of the daily differences
 * of returns, times √365. A share per year. Null under two returns.
 */
export function computeTrackingError(returns: Float64Array, benchmark: Float64Array): number | null {
  const daily = computeDeviation(computeActiveReturns(returns, benchmark))
  return daily === null ? null : daily * Math.sqrt(DAYS_A_YEAR)
}

/**
 * Information ratio (T. H. Goodwin, The Information Ratio, Financial Analysts Journal 54, 1998): mean of the daily differences of
 * returns / their standard deviation, times √365. Null without differences.
 */
export function computeInformationRatio(returns: Float64Array, benchmark: Float64Array): number | null {
  const active = computeActiveReturns(returns, benchmark)
  const daily = computeDeviation(active)
  const middle = computeMean(active)
  return !daily || middle === null ? null : (middle / daily) * Math.sqrt(DAYS_A_YEAR)
}

/**
 * Upside capture: the mean return on days when the benchmark rose / the benchmark's own on these days (C. R. Bacon, Practical
 * Portfolio Performance Measurement and Attribution, 2008, ch. 4, with arithmetic means). Null if it never rose.
 */
export function computeUpCapture(returns: Float64Array, benchmark: Float64Array): number | null {
  return computeCapture(returns, benchmark, 1)
}

/** Downside capture: the same for the days when it fell. */
export function computeDownCapture(returns: Float64Array, benchmark: Float64Array): number | null {
  return computeCapture(returns, benchmark, -1)
}

function computeCapture(returns: Float64Array, benchmark: Float64Array, sign: 1 | -1): number | null {
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

function computeCovariance(a: Float64Array, b: Float64Array): number | null {
  const middleA = computeMean(a)
  const middleB = computeMean(b)
  if (middleA === null || middleB === null || a.length < 2) return null
  let sum = 0
  for (let i = 0; i < a.length; i++) sum += (at(a, i) - middleA) * (at(b, i) - middleB)
  return sum / (a.length - 1)
}

function computeActiveReturns(a: Float64Array, b: Float64Array): Float64Array {
  return a.map((value, i) => value - at(b, i))
}
