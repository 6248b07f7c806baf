import { describe, expect, it } from 'vitest'
import { DAY_MS } from '../../src/time.ts'
import { INTERVAL_MS, PRICE_SERIES, priceSeries } from '../../test/priceSeries.ts'
import { toDailyValues } from './dailyEquity.ts'
import { computeLongestUnderWater, computeMaximumDrawdown, listFalls } from './drawdown.ts'
import { computeProbabilisticSharpe, computeSharpeEstimate } from './probabilisticSharpe.ts'
import { computeSharpe, computeSortino, computeVolatility } from './ratios.ts'
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

// A second implementation with plain lists, and with other formulas where possible.
const sum = (list: number[]) => list.reduce((a, b) => a + b, 0)
const average = (list: number[]) => sum(list) / list.length
const standard = (list: number[]) => {
  // The mean of squares less the square of the mean, of values shifted close to 0.
  const near = list.map((value) => value - (list[0] ?? 0))
  const n = near.length
  return Math.sqrt(((sum(near.map((value) => value ** 2)) / n - average(near) ** 2) * n) / (n - 1))
}

function plainDaily(time: number[], closes: number[], intervalMs: number): number[] {
  const days: number[] = []
  const end = (time.at(-1) ?? 0) + intervalMs
  for (let midnight = (Math.floor((time[0] ?? 0) / DAY_MS) + 1) * DAY_MS; ; midnight += DAY_MS) {
    const closed = time.filter((opening) => opening + intervalMs <= midnight).length
    days.push(closes[closed - 1] ?? 100)
    if (midnight >= end) return days
  }
}

function plainReturns(values: number[]): number[] {
  return values.map((value, day) => (value - (values[day - 1] ?? 100)) / (values[day - 1] ?? 100))
}

function plainDeepest(values: number[]): number {
  return Math.min(0, ...values.map((value, day) => value / Math.max(100, ...values.slice(0, day)) - 1))
}

function plainLongest(values: number[]): number {
  const all = [100, ...values]
  return Math.max(
    ...all.map((peak, day) => {
      const later = all.slice(day + 1)
      if (!later.length || (later[0] ?? 0) >= peak) return 0
      const recovered = later.findIndex((value) => value >= peak)
      return recovered < 0 ? later.length : recovered + 1
    }),
  )
}

function plainVersus(own: number[], its: number[]) {
  const [a, b] = [average(own), average(its)]
  const together = sum(own.map((value, day) => (value - a) * ((its[day] ?? 0) - b))) / (own.length - 1)
  const active = own.map((value, day) => value - (its[day] ?? 0))
  const up = own.filter((_, day) => (its[day] ?? 0) > 0)
  const down = own.filter((_, day) => (its[day] ?? 0) < 0)
  return [
    together / standard(its) ** 2,
    together / standard(own) / standard(its),
    standard(active) * Math.sqrt(365),
    (average(active) / standard(active)) * Math.sqrt(365),
    average(up) / average(its.filter((value) => value > 0)),
    average(down) / average(its.filter((value) => value < 0)),
  ]
}

/** Simpson's rule over the density, from −12 on. */
function plainNormal(x: number): number {
  const steps = 20_000
  const width = (x + 12) / steps
  const density = (z: number) => Math.exp((-z * z) / 2) / Math.sqrt(2 * Math.PI)
  return (
    (width / 3) *
    sum(
      Array.from(
        { length: steps + 1 },
        (_, i) => (i % steps === 0 ? 1 : i % 2 ? 4 : 2) * density(-12 + i * width),
      ),
    )
  )
}

function agree(found: (number | null)[], expected: (number | null)[]) {
  expect(found).toHaveLength(expected.length)
  for (const [place, figure] of found.entries()) {
    const other = expected[place] ?? null
    if (other === null) expect(figure, `figure ${place}`).toBeNull()
    else
      expect(Math.abs((figure ?? Number.NaN) - other), `figure ${place}`).toBeLessThanOrEqual(
        1e-9 * Math.max(1, Math.abs(other)),
      )
  }
}

describe.each(PRICE_SERIES)('on %s', (name) => {
  const { time, open, close } = priceSeries(name)
  // Worth 100 when the first bar opened, as if bought there.
  const worth = close.map((price) => (price / (open[0] ?? 1)) * 100)
  const found = toDailyValues(time, worth, INTERVAL_MS[name], 100)
  const values = plainDaily([...time], [...worth], INTERVAL_MS[name])
  const returns = computeReturns(found.values, 100)
  const plain = plainReturns(values)

  it('daily figures are those of a plain search for the last close', () => {
    expect([...found.values]).toEqual(values)
  })

  it('returns, volatility, Sharpe and Sortino agree with a plain implementation to 1e−9', () => {
    const n = plain.length
    const down = Math.sqrt(average(plain.map((value) => (value < 0 ? value * value : 0))))
    agree(
      [
        computeTotalReturn(found.values, 100),
        computeCagr(found.values, 100),
        computeVolatility(returns),
        computeSharpe(returns),
        computeSortino(returns),
      ],
      [
        plain.reduce((grown, value) => grown * (1 + value), 1) - 1,
        n < 365 ? null : Math.exp((Math.log((values.at(-1) ?? 0) / 100) * 365) / n) - 1,
        standard(plain) * Math.sqrt(365),
        (average(plain) * 365) / (standard(plain) * Math.sqrt(365)),
        (average(plain) * 365) / (down * Math.sqrt(365)),
      ],
    )
  })

  it('drawdown and days under water agree with a plain search', () => {
    agree([computeMaximumDrawdown(found.values, 100)], [plainDeepest(values)])
    expect(computeLongestUnderWater(listFalls(found.values, 100), values.length)).toBe(plainLongest(values))
  })

  it('value at risk and shortfall agree with a sorted list', () => {
    const worst = plain.toSorted((a, b) => a - b).slice(0, Math.floor(plain.length / 20))
    agree(
      [valueAtRisk95(returns), computeExpectedShortfall95(returns)],
      [-(worst.at(-1) ?? 0), -average(worst)],
    )
  })

  it('the figures against a benchmark agree with plain sums', () => {
    const bench = toDailyValues(
      time,
      worth.map((value, bar) => (bar % 7 === 3 ? value * 1.01 : value)),
      INTERVAL_MS[name],
      100,
    )
    const its = computeReturns(bench.values, 100)
    agree(
      [
        computeBeta,
        computeCorrelation,
        computeTrackingError,
        computeInformationRatio,
        computeUpCapture,
        computeDownCapture,
      ].map((figure) => figure(returns, its)),
      plainVersus(plain, [...its]),
    )
  })

  it('the probabilistic Sharpe ratio agrees with one whose normal distribution is integrated', () => {
    const n = plain.length
    const middle = average(plain)
    const about = (power: number) => average(plain.map((value) => (value - middle) ** power))
    const ratio = middle / standard(plain)
    const spread =
      1 - (about(3) / about(2) ** 1.5) * ratio + ((about(4) / about(2) ** 2 - 1) / 4) * ratio ** 2
    const estimate = computeSharpeEstimate(returns)
    agree(
      [estimate && computeProbabilisticSharpe(estimate)],
      [plainNormal((ratio * Math.sqrt(n - 1)) / Math.sqrt(spread))],
    )
  })
})
