/**
 * The distribution function of the standard normal, Φ(x) = ½ + φ(x)·(x + x³/3 + x⁵/(3·5) + …), to about 1e−15 (G. Marsaglia, Evaluating the
 * Normal Distribution, Journal of Statistical Software 11(4), 2004). Beyond ±8.3 it is 0 or 1.
 */
export function normalBelow(x: number): number {
  if (x < -8.3) return 0
  if (x > 8.3) return 1
  let sum = x
  let term = x
  for (let odd = 3; sum + term !== sum || odd === 3; odd += 2) {
    term *= (x * x) / odd
    if (term === 0) break
    sum += term
  }
  return 0.5 + sum * density(x)
}

/**
 * Its inverse: the x below which the share `p` lies, to 1e−9 between 1e−6 and 1 − 1e−6. Begins with formula 26.2.23 of M. Abramowitz and
 * I. Stegun (Handbook of Mathematical Functions, 1964) and takes four steps of Halley's method on Φ. −∞ and ∞ at 0 and 1.
 */
export function normalQuantile(p: number): number {
  if (p <= 0) return Number.NEGATIVE_INFINITY
  if (p >= 1) return Number.POSITIVE_INFINITY
  if (p > 0.5) return -normalQuantile(1 - p)
  const t = Math.sqrt(-2 * Math.log(p))
  const upper = 2.515517 + t * (0.802853 + t * 0.010328)
  const lower = 1 + t * (1.432788 + t * (0.189269 + t * 0.001308))
  let x = upper / lower - t
  for (let step = 0; step < 4; step++) {
    const newton = (normalBelow(x) - p) / density(x)
    x -= newton / (1 + (x * newton) / 2)
  }
  return x
}

function density(x: number): number {
  return Math.exp((-x * x) / 2) / Math.sqrt(2 * Math.PI)
}
