import { describe, expect, it } from 'vitest'
import { Bollinger } from './bollinger.ts'
import { Ema } from './ema.ts'
import { Highest, Lowest } from './extreme.ts'
import { RealisedVolatility } from './realisedVolatility.ts'
import { Rsi } from './rsi.ts'
import { Sma } from './sma.ts'

/** An indicator over a list, rounded to twelve decimals for comparison with values by hand. */
function over(values: readonly number[], push: (value: number, index: number) => number): (number | null)[] {
  return Array.from(Float64Array.from(values, push), (value) =>
    Number.isNaN(value) ? null : Math.round(value * 1e12) / 1e12,
  )
}

function pushes(indicator: { push(value: number): number }): (value: number) => number {
  return (value) => indicator.push(value)
}

const repeated = (value: number, times: number) => Array.from({ length: times }, () => value)
const line = (times: number, slope = 1) => Array.from({ length: times }, (_, place) => 100 + slope * place)
const growing = (times: number, factor: number) =>
  Array.from({ length: times }, (_, place) => 100 * factor ** place)

describe('the simple moving average', () => {
  it('is, worked by hand, the mean of the last three', () => {
    expect(over([1, 2, 6, 7, 2], pushes(new Sma(3)))).toEqual([null, null, 3, 5, 5])
  })

  it('of one value is that value, and of a line lags by half of n − 1', () => {
    expect(over([3, 1, 4], pushes(new Sma(1)))).toEqual([3, 1, 4])
    expect(over(line(30), pushes(new Sma(9))).at(-1)).toBe(129 - 4)
  })
})

describe('the exponential moving average', () => {
  it('is, worked by hand, the simple average of the first three, then moved by half', () => {
    // α = 2 / 4: (2 + 4 + 6) / 3 = 4, then 4 + (8 − 4) / 2 = 6, then 6 + (2 − 6) / 2 = 4.
    expect(over([2, 4, 6, 8, 2], pushes(new Ema(3)))).toEqual([null, null, 4, 6, 4])
  })

  it('of a line lags by (n − 1) / 2 from the first value on', () => {
    const values = over(line(50), pushes(new Ema(9)))
    values.forEach((value, index) => {
      expect(value).toBe(index < 8 ? null : 100 + index - 4)
    })
  })

  it('after a step from 0 to 1 lacks (1 − α) to the power of the bars since', () => {
    const values = over([...repeated(0, 5), ...repeated(1, 40)], pushes(new Ema(5)))
    for (let since = 0; since <= 40; since++) {
      expect(values[4 + since]).toBeCloseTo(1 - (1 - 1 / 3) ** since, 11)
    }
  })
})

describe('the relative strength index', () => {
  it('is, worked by hand, the share of rises in all changes', () => {
    // Changes 1, −1, 2: rises (1 + 0 + 2) / 3 = 1, falls 1/3: 75. Then +2: rises (2·1 + 2) / 3 = 4/3, falls 2/9: 600/7.
    // Then −6: rises 8/9, falls (2·2/9 + 6) / 3 = 58/27: 100 · 24 / 82.
    expect(over([10, 11, 10, 12, 14, 8], pushes(new Rsi(3)))).toEqual([
      null,
      null,
      null,
      75,
      Math.round((600 / 7) * 1e12) / 1e12,
      Math.round((2400 / 82) * 1e12) / 1e12,
    ])
  })

  it('is 100 if all values rise, 0 if all fall, and 50 if nothing changes', () => {
    expect(over(line(20), pushes(new Rsi(5)))).toEqual([
      ...repeated(0, 5).map(() => null),
      ...repeated(100, 15),
    ])
    expect(over(line(20, -1), pushes(new Rsi(5))).at(-1)).toBe(0)
    expect(over(repeated(7, 20), pushes(new Rsi(5))).at(5)).toBe(50)
  })

  it('converges to the share of rises if rises and falls alternate', () => {
    // Up 3, down 1: after a rise of 3 the averages settle so that G / L = 3 / (1 − 1/n).
    const values = [100]
    for (let place = 0; place < 600; place++) values.push((values.at(-1) ?? 0) + (place % 2 === 0 ? -1 : 3))
    const n = 14
    const kept = 1 - 1 / n
    expect(over(values, pushes(new Rsi(n))).at(-1)).toBeCloseTo((100 * 3) / (3 + kept), 9)
  })

  it('forgets its start: after ten times n bars only hundredths of a point are left', () => {
    for (const n of [2, 14, 30]) {
      const rises = new Rsi(n)
      const falls = new Rsi(n)
      for (let bar = 0; bar <= n; bar++) {
        rises.push(100 + bar)
        falls.push(100 + 2 * n - bar)
      }
      let difference = 100
      for (let bar = 0; bar < 9 * n; bar++) {
        const price = 100 + n + Math.sin(bar * bar)
        difference = Math.abs(rises.push(price) - falls.push(price))
      }
      // One starts with only rises, the other with only falls.
      expect(difference).toBeLessThan(0.05)
    }
  })
})

describe('the Bollinger bands', () => {
  it('are, worked by hand, two population deviations around the mean', () => {
    // 2, 4, 4, 4, 5, 5, 7, 9: mean 5, variance 32 / 8 = 4, deviation 2.
    const bands = new Bollinger(8, 2)
    expect(over([2, 4, 4, 4, 5, 5, 7, 9], pushes(bands)).at(-1)).toBe(5)
    expect([bands.lower, bands.upper]).toEqual([1, 9])
  })

  it('of a line lie √((n² − 1) / 12) deviations apart, and of a constant upon it', () => {
    const bands = new Bollinger(20, 1)
    for (const value of line(45, 3)) bands.push(value)
    expect((bands.upper - bands.lower) / 2).toBeCloseTo(3 * Math.sqrt((20 ** 2 - 1) / 12), 10)
    for (const value of repeated(0.1, 20)) bands.push(value)
    expect([bands.lower, bands.upper]).toEqual([0.1, 0.1])
  })

  it('begin with the nth value', () => {
    const bands = new Bollinger(3, 2)
    bands.push(1)
    bands.push(2)
    expect([bands.lower, bands.upper]).toEqual([Number.NaN, Number.NaN])
    bands.push(3)
    expect(bands.upper).toBeCloseTo(2 + 2 * Math.sqrt(2 / 3), 12)
  })
})

describe('the realised volatility', () => {
  it('is, worked by hand, the sample deviation of the logarithmic returns times √365', () => {
    // Returns ln 2, −ln 2, ln 2: mean ln 2 / 3, squared distances (4/9 + 16/9 + 4/9) ln² 2, over 2.
    const values = over([1, 2, 1, 2], pushes(new RealisedVolatility(3)))
    expect(values.slice(0, 3)).toEqual([null, null, null])
    expect(values[3]).toBeCloseTo(Math.log(2) * Math.sqrt((24 / 9 / 2) * 365), 11)
  })

  it('is 0 for prices that grow by the same share each day', () => {
    const values = over(growing(60, 1.07), pushes(new RealisedVolatility(10)))
    for (const value of values.slice(10)) expect(value).toBeCloseTo(0, 11)
    expect(over(repeated(5, 20), pushes(new RealisedVolatility(10))).at(-1)).toBe(0)
  })
})

describe('the Donchian channel', () => {
  it('is, worked by hand, the highest high and the lowest low of the last three bars', () => {
    expect(over([5, 7, 6, 4, 3, 9], pushes(new Highest(3)))).toEqual([null, null, 7, 7, 6, 9])
    expect(over([3, 4, 2, 3, 1, 2], pushes(new Lowest(3)))).toEqual([null, null, 2, 2, 1, 1])
  })

  it('of a line reaches back n − 1 bars', () => {
    const values = line(100)
    expect(over(values, pushes(new Highest(20))).at(-1)).toBe(199)
    expect(over(values, pushes(new Lowest(20))).at(-1)).toBe(180)
  })
})
