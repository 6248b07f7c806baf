import fc from 'fast-check'
import { expect, test } from 'vitest'
import { DAY_MS } from '../../src/time.ts'
import { at } from '../at.ts'
import { SIMULATED_ASSETS } from './simulatedAssets.ts'
import { buildSimulatedMarket, computeSimulatedPrice, TESTED_UNTIL } from './simulatedMarket.ts'
import { SIMULATED_START, simulatePaths } from './simulatedPaths.ts'

const ALL = SIMULATED_ASSETS.map(({ id }) => id)
const TESTED = buildSimulatedMarket(ALL, SIMULATED_START, TESTED_UNTIL)

test('its first day is always the same', () => {
  const first = TESTED.candles.map(({ open, high, low, close, volume }) =>
    [open, high, low, close, volume].map((column) => at(column, 0)),
  )
  expect(first).toEqual(FIRST_DAY)
})

test('a longer simulation begins with the same days', () => {
  const few = simulatePaths(200)
  const many = simulatePaths(900)
  for (const [index, path] of few.entries()) {
    expect(many[index]?.prices.subarray(0, path.prices.length)).toEqual(path.prices)
    expect(many[index]?.volume.subarray(0, 200)).toEqual(path.volume)
  }
})

test('a part equals the same part of the whole, in the requested order', () => {
  const part = buildSimulatedMarket(
    ['sim-slate', 'sim-alder'],
    SIMULATED_START + 10 * DAY_MS,
    SIMULATED_START + 15 * DAY_MS,
  )
  expect([...part.time]).toEqual([10, 11, 12, 13, 14].map((day) => SIMULATED_START + day * DAY_MS))
  expect(part.assets).toEqual(['sim-slate', 'sim-alder'])
  expect(part.candles[0]?.close).toEqual(TESTED.candles[ALL.indexOf('sim-slate')]?.close.slice(10, 15))
  expect(part.candles[1]?.time).toEqual(part.time)
})

test('a bar exists only once it has closed', () => {
  const bars = (untilMs: number) => buildSimulatedMarket(['sim-flint'], SIMULATED_START, untilMs).time.length
  expect(bars(SIMULATED_START + 5 * DAY_MS - 1)).toBe(4)
  expect(bars(SIMULATED_START + 5 * DAY_MS)).toBe(5)
  expect(bars(SIMULATED_START)).toBe(0)
})

test('changing a result changes nothing for other callers', () => {
  const mine = buildSimulatedMarket(['sim-flint'], SIMULATED_START, TESTED_UNTIL)
  mine.candles[0]?.close.fill(1)
  expect(
    at(buildSimulatedMarket(['sim-flint'], SIMULATED_START, TESTED_UNTIL).candles[0]?.close ?? NONE, 0),
  ).toBe(49.9805)
})

test('each bar is possible: no price below its low or above its high, and a volume above 0', () => {
  for (const { open, high, low, close, volume } of TESTED.candles)
    expect(
      open.every(
        (price, day) =>
          at(low, day) > 0 &&
          at(low, day) <= Math.min(price, at(close, day)) &&
          at(high, day) >= Math.max(price, at(close, day)) &&
          at(volume, day) > 0,
      ),
    ).toBe(true)
})

test('no figure has more than six digits', () => {
  for (const { open, high, low, close, volume } of TESTED.candles)
    for (const column of [open, high, low, close, volume])
      expect(column.every((value) => value === Number(value.toPrecision(6)))).toBe(true)
})

test('the price within a day begins at its open and stays between its low and high', () => {
  fc.assert(
    fc.property(
      fc.constantFrom(...ALL),
      fc.nat(TESTED.time.length - 1),
      fc.nat(DAY_MS - 1),
      (asset, day, ms) => {
        const bars = TESTED.candles[ALL.indexOf(asset)]
        if (!bars) throw new Error('not tested')
        const price = computeSimulatedPrice(asset, at(TESTED.time, day) + ms)
        expect(price).toBeGreaterThanOrEqual(at(bars.low, day))
        expect(price).toBeLessThanOrEqual(at(bars.high, day))
        expect(price).toBe(Number(price.toPrecision(6)))
        expect(computeSimulatedPrice(asset, at(TESTED.time, day))).toBe(at(bars.open, day))
      },
    ),
  )
})

test('the index is a quarter of each coin, rebalanced at the first open of each year', () => {
  const index = TESTED.candles[ALL.indexOf('sim-index')]
  const coins = TESTED.candles.slice(0, 4)
  const firstOf2021 = 366
  for (const [from, until] of [
    [0, firstOf2021 - 1],
    [firstOf2021, firstOf2021 + 364],
  ] as const) {
    const grown = coins.map(({ open, close }) => at(close, until) / at(open, from))
    const mean = grown.reduce((sum, value) => sum + value, 0) / 4
    expect(at(index?.close ?? NONE, until) / at(index?.open ?? NONE, from)).toBeCloseTo(mean, 4)
  }
})

test('stocks are calmer than coins, and wild days come in clusters', () => {
  const volatility = Object.fromEntries(ALL.map((id) => [id, deviation(moves(id)) * Math.sqrt(365)]))
  for (const { id, class: kind } of SIMULATED_ASSETS) {
    const [least, most] = kind === 'stock' ? [0.2, 0.4] : [0.5, 1.1]
    expect(volatility[id]).toBeGreaterThan(least)
    expect(volatility[id]).toBeLessThan(most)
    const size = moves(id).map(Math.abs)
    expect(correlation(size.slice(1), size.slice(0, -1))).toBeGreaterThan(0.1)
    // Its past does not predict its future.
    expect(Math.abs(correlation(moves(id).slice(1), moves(id).slice(0, -1)))).toBeLessThan(0.07)
  }
})

test('coins move together, stocks too, and each with the other a little', () => {
  const [coins, stocks] = [ALL.slice(0, 4), ALL.slice(4, 7)]
  for (const one of coins)
    for (const other of coins.filter((id) => id !== one))
      within(correlation(moves(one), moves(other)), 0.5, 0.75)
  for (const one of stocks)
    for (const other of stocks.filter((id) => id !== one))
      within(correlation(moves(one), moves(other)), 0.35, 0.6)
  for (const one of coins)
    for (const other of stocks) within(correlation(moves(one), moves(other)), 0.02, 0.25)
})

test('some lose over the whole time, and there are years in which the index does', () => {
  const total = (id: string) => gained(id, 0, TESTED.time.length - 1)
  expect(total('sim-dogwood')).toBeLessThan(-0.5)
  expect(total('sim-granite')).toBeLessThan(0)
  expect(gained('sim-index', 366, 730)).toBeLessThan(-0.2)
  expect(gained('sim-index', 1096, 1460)).toBeLessThan(-0.2)
})

test('unknown assets and days are refused', () => {
  expect(() => buildSimulatedMarket(['bitcoin'], SIMULATED_START, TESTED_UNTIL)).toThrow(RangeError)
  expect(() => buildSimulatedMarket(['sim-flint'], SIMULATED_START - 1 - DAY_MS, TESTED_UNTIL)).toThrow(
    RangeError,
  )
  expect(() => buildSimulatedMarket(['sim-flint'], SIMULATED_START, Number.POSITIVE_INFINITY)).toThrow(
    RangeError,
  )
  expect(() => computeSimulatedPrice('sim-flint', SIMULATED_START - 1)).toThrow(RangeError)
})

const NONE = new Float64Array()

function moves(id: string): number[] {
  const close = TESTED.candles[ALL.indexOf(id)]?.close ?? NONE
  return Array.from(close.subarray(1), (value, day) => Math.log(value / at(close, day)))
}

function gained(id: string, from: number, until: number): number {
  const bars = TESTED.candles[ALL.indexOf(id)]
  return at(bars?.close ?? NONE, until) / at(bars?.open ?? NONE, from) - 1
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length
}

function deviation(values: readonly number[]): number {
  const middle = mean(values)
  return Math.sqrt(mean(values.map((value) => (value - middle) ** 2)))
}

function correlation(one: readonly number[], other: readonly number[]): number {
  const [a, b] = [mean(one), mean(other)]
  const together = mean(one.map((value, index) => (value - a) * ((other[index] ?? 0) - b)))
  return together / deviation(one) / deviation(other)
}

function within(value: number, least: number, most: number): void {
  expect(value).toBeGreaterThan(least)
  expect(value).toBeLessThan(most)
}

/** Open, high, low, close and volume of 1 January 2020. */
const FIRST_DAY = [
  [9988.38, 11855.8, 9988.38, 11635.3, 58750.2],
  [199.555, 206.557, 199.555, 201.948, 463766],
  [4.98947, 5.19812, 4.98947, 5.10457, 2020740],
  [0.0996212, 0.10291, 0.0996212, 0.10225, 28836100],
  [50.2481, 50.4865, 49.9805, 49.9805, 329210],
  [119.927, 120.179, 119.768, 119.768, 650933],
  [303.104, 303.144, 299.974, 299.974, 67115.8],
  [1000, 1071.07, 1000, 1056.58, 74816.5],
]
