import { describe, expect, it } from 'vitest'
import { flat, marketOf } from '../../test/support/engine/markets.ts'
import { scripted } from '../../test/support/engine/scripted.ts'
import { drawBell, drawUniform, mulberry32 } from '../random.ts'
import { run } from '../run.ts'
import { computeInvestedShares, computeMarketReturns, computeTimingChance } from './timing.ts'

const FREE = { startingCash: 1000, costs: { feeBasisPoints: 0, slippageBasisPoints: 0 } }

describe('the test of timing', () => {
  it('equals a separate count of all shifts', () => {
    const invested = Float64Array.from({ length: 60 }, (_, day) =>
      day % 17 < 6 ? 1 : day % 5 === 0 ? 0.5 : 0,
    )
    const returns = Float64Array.from(
      { length: 60 },
      (_, day) => Math.sin(day * 2.3) / 50 + (day % 17 < 4 ? 0.01 : -0.004),
    )
    // Counted once in Python: the rule itself, and one shift that is as good.
    expect(computeTimingChance(invested, returns)).toBe(2 / 60)
  })

  it('is 1 in as many bars for perfect foresight, and all of them for its opposite', () => {
    const random = mulberry32(5)
    const returns = Float64Array.from({ length: 400 }, () => 0.02 * drawBell(random))
    expect(
      computeTimingChance(
        returns.map((value) => (value > 0 ? 1 : 0)),
        returns,
      ),
    ).toBe(1 / 400)
    expect(
      computeTimingChance(
        returns.map((value) => (value > 0 ? 0 : 1)),
        returns,
      ),
    ).toBe(1)
  })

  it('is as often below each share as chance has it, for shares drawn without looking', () => {
    const random = mulberry32(7)
    const chances = Array.from({ length: 200 }, () => {
      const returns = Float64Array.from({ length: 60 }, () => 0.02 * drawBell(random))
      const invested = Float64Array.from({ length: 60 }, () => (drawUniform(random) < 0.5 ? 0 : 1))
      return computeTimingChance(invested, returns) ?? Number.NaN
    })
    for (const share of [0.1, 0.5, 0.9]) {
      const below = chances.filter((chance) => chance <= share).length / chances.length
      expect(Math.abs(below - share)).toBeLessThan(0.1)
    }
  })

  it('is unknown if the invested share never changes, and below 30 bars', () => {
    expect(computeTimingChance(new Float64Array(100).fill(0.8), new Float64Array(100))).toBeNull()
    expect(computeTimingChance(Float64Array.of(0, 1), Float64Array.of(0.1, 0.2))).toBeNull()
  })
})

describe('what the test of timing compares', () => {
  it('is the invested share after the open, before the bar changes it or a stop sells', () => {
    const market = marketOf([flat(10), [10, 20, 10, 20], [20, 20, 4, 5], flat(5), flat(5)])
    const half = scripted({ 0: { weights: [0.5] }, 1: { weights: [0.5], stop: [8] }, 3: { weights: [1] } })
    const result = run(market, half, {}, FREE)
    expect([...computeInvestedShares(result, market)]).toEqual([0.5, 0.5, 0, 1])
  })

  it('is the mean return of the coins that have a former close', () => {
    const market = marketOf([flat(10), flat(11), flat(11), flat(22)], [flat(5), flat(5), flat(6), flat(6)])
    const [, second] = market.candles
    second?.close.fill(Number.NaN, 0, 1)
    second?.close.fill(Number.NaN, 3)
    const returns = [...computeMarketReturns(market, 1)]
    expect(returns[0]).toBeCloseTo(0.1, 12)
    expect(returns[1]).toBeCloseTo(0.1, 12)
    expect(returns[2]).toBeCloseTo(0.5, 12)
  })
})
