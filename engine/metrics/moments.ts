import { at } from '../at.ts'

/** The arithmetic mean; null without values. */
export function computeMean(values: Float64Array): number | null {
  if (values.length === 0) return null
  let sum = 0
  for (let i = 0; i < values.length; i++) sum += at(values, i)
  return sum / values.length
}

/**
 * The sample standard deviation, √(Σ(x − x̄)² / (n − 1)). Null under two values. A spread within the rounding of equal values is
 * 0, so constant growth has none.
 */
export function computeDeviation(values: Float64Array): number | null {
  const middle = computeMean(values)
  if (middle === null || values.length < 2) return null
  let squares = 0
  let largest = 0
  for (let i = 0; i < values.length; i++) {
    squares += (at(values, i) - middle) ** 2
    largest = Math.max(largest, Math.abs(1 + at(values, i)))
  }
  const spread = Math.sqrt(squares / (values.length - 1))
  return spread > largest * 1e-14 ? spread : 0
}

/**
 * Skewness γ₃ = m₃ / m₂^(3/2) and kurtosis γ₄ = m₄ / m₂² (3 for a normal distribution), of the central moments with 1/n, as Bailey and
 * López de Prado (2012) use them. Null without spread.
 */
export function computeShape(values: Float64Array): { skewness: number; kurtosis: number } | null {
  const middle = computeMean(values)
  if (middle === null || !computeDeviation(values)) return null
  let second = 0
  let third = 0
  let fourth = 0
  for (let i = 0; i < values.length; i++) {
    const away = at(values, i) - middle
    const square = away * away
    second += square
    third += square * away
    fourth += square * square
  }
  const n = values.length
  return {
    skewness: third / n / (second / n) ** 1.5,
    kurtosis: fourth / n / (second / n) ** 2,
  }
}
