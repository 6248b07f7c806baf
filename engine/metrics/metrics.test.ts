import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { toDailyValues, toDayName, toDayNumber } from './dailyEquity.ts'
import { computeDrawdowns, computeLongestUnderWater, computeMaximumDrawdown, listFalls } from './drawdown.ts'
import {
  computeCalmar,
  computeProfitFactor,
  computeSharpe,
  computeSortino,
  computeTurnover,
  computeVolatility,
} from './ratios.ts'
import { computeCagr, computeReturns, computeTotalReturn } from './returns.ts'
import { computeExpectedShortfall95, valueAtRisk95 } from './tailRisk.ts'
import {
  computeBeta,
  computeCorrelation,
  computeDownCapture,
  computeInformationRatio,
  computeTrackingError,
  computeUpCapture,
} from './versus.ts'

const of = (...values: number[]) => Float64Array.from(values)
const YEAR = Math.sqrt(365)

describe('worked by hand', () => {
  // 100 → 110 → 99 → 99 → 118.8: returns 0.1, −0.1, 0, 0.2.
  const equity = of(110, 99, 99, 118.8)
  const returns = computeReturns(equity, 100)

  it('returns include the first value’s, on the value before', () => {
    expect([...returns]).toEqual([0.1, -0.1, 0, 0.2].map((value) => expect.closeTo(value, 12)))
    expect(computeTotalReturn(equity, 100)).toBeCloseTo(0.188, 12)
  })

  it('volatility, Sharpe and Sortino are those of a mean of 5 % with squares of 0.05', () => {
    // Squares about the mean: 0.0025 + 0.0225 + 0.0025 + 0.0225 = 0.05; over 3, and its root.
    expect(computeVolatility(returns)).toBeCloseTo(Math.sqrt(0.05 / 3) * YEAR, 12)
    expect(computeSharpe(returns)).toBeCloseTo((0.05 / Math.sqrt(0.05 / 3)) * YEAR, 11)
    // One loss of 0.1 among four: √(0.01 / 4) = 0.05.
    expect(computeSortino(returns)).toBeCloseTo(YEAR, 11)
  })

  it('the drawdown from 110 to 99 is a tenth, and took three days to recover', () => {
    expect(computeMaximumDrawdown(equity, 100)).toBeCloseTo(-0.1, 12)
    expect(listFalls(equity, 100)).toEqual([
      { depth: expect.closeTo(-0.1, 12), peak: 0, trough: 1, recovered: 3 },
    ])
    expect(computeLongestUnderWater(listFalls(equity, 100), 4)).toBe(3)
  })

  it('the starting capital is the first peak', () => {
    expect(listFalls(of(90, 80, 95), 100)).toEqual([
      { depth: expect.closeTo(-0.2, 12), peak: -1, trough: 1, recovered: null },
    ])
    expect(computeLongestUnderWater(listFalls(of(90, 80, 95), 100), 3)).toBe(3)
  })

  it('drawdowns are listed deepest first, each from its own peak', () => {
    const found = listFalls(of(100, 90, 100, 120, 60, 119, 120, 118), 100)
    expect(found.map(({ peak, trough, recovered }) => [peak, trough, recovered])).toEqual([
      [3, 4, 6],
      [0, 1, 2],
      [6, 7, null],
    ])
  })

  it('value at risk of twenty days is the worst one, of forty the second worst, and the shortfall is their mean', () => {
    const twenty = of(...Array.from({ length: 19 }, (_, i) => i / 100), -0.07)
    expect(valueAtRisk95(twenty)).toBeCloseTo(0.07, 12)
    expect(computeExpectedShortfall95(twenty)).toBeCloseTo(0.07, 12)
    const forty = of(...twenty, ...twenty.map((value) => value - 0.02))
    expect(valueAtRisk95(forty)).toBeCloseTo(0.07, 12)
    expect(computeExpectedShortfall95(forty)).toBeCloseTo(0.08, 12)
    expect(valueAtRisk95(of(...twenty.subarray(1)))).toBeNull()
  })

  it('the profit factor is the gain per unit lost, including open trades', () => {
    const trade = (cost: number, proceeds: number, closedBar: number | null = 1) => ({
      asset: 0,
      openedBar: 0,
      closedBar,
      cost,
      proceeds,
    })
    expect(computeProfitFactor([trade(100, 130), trade(100, 90), trade(50, 40, null)])).toBeCloseTo(1.5, 12)
    expect(computeProfitFactor([trade(100, 130)])).toBeNull()
    expect(computeProfitFactor([])).toBeNull()
  })

  it('turnover is the traded value per unit of equity and year', () => {
    expect(computeTurnover(300, of(...Array(73).fill(100)))).toBeCloseTo(15, 12)
    expect(computeTurnover(1, of())).toBeNull()
  })

  it('a fund that moves twice as the benchmark does has a beta of 2, all of it correlated', () => {
    const benchmark = of(0.01, -0.02, 0.03, -0.01)
    const fund = benchmark.map((value) => 2 * value)
    expect(computeBeta(fund, benchmark)).toBeCloseTo(2, 12)
    expect(computeCorrelation(fund, benchmark)).toBeCloseTo(1, 12)
    expect(computeUpCapture(fund, benchmark)).toBeCloseTo(2, 12)
    expect(computeDownCapture(fund, benchmark)).toBeCloseTo(2, 12)
    // The differences are the benchmark's own returns.
    expect(computeTrackingError(fund, benchmark)).toBeCloseTo(computeVolatility(benchmark) ?? 0, 12)
    expect(computeInformationRatio(fund, benchmark)).toBeCloseTo(computeSharpe(benchmark) ?? 0, 12)
  })
})

describe('closed forms', () => {
  it('constant growth has its rate, no spread and no drawdown', () => {
    const equity = Float64Array.from({ length: 730 }, (_, day) => 1000 * 1.001 ** (day + 1))
    const returns = computeReturns(equity, 1000)
    expect(computeCagr(equity, 1000)).toBeCloseTo(1.001 ** 365 - 1, 12)
    expect(computeVolatility(returns)).toBe(0)
    expect(computeSharpe(returns)).toBeNull()
    expect(computeSortino(returns)).toBeNull()
    expect(computeMaximumDrawdown(equity, 1000)).toBe(0)
    expect(listFalls(equity, 1000)).toEqual([])
    expect(computeCalmar(computeCagr(equity, 1000), 0)).toBeNull()
  })

  it('alternating returns of ±a have a mean of 0 and a spread of a·√(n/(n−1))', () => {
    const a = 0.02
    const n = 400
    const returns = Float64Array.from({ length: n }, (_, day) => (day % 2 === 0 ? a : -a))
    expect(computeVolatility(returns)).toBeCloseTo(a * Math.sqrt(n / (n - 1)) * YEAR, 12)
    expect(computeSharpe(returns)).toBeCloseTo(0, 12)
    const equity = returns.map(
      (_, day) => (1 - a * a) ** Math.floor((day + 1) / 2) * (day % 2 === 0 ? 1 + a : 1),
    )
    expect(computeMaximumDrawdown(equity, 1)).toBeCloseTo((1 - a * a) ** (n / 2) / (1 + a) - 1, 12)
  })

  it('doubling in two years is 41.4 % a year, and under 365 days there is no annual figure', () => {
    const flat = (days: number) => new Float64Array(days).fill(2)
    expect(computeCagr(flat(730), 1)).toBeCloseTo(Math.SQRT2 - 1, 12)
    expect(computeCagr(flat(365), 1)).toBeCloseTo(1, 12)
    expect(computeCagr(flat(364), 1)).toBeNull()
  })

  it('a total loss stays at 0', () => {
    const equity = of(50, 0, 0)
    expect([...computeReturns(equity, 100)]).toEqual([-0.5, -1, 0])
    expect(computeTotalReturn(equity, 100)).toBe(-1)
    expect(computeMaximumDrawdown(equity, 100)).toBe(-1)
  })
})

describe('for any series', () => {
  const series = fc
    .array(fc.double({ min: 0.01, max: 1e6, noNaN: true }), { minLength: 1, maxLength: 400 })
    .map((values) => Float64Array.from(values))

  it('every figure is a number or null', () => {
    fc.assert(
      fc.property(series, fc.constantFrom(0, 0.01, 100, 1e6), (equity, before) => {
        const returns = computeReturns(equity, before)
        const others = computeReturns(equity.toReversed(), before)
        const found = [
          computeTotalReturn(equity, before),
          computeCagr(equity, before),
          computeVolatility(returns),
          computeSharpe(returns),
          computeSortino(returns),
          computeMaximumDrawdown(equity, before),
          valueAtRisk95(returns),
          computeExpectedShortfall95(returns),
          computeTurnover(1, equity),
          computeBeta(returns, others),
          computeCorrelation(returns, others),
          computeTrackingError(returns, others),
          computeInformationRatio(returns, others),
          computeUpCapture(returns, others),
          computeDownCapture(returns, others),
        ]
        expect(found.filter((figure) => figure !== null && !Number.isFinite(figure))).toEqual([])
      }),
    )
  })

  it('no figure depends on the size of the account', () => {
    fc.assert(
      fc.property(series, fc.integer({ min: -8, max: 8 }), (equity, power) => {
        // A power of two scales without rounding.
        const scale = 2 ** power
        const scaled = equity.map((value) => value * scale)
        const figures = (values: Float64Array, before: number) => {
          const returns = computeReturns(values, before)
          return [
            computeCagr(values, before),
            computeSharpe(returns),
            computeSortino(returns),
            listFalls(values, before),
            valueAtRisk95(returns),
          ]
        }
        expect(figures(scaled, 100 * scale)).toEqual(figures(equity, 100))
      }),
    )
  })

  it('a drawdown lies between −1 and 0, and the deepest is the maximum drawdown', () => {
    fc.assert(
      fc.property(series, (equity) => {
        const under = computeDrawdowns(equity, 100)
        expect(under.every((share) => share >= -1 && share <= 0)).toBe(true)
        expect(listFalls(equity, 100)[0]?.depth ?? 0).toBe(computeMaximumDrawdown(equity, 100))
        expect(computeLongestUnderWater(listFalls(equity, 100), equity.length)).toBeLessThanOrEqual(
          equity.length,
        )
      }),
    )
  })

  it('the shortfall is never below the value at risk', () => {
    fc.assert(
      fc.property(series, (equity) => {
        const returns = computeReturns(equity, 100)
        const risk = valueAtRisk95(returns)
        expect((computeExpectedShortfall95(returns) ?? 0) - (risk ?? 0)).toBeGreaterThanOrEqual(
          risk === null ? 0 : -1e-9 * Math.abs(risk),
        )
      }),
    )
  })

  it('a series against itself has a beta and a correlation of 1 and no tracking error', () => {
    const returns = of(0.01, -0.02, 0.03)
    expect(computeBeta(returns, returns)).toBeCloseTo(1, 12)
    expect(computeCorrelation(returns, returns)).toBeCloseTo(1, 12)
    expect(computeTrackingError(returns, returns)).toBe(0)
    expect(computeInformationRatio(returns, returns)).toBeNull()
  })
})

describe('daily figures', () => {
  const HOUR = 3_600_000
  const midnight = Date.UTC(2024, 0, 31)

  it('of hourly bars are the last closes before each midnight', () => {
    const time = Float64Array.from({ length: 49 }, (_, hour) => midnight + (hour + 12) * HOUR)
    const closes = Float64Array.from(time, (_, hour) => hour + 1)
    const { firstDay, values } = toDailyValues(time, closes, HOUR, 0)
    expect(toDayName(firstDay)).toBe('2024-01-31')
    // 12 hours until the first midnight, 24 until the second, 13 after it.
    expect([...values]).toEqual([12, 36, 49])
  })

  it('keep the last close over days without bars', () => {
    const time = of(midnight, midnight + 3 * 24 * HOUR)
    expect([...toDailyValues(time, of(5, 7), 24 * HOUR, 1).values]).toEqual([5, 5, 5, 7])
  })

  it('of longer bars keep the earlier value until the first close', () => {
    const time = of(midnight, midnight + 3 * 24 * HOUR)
    expect([...toDailyValues(time, of(5, 7), 3 * 24 * HOUR, 1).values]).toEqual([1, 1, 5, 5, 5, 7])
  })

  it('are empty without bars', () => {
    expect(toDailyValues(of(), of(), HOUR, 1).values).toHaveLength(0)
  })

  it('have names that are parsed back to their day', () => {
    expect(toDayName(toDayNumber('2024-02-29') + 1)).toBe('2024-03-01')
    expect(toDayNumber('1970-01-02')).toBe(1)
  })
})
