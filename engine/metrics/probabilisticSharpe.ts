import { computeShape } from './moments.ts'
import { computeDailySharpe } from './ratios.ts'

/** Sharpe ratio for one observation (not annualised), their number, skewness and kurtosis (3 for a normal distribution). */
export interface SharpeEstimate {
  readonly sharpe: number
  readonly observations: number
  readonly skewness: number
  readonly kurtosis: number
}

/** Of daily returns. Null under two returns and without spread. */
export function computeSharpeEstimate(returns: Float64Array): SharpeEstimate | null {
  const estimated = computeDailySharpe(returns)
  const form = computeShape(returns)
  return estimated === null || form === null
    ? null
    : { sharpe: estimated, observations: returns.length, ...form }
}

/**
 * The probability that the true Sharpe ratio is above `benchmark` (D. H. Bailey and M. López de Prado, The Sharpe Ratio Efficient
 * Frontier, Journal of Risk 15, 2012): Φ((SR − SR*)·√(n − 1) / √(1 − γ₃·SR + (γ₄ − 1)/4·SR²)), both for one observation. Null if
 * the root is not defined.
 */
export function computeProbabilisticSharpe(estimate: SharpeEstimate, benchmark = 0): number | null {
  const { sharpe, observations, skewness, kurtosis } = estimate
  const variance = 1 - skewness * sharpe + ((kurtosis - 1) / 4) * sharpe ** 2
  if (!(variance > 0) || observations < 2) return null
  return computeNormalBelow(((sharpe - benchmark) * Math.sqrt(observations - 1)) / Math.sqrt(variance))
}

/**
 * The deflated Sharpe ratio (D. H. Bailey and M. López de Prado, The Deflated Sharpe Ratio, Journal of Portfolio Management 40,
 * 2014): the same probability, compared with the expected best Sharpe ratio of `trials` without skill whose Sharpe ratios have
 * the variance `variance`.
 */
export function computeDeflatedSharpe(
  estimate: SharpeEstimate,
  trials: number,
  variance: number,
): number | null {
  return computeProbabilisticSharpe(estimate, computeExpectedBest(trials, variance))
}

/** √V·((1 − γ)·Φ⁻¹(1 − 1/N) + γ·Φ⁻¹(1 − 1/(N·e))), with Euler's constant γ; 0 for a single trial. */
export function computeExpectedBest(trials: number, variance: number): number {
  if (trials < 2) return 0
  const best =
    (1 - EULER) * computeNormalQuantile(1 - 1 / trials) +
    EULER * computeNormalQuantile(1 - 1 / (trials * Math.E))
  return Math.sqrt(variance) * best
}

const EULER = 0.577_215_664_901_532_9

/**
 * The distribution function of the standard normal, Φ(x) = ½ + φ(x)·(x + x³/3 + x⁵/(3·5) + …), to about 1e−15 (G. Marsaglia, Evaluating the
 * Normal Distribution, Journal of Statistical Software 11(4), 2004). Beyond ±8.3 it is 0 or 1.
 */
export function computeNormalBelow(x: number): number {
  if (x < -8.3) return 0
  if (x > 8.3) return 1
  let sum = x
  let term = x
  for (let odd = 3; sum + term !== sum || odd === 3; odd += 2) {
    term *= (x * x) / odd
    if (term === 0) break
    sum += term
  }
  return 0.5 + sum * computeNormalDensity(x)
}

/**
 * Its inverse: the x below which the share `p` lies, to 1e−9 between 1e−6 and 1 − 1e−6. Starts with formula 26.2.23 of M.
 * Abramowitz and I. Stegun (Handbook of Mathematical Functions, 1964) and takes four steps of Halley's method on Φ. −∞ and ∞ at 0
 * and 1.
 */
export function computeNormalQuantile(p: number): number {
  if (p <= 0) return Number.NEGATIVE_INFINITY
  if (p >= 1) return Number.POSITIVE_INFINITY
  if (p > 0.5) return -computeNormalQuantile(1 - p)
  const t = Math.sqrt(-2 * Math.log(p))
  const upper = 2.515517 + t * (0.802853 + t * 0.010328)
  const lower = 1 + t * (1.432788 + t * (0.189269 + t * 0.001308))
  let x = upper / lower - t
  for (let step = 0; step < 4; step++) {
    const newton = (computeNormalBelow(x) - p) / computeNormalDensity(x)
    x -= newton / (1 + (x * newton) / 2)
  }
  return x
}

function computeNormalDensity(x: number): number {
  return Math.exp((-x * x) / 2) / Math.sqrt(2 * Math.PI)
}
