import { shape } from './moments.ts'
import { normalBelow, normalQuantile } from './normal.ts'
import { dailySharpe } from './sharpe.ts'

/** Sharpe ratio for one observation (not annualised), their number, skewness and kurtosis (3 for a normal distribution). */
export interface SharpeEstimate {
  readonly sharpe: number
  readonly observations: number
  readonly skewness: number
  readonly kurtosis: number
}

/** Of daily returns; null under two of them and without spread. */
export function sharpeEstimate(returns: Float64Array): SharpeEstimate | null {
  const estimated = dailySharpe(returns)
  const form = shape(returns)
  return estimated === null || form === null
    ? null
    : { sharpe: estimated, observations: returns.length, ...form }
}

/**
 * The probability that the true Sharpe ratio is above `benchmark` (D. H. Bailey and M. López de Prado, The Sharpe Ratio Efficient Frontier,
 * Journal of Risk 15, 2012): Φ((SR − SR*)·√(n − 1) / √(1 − γ₃·SR + (γ₄ − 1)/4·SR²)), both for one observation. Null where the root has none.
 */
export function probabilisticSharpe(estimate: SharpeEstimate, benchmark = 0): number | null {
  const { sharpe, observations, skewness, kurtosis } = estimate
  const variance = 1 - skewness * sharpe + ((kurtosis - 1) / 4) * sharpe ** 2
  if (!(variance > 0) || observations < 2) return null
  return normalBelow(((sharpe - benchmark) * Math.sqrt(observations - 1)) / Math.sqrt(variance))
}

/**
 * The deflated Sharpe ratio (D. H. Bailey and M. López de Prado, The Deflated Sharpe Ratio, Journal of Portfolio Management 40, 2014): the
 * same probability over what the best of `trials` without any worth is expected to show, whose Sharpe ratios vary by `variance`.
 */
export function deflatedSharpe(estimate: SharpeEstimate, trials: number, variance: number): number | null {
  return probabilisticSharpe(estimate, expectedBest(trials, variance))
}

/** √V·((1 − γ)·Φ⁻¹(1 − 1/N) + γ·Φ⁻¹(1 − 1/(N·e))), with Euler's constant γ; 0 for a single trial. */
export function expectedBest(trials: number, variance: number): number {
  if (trials < 2) return 0
  const best =
    (1 - EULER) * normalQuantile(1 - 1 / trials) + EULER * normalQuantile(1 - 1 / (trials * Math.E))
  return Math.sqrt(variance) * best
}

const EULER = 0.577_215_664_901_532_9
