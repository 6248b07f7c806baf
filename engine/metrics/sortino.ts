import { at } from '../at.ts'
import { mean } from './moments.ts'
import { DAYS_A_YEAR } from './returns.ts'

/**
 * The Sortino ratio (F. A. Sortino and L. N. Price, Performance Measurement in a Downside Risk Framework, Journal of Investing 3, 1994)
 * with a target of 0: mean / √(Σ min(r, 0)² / n), times √365. Null without returns, and where no day lost.
 */
export function sortino(returns: Float64Array): number | null {
  const middle = mean(returns)
  if (middle === null) return null
  let squares = 0
  for (let i = 0; i < returns.length; i++) squares += Math.min(at(returns, i), 0) ** 2
  const downside = Math.sqrt(squares / returns.length)
  return downside === 0 ? null : (middle / downside) * Math.sqrt(DAYS_A_YEAR)
}
