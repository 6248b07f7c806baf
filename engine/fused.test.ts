import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { randomRuns } from '../test/random.ts'
import type { Candles } from './candles.ts'
import { excerpt } from './excerpt.ts'
import { fusedSmaTrend } from './fused.ts'
import type { Market } from './market.ts'
import { MarketError } from './marketError.ts'
import { type RunOptions, run } from './run.ts'
import { smaTrend } from './strategies/smaTrend.ts'
import { type Summary, summaryOf } from './summary.ts'
import { sweep } from './sweep.ts'
import { flat, marketOf, walk } from './test/markets.ts'
import { series } from './test/series.ts'

const COSTS = { feeBasisPoints: 25, slippageBasisPoints: 10 }
const OPTIONS = { startingCash: 1_000, costs: COSTS }

describe('the fused run', () => {
  it.each(['GOOG', 'BTCUSD', 'EURUSD'] as const)('comes to what the run of %s comes to', (name) => {
    for (const [fast, slow] of [
      [50, 200],
      [5, 60],
      [20, 140],
      [3, 4],
    ] as const) {
      if (slow >= series(name).length) continue
      const summary = agree(marketOf(series(name)), { fast, slow }, OPTIONS)
      if (slow < 100) expect(summary.trades).toBeGreaterThan(1)
    }
  })

  it('does so for any market, values, costs and rules of risk', () => {
    fc.assert(
      fc.property(
        fc.record({
          seed: fc.nat(),
          bars: fc.integer({ min: 30, max: 300 }),
          spread: fc.constantFrom(0.001, 0.03, 0.3),
          fast: fc.integer({ min: 1, max: 10 }),
          slow: fc.integer({ min: 1, max: 25 }),
          costMultiple: fc.constantFrom(0, 1, 3),
          maximumDrawdown: fc.constantFrom(undefined, 0.05, 0.3),
          maximumPosition: fc.constantFrom(undefined, 0.35, 1),
          from: fc.constantFrom(undefined, 5, 29),
        }),
        ({ seed, bars, spread, fast, slow, costMultiple, maximumDrawdown, maximumPosition, from }) => {
          const risk = { maximumDrawdown, maximumPosition }
          const options = { ...OPTIONS, costMultiple, risk, from }
          agree(marketOf(walk(bars, seed, 0, spread)), { fast, slow }, options)
        },
      ),
      randomRuns(500),
    )
  })

  it('decides as the strategy does where both averages are the same', () => {
    // Whole prices in a circle of four: the averages of any four or eight of them are equal, to the last digit or not at all.
    const bars = Array.from({ length: 400 }, (_, bar) => flat([10.1, 10.3, 10.2, 10.4][bar % 4] ?? 0))
    expect(agree(marketOf(bars), { fast: 4, slow: 8 }, OPTIONS).trades).toBe(0)
    agree(marketOf(bars), { fast: 2, slow: 8 }, OPTIONS)
    expect(
      agree(marketOf(Array.from({ length: 60 }, () => flat(0.1))), { fast: 3, slow: 7 }, OPTIONS).trades,
    ).toBe(0)
  })

  it('lets nothing gather over many bars, or after prices a million times as high', () => {
    agree(marketOf(walk(40_000, 3, 0, 0.02)), { fast: 50, slow: 200 }, OPTIONS)
    const crash = walk(9_000, 4, 0, 0.02).map(([open, high, low, close], bar) => {
      const scale = bar < 2_000 ? 1e6 : 1
      return [open * scale, high * scale, low * scale, close * scale] as const
    })
    agree(marketOf(crash), { fast: 50, slow: 200 }, OPTIONS)
  })

  it('sells once more after the bar that ended it, where there is a next', () => {
    const bars = [...Array.from({ length: 20 }, (_, bar) => flat(100 + bar)), flat(60), flat(50), flat(200)]
    const options = { ...OPTIONS, risk: { maximumDrawdown: 0.3 } }
    const market = marketOf(bars)
    expect(agree(market, { fast: 2, slow: 5 }, options).stoppedAt).toBe(20)
    expect(agree(excerpt(market, 0, 21), { fast: 2, slow: 5 }, options).stoppedAt).toBe(20)
    expect(agree(excerpt(market, 0, 22), { fast: 2, slow: 5 }, options).bars).toBe(17)
  })

  it('refuses a market that ends before the warm-up does', () => {
    const market = marketOf(walk(20, 1))
    expect(() => fusedSmaTrend(candlesOf(market), { fast: 5, slow: 20 }, OPTIONS)).toThrow(MarketError)
  })
})

describe('a sweep', () => {
  const market = marketOf(walk(400, 7))
  const combinations = [5, 10, 20].flatMap((fast) => [40, 60].map((slow) => ({ fast, slow })))

  it('answers for each combination what its run comes to, in their order', () => {
    const summaries = sweep(market, 'sma-trend', combinations, OPTIONS)
    expect(summaries).toHaveLength(6)
    summaries.forEach((summary, place) => {
      expectAgreement(summary, summaryOf(run(market, smaTrend, combinations[place] ?? {}, OPTIONS)))
    })
  })

  it('follows rules that only the run knows, and strategies and markets that have no faster way', () => {
    for (const more of [{ killAt: 100 }, { risk: { dailyTurnover: 0.5 } }]) {
      const options = { ...OPTIONS, ...more }
      expect(sweep(market, 'sma-trend', combinations, options)).toEqual(
        combinations.map((values) => summaryOf(run(market, smaTrend, values, options))),
      )
    }
    const two = marketOf(walk(400, 7), walk(400, 8))
    expect(sweep(two, 'sma-trend', combinations, OPTIONS)).toEqual(
      combinations.map((values) => summaryOf(run(two, smaTrend, values, OPTIONS))),
    )
    expect(sweep(market, 'buy-and-hold', [{}], OPTIONS)[0]?.trades).toBe(1)
  })
})

function agree(market: Market, values: { fast: number; slow: number }, options: RunOptions): Summary {
  const fused = fusedSmaTrend(candlesOf(market), values, options)
  expectAgreement(fused, summaryOf(run(market, smaTrend, values, options)))
  return fused
}

function expectAgreement(fused: Summary, plain: Summary): void {
  expect(fused).toMatchObject({
    from: plain.from,
    bars: plain.bars,
    trades: plain.trades,
    stoppedAt: plain.stoppedAt,
  })
  expect(Math.abs(fused.finalEquity / plain.finalEquity - 1)).toBeLessThan(1e-9)
  expect(fused.maximumDrawdown).toBeCloseTo(plain.maximumDrawdown, 9)
  expect(fused.mean).toBeCloseTo(plain.mean, 9)
  if (plain.deviation === null) expect(fused.deviation).toBeNull()
  else expect(fused.deviation).toBeCloseTo(plain.deviation, 9)
}

function candlesOf(market: Market): Candles {
  const [candles] = market.candles
  if (candles === undefined) throw new Error('There is one asset.')
  return candles
}
