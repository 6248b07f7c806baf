import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { PRICE_SERIES, priceSeries } from '../../test/priceSeries.ts'
import { randomRuns } from '../../test/random.ts'
import { chances, daily, walk } from '../../test/support/engine/markets.ts'
import type { Candles } from '../market/market.ts'
import { Bollinger } from './bollinger.ts'
import { Ema } from './ema.ts'
import { Highest, Lowest } from './extreme.ts'
import { RealisedVolatility } from './realisedVolatility.ts'
import { Rsi } from './rsi.ts'
import { Sma } from './sma.ts'

// A second implementation: computes each bar again from all earlier ones, directly by the formula.
interface Lists {
  readonly high: readonly number[]
  readonly low: readonly number[]
  readonly close: readonly number[]
}

const WIDTH = 2
const sum = (list: readonly number[]) => list.reduce((total, value) => total + value, 0)
/** Relative to the first value, so that equal values have themselves as their mean. */
const mean = (list: readonly number[], from = list[0] ?? 0) =>
  from + sum(list.map((value) => value - from)) / list.length
const lastOf = (list: readonly number[], n: number) => (list.length < n ? undefined : list.slice(-n))
const variance = (list: readonly number[], less = 0) =>
  sum(list.map((value) => (value - mean(list)) ** 2)) / (list.length - less)
const changes = (list: readonly number[]) => list.slice(1).map((value, place) => value - (list[place] ?? 0))

/** Weights written out: the first n together weigh (1 − α)ᵐ, each later one α (1 − α) to the power of its age. */
function smoothed(list: readonly number[], n: number, share: number): number {
  if (list.length < n) return Number.NaN
  const later = list.slice(n)
  return (
    mean(list.slice(0, n)) * (1 - share) ** later.length +
    sum(later.map((value, place) => value * share * (1 - share) ** (later.length - 1 - place)))
  )
}

const PLAIN: Readonly<Record<string, (lists: Lists, n: number) => number>> = {
  sma: ({ close }, n) => mean(lastOf(close, n) ?? [Number.NaN]),
  ema: ({ close }, n) => smoothed(close, n, 2 / (n + 1)),
  rsi: ({ close }, n) => {
    const rise = smoothed(
      changes(close).map((change) => Math.max(0, change)),
      n,
      1 / n,
    )
    const fall = smoothed(
      changes(close).map((change) => Math.max(0, -change)),
      n,
      1 / n,
    )
    return rise === 0 && fall === 0 ? 50 : 100 - 100 / (1 + rise / fall)
  },
  upperBand: ({ close }, n) => {
    const last = lastOf(close, n) ?? [Number.NaN]
    return mean(last) + WIDTH * Math.sqrt(variance(last))
  },
  lowerBand: ({ close }, n) => {
    const last = lastOf(close, n) ?? [Number.NaN]
    return mean(last) - WIDTH * Math.sqrt(variance(last))
  },
  upperChannel: ({ high }, n) => Math.max(...(lastOf(high, n) ?? [Number.NaN])),
  lowerChannel: ({ low }, n) => Math.min(...(lastOf(low, n) ?? [Number.NaN])),
  realisedVolatility: ({ close }, n) =>
    Math.sqrt(365 * variance(lastOf(changes(close.map(Math.log)), n) ?? [Number.NaN], 1)),
}

/** Indicators without the unit of a price. Their scale is 1, not the price. */
const BARE = ['rsi', 'realisedVolatility']

/** The indicators' values for each bar, under the same names. */
function ours({ high, low, close }: Candles, n: number): Readonly<Record<string, Float64Array>> {
  const pushed = (indicator: { push(value: number): number }) => close.map((value) => indicator.push(value))
  const bands = new Bollinger(n, WIDTH)
  const [highest, lowest] = [new Highest(n), new Lowest(n)]
  const lowerBand = new Float64Array(close.length)
  const upperBand = close.map((value, bar) => {
    bands.push(value)
    lowerBand[bar] = bands.lower
    return bands.upper
  })
  return {
    sma: pushed(new Sma(n)),
    ema: pushed(new Ema(n)),
    rsi: pushed(new Rsi(n)),
    upperBand,
    lowerBand,
    upperChannel: high.map((value) => highest.push(value)),
    lowerChannel: low.map((value) => lowest.push(value)),
    realisedVolatility: pushed(new RealisedVolatility(n)),
  }
}

/** Every bar, or as many as an implementation that starts again for each can check. */
function expectAgreement(candles: Candles, n: number, every = 1): void {
  const fast = ours(candles, n)
  const all = { high: [...candles.high], low: [...candles.low], close: [...candles.close] }
  for (let bar = 0; bar < candles.time.length; bar += bar < 2 * n ? 1 : every) {
    const seen = {
      high: all.high.slice(0, bar + 1),
      low: all.low.slice(0, bar + 1),
      close: all.close.slice(0, bar + 1),
    }
    for (const [name, plain] of Object.entries(PLAIN)) {
      const expected = plain(seen, n)
      const got = fast[name]?.[bar] ?? 0
      const scale = Math.max(Math.abs(expected), BARE.includes(name) ? 1 : (seen.close.at(-1) ?? 0))
      const isNear =
        Number.isNaN(expected) === Number.isNaN(got) && !(Math.abs(got - expected) > 1e-9 * scale)
      if (!isNear) expect.fail(`${name} over ${n} at bar ${bar} is ${got}, not ${expected}`)
    }
  }
}

describe('the indicators', { timeout: 30_000 }, () => {
  it.each(PRICE_SERIES)('agree with a plain implementation on %s', (name) => {
    const candles = priceSeries(name)
    for (const n of [2, 14, 50]) expectAgreement(candles, n, Math.ceil(candles.time.length / 150))
    expect(candles.time.length).toBeGreaterThan(150)
  })

  it('agree with it on any series and begin at the same bar', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 90 }),
        fc.nat(),
        fc.integer({ min: 2, max: 30 }),
        fc.constantFrom(0.001, 0.02, 0.5, 1.5),
        (bars, seed, n, swing) => expectAgreement(daily(walk(bars, seed, 0, swing)), n),
      ),
      randomRuns(60),
    )
  })

  it('agree with it when prices stand still, jump and crash to near zero', () => {
    const prices = [...Array(30).fill(0.1), ...Array(30).fill(60_000), ...Array(40).fill(1e-5)]
    const random = chances(5)
    for (let bar = 0; bar < 60; bar++) prices.push(1e-5 * (1 + random() * 0.1))
    const candles = daily(prices.map((price: number) => [price, price, price, price] as const))
    for (const n of [2, 7, 20]) {
      const fast = ours(candles, n)
      expectAgreement(candles, n)
      // After n bars without a change, the spread is exactly 0.
      expect(fast.upperBand?.[99]).toBe(1e-5)
      expect(fast.realisedVolatility?.[99]).toBe(0)
    }
  })

  it('do not drift: after a million bars they equal the result of the last few hundred alone', () => {
    const random = chances(11)
    const close = new Float64Array(1_000_000)
    let price = 100
    for (let bar = 0; bar < close.length; bar++) {
      price *= Math.exp(0.02 * (random() - 0.5) - 0.002 * Math.log(price / 100))
      close[bar] = price
    }
    const n = 200
    const late = close.subarray(close.length - 2 * n)
    const indicators = [() => new Sma(n), () => new RealisedVolatility(n), () => new Bollinger(n, 2)]
    for (const start of indicators) {
      const [long, short] = [start(), start()]
      const whole = close.map((value) => long.push(value)).at(-1) ?? 0
      const alone = late.map((value) => short.push(value)).at(-1) ?? 0
      expect(Math.abs(whole / alone - 1)).toBeLessThan(1e-13)
    }
  })
})
