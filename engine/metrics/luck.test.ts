import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { computeShape } from './moments.ts'
import {
  computeDeflatedSharpe,
  computeExpectedBest,
  computeNormalBelow,
  computeNormalQuantile,
  computeProbabilisticSharpe,
  computeSharpeEstimate,
} from './probabilisticSharpe.ts'

describe('the normal distribution', () => {
  // Laplace's continued fraction for the tail and the series of erf for the middle. The engine uses neither.
  const tail = (x: number) => {
    let fraction = x
    for (let k = 300; k > 0; k--) fraction = x + k / fraction
    return Math.exp((-x * x) / 2) / Math.sqrt(2 * Math.PI) / fraction
  }
  const middle = (x: number) => {
    let sum = 0
    let term = x / Math.SQRT2
    for (let k = 0; k < 120; k++) {
      sum += term / (2 * k + 1)
      term *= (-x * x) / 2 / (k + 1)
    }
    return 0.5 + sum / Math.sqrt(Math.PI)
  }

  it('agrees with two other ways to compute it', () => {
    for (let x = 0; x <= 2.5; x += 0.01)
      expect(Math.abs(computeNormalBelow(x) - middle(x))).toBeLessThan(1e-13)
    for (let x = 2.5; x < 10; x += 0.01) {
      expect(Math.abs(computeNormalBelow(-x) - tail(x))).toBeLessThan(1e-14)
      expect(Math.abs(computeNormalBelow(x) - (1 - tail(x)))).toBeLessThan(1e-14)
    }
  })

  it('has the quantiles that every table has', () => {
    expect(computeNormalQuantile(0.5)).toBeCloseTo(0, 12)
    expect(computeNormalQuantile(0.975)).toBeCloseTo(1.959963984540054, 10)
    expect(computeNormalQuantile(0.01)).toBeCloseTo(-2.326347874040841, 10)
    expect(computeNormalQuantile(0)).toBe(Number.NEGATIVE_INFINITY)
    expect(computeNormalQuantile(1)).toBe(Number.POSITIVE_INFINITY)
  })

  it('is inverted to 1e−9', () => {
    fc.assert(
      fc.property(fc.double({ min: -4.75, max: 4.75, noNaN: true }), (x) => {
        expect(Math.abs(computeNormalQuantile(computeNormalBelow(x)) - x)).toBeLessThan(1e-9)
      }),
    )
  })
})

describe('the probabilistic Sharpe ratio', () => {
  // The example of Bailey and López de Prado (2012): two years of months with a Sharpe ratio of 0.458 each.
  it('is 98.2 % for normal returns and 91.3 % in the published example', () => {
    const months = { sharpe: 0.458, observations: 24 }
    expect(computeProbabilisticSharpe({ ...months, skewness: 0, kurtosis: 3 })).toBeCloseTo(0.982, 3)
    expect(computeProbabilisticSharpe({ ...months, skewness: -2.448, kurtosis: 10.164 })).toBeCloseTo(
      0.913,
      3,
    )
  })

  it('is one half if the estimate equals the benchmark', () => {
    expect(
      computeProbabilisticSharpe({ sharpe: 0.1, observations: 100, skewness: -1, kurtosis: 5 }, 0.1),
    ).toBe(0.5)
  })

  it('is null for returns without spread and for a single one', () => {
    expect(computeSharpeEstimate(new Float64Array(10).fill(0.01))).toBeNull()
    expect(computeSharpeEstimate(Float64Array.of(0.01))).toBeNull()
    expect(computeProbabilisticSharpe({ sharpe: 1, observations: 10, skewness: 9, kurtosis: 3 })).toBeNull()
  })

  it('uses the sample’s skewness and kurtosis', () => {
    // −1, −1, 2: mean 0, m₂ = 2, m₃ = 2, m₄ = 6.
    expect(computeShape(Float64Array.of(-1, -1, 2))).toEqual({
      skewness: expect.closeTo(2 / 2 ** 1.5, 12),
      kurtosis: expect.closeTo(1.5, 12),
    })
  })
})

describe('the deflated Sharpe ratio', () => {
  // The example of Bailey and López de Prado (2014): 2.5 a year over five years of 250 days, the best of 100 trials.
  const days = { sharpe: 2.5 / Math.sqrt(250), observations: 1250, skewness: -3, kurtosis: 10 }
  const variance = 0.5 / 250

  it('is 90.0 % in the published example, over an expected best of 0.1132 a day', () => {
    expect(computeExpectedBest(100, variance)).toBeCloseTo(0.1132, 4)
    expect(computeDeflatedSharpe(days, 100, variance)).toBeCloseTo(0.9004, 4)
  })

  it('expects of many trials the mean maximum of as many normal values', () => {
    // ∫ x d(Φ(x)^N), by Simpson's rule; the formula is an approximation.
    const exact = (trials: number) => {
      const steps = 4000
      const at = (i: number) => -8 + (16 * i) / steps
      let below = 0
      for (let i = 0; i <= steps; i++)
        below += (i % steps === 0 ? 1 : i % 2 ? 4 : 2) * computeNormalBelow(at(i)) ** trials
      return 8 - (below * 16) / steps / 3
    }
    for (const trials of [10, 49, 125, 1000])
      expect(Math.abs(computeExpectedBest(trials, 1) / exact(trials) - 1)).toBeLessThan(0.03)
  })

  it('falls with every further trial, and equals the probabilistic ratio for a single one', () => {
    const found = [1, 2, 10, 100, 1000].map((trials) => computeDeflatedSharpe(days, trials, variance) ?? 0)
    expect(found[0]).toBe(computeProbabilisticSharpe(days))
    expect(found).toEqual(found.toSorted((a, b) => b - a))
  })
})
