import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { computeNormalQuantile } from '../metrics/probabilisticSharpe.ts'
import { drawBell, drawUniform, mulberry32 } from '../random.ts'
import { computeBandLines } from './band.ts'
import { computeForwardBand } from './forwardBand.ts'

/** Independent, nearly normal daily returns with exactly this mean and deviation. */
function independent(count: number, mean: number, deviation: number, seed = 1): Float64Array {
  const random = mulberry32(seed)
  const drawn = Float64Array.from({ length: count }, () => drawBell(random))
  const middle = drawn.reduce((sum, value) => sum + value, 0) / count
  const spread = Math.sqrt(drawn.reduce((sum, value) => sum + (value - middle) ** 2, 0) / count)
  return drawn.map((value) => mean + (deviation * (value - middle)) / spread)
}

describe('the band ahead', () => {
  const returns = independent(20_000, 0.0005, 0.02)
  const band = computeForwardBand(returns)

  it('begins at 1 with all lines', () => {
    expect(computeBandLines(band, 0)).toEqual({ lower99: 1, lower95: 1, median: 1, upper95: 1, upper99: 1 })
  })

  it('has its lines in order on each day, also between and beyond the computed ones', () => {
    fc.assert(
      fc.property(fc.double({ min: 0.01, max: 4000, noNaN: true }), (days) => {
        const { lower99, lower95, median, upper95, upper99 } = computeBandLines(band, days)
        expect(0 < lower99 && lower99 < lower95 && lower95 < median).toBe(true)
        expect(median < upper95 && upper95 < upper99).toBe(true)
      }),
    )
  })

  it('goes through the computed points without a jump between or after them', () => {
    for (const [row, day] of band.days.entries()) {
      expect(Object.values(computeBandLines(band, day))).toEqual(
        (band.lines[row] ?? []).map((line) => expect.closeTo(line, 12)),
      )
      expect(computeBandLines(band, day + 1e-9).lower99).toBeCloseTo(computeBandLines(band, day).lower99, 5)
      expect(computeBandLines(band, day - 1e-9).lower99).toBeCloseTo(computeBandLines(band, day).lower99, 3)
    }
  })

  it('matches a lognormal distribution if returns are independent', () => {
    const logs = [...returns].map((value) => Math.log1p(value))
    const mean = logs.reduce((sum, value) => sum + value, 0) / logs.length
    const deviation = Math.sqrt(logs.reduce((sum, value) => sum + (value - mean) ** 2, 0) / logs.length)
    for (const days of [30, 180, 365, 730, 1460]) {
      const lines = Object.values(computeBandLines(band, days)).map(Math.log)
      for (const [place, share] of [0.01, 0.05, 0.5, 0.95, 0.99].entries()) {
        const expected = mean * days + deviation * Math.sqrt(days) * computeNormalQuantile(share)
        // Within a quarter of a deviation: there are 4,000 paths, and the returns are random, too.
        expect(Math.abs((lines[place] ?? 0) - expected)).toBeLessThan(0.25 * deviation * Math.sqrt(days))
      }
    }
  })

  it('is wider if bad days cluster than for the same days shuffled', () => {
    const runs = Float64Array.from({ length: 2000 }, (_, day) =>
      Math.floor(day / 25) % 2 === 0 ? 0.01 : -0.0095,
    )
    const shuffled = Float64Array.from(runs)
    const random = mulberry32(7)
    for (let i = shuffled.length - 1; i > 0; i--) {
      const j = Math.floor(drawUniform(random) * (i + 1))
      ;[shuffled[i], shuffled[j]] = [shuffled[j] ?? 0, shuffled[i] ?? 0]
    }
    expect(computeBandLines(computeForwardBand(runs), 60).lower99).toBeLessThan(
      computeBandLines(computeForwardBand(shuffled), 60).lower99 * 0.9,
    )
  })

  it('contains the outcomes of new days about as often as it says', () => {
    const days = 180
    let below = 0
    let above = 0
    const samples = 2000
    const fresh = independent(samples * days, 0.0005, 0.02, 100)
    for (let sample = 0; sample < samples; sample++) {
      const grown = fresh
        .subarray(sample * days, (sample + 1) * days)
        .reduce((product, value) => product * (1 + value), 1)
      if (grown < computeBandLines(band, days).lower95) below++
      if (grown > computeBandLines(band, days).upper95) above++
    }
    expect(below / samples).toBeGreaterThan(0.02)
    expect(below / samples).toBeLessThan(0.09)
    expect(above / samples).toBeGreaterThan(0.02)
    expect(above / samples).toBeLessThan(0.09)
  })

  it('is one line for constant returns, and constant without returns', () => {
    const { lower99, upper99 } = computeBandLines(computeForwardBand(new Float64Array(100).fill(0.001)), 365)
    expect(lower99).toBeCloseTo(1.001 ** 365, 5)
    expect(upper99).toBe(lower99)
    expect(computeBandLines(computeForwardBand(new Float64Array(0)), 1000)).toMatchObject({
      lower99: 1,
      upper99: 1,
    })
  })

  it('is a number even if everything can be lost', () => {
    const lines = Object.values(computeBandLines(computeForwardBand(Float64Array.of(0.1, -1, 0.1)), 5000))
    expect(lines.every((line) => Number.isFinite(line) && line >= 0)).toBe(true)
  })

  it('is the same for the same returns', () => {
    expect(computeForwardBand(returns)).toEqual(band)
  })
})
