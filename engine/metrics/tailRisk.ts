import { at } from '../at.ts'

const WORST_SHARE = 0.05

/**
 * Historical value at risk at 95 % for one day (P. Jorion, Value at Risk, 2006, ch. 10): the ⌊0.05 n⌋-th worst of n daily
 * returns, negated, so that a loss is positive. Null under 20 returns.
 */
export function valueAtRisk95(returns: Float64Array): number | null {
  const worst = takeWorst(returns)
  return worst.length === 0 ? null : 0 - at(worst, worst.length - 1)
}

/**
 * Expected shortfall at 95 % for one day (C. Acerbi and D. Tasche, On the Coherence of Expected Shortfall, Journal of Banking &
 * Finance 26, 2002): the mean of the ⌊0.05 n⌋ worst returns, negated. Never below the value at risk. Null under 20 returns.
 */
export function computeExpectedShortfall95(returns: Float64Array): number | null {
  const worst = takeWorst(returns)
  return worst.length === 0 ? null : 0 - worst.reduce((sum, value) => sum + value, 0) / worst.length
}

function takeWorst(returns: Float64Array): Float64Array {
  // Adds a tenth of a millionth, because 0.05 × 20 may not be exactly 1 in binary.
  return Float64Array.from(returns)
    .sort()
    .subarray(0, Math.floor(returns.length * WORST_SHARE + 1e-7))
}
