import { describe, expect, it } from 'vitest'
import { DAY_MS } from '../../src/time.ts'
import { INTERVAL_MS, PRICE_SERIES, priceSeries } from '../../test/priceSeries.ts'
import { flat, marketOf, walk } from '../../test/support/engine/markets.ts'
import { at } from '../at.ts'
import { CATALOGUE } from '../catalogue.ts'
import { DEFAULT_COSTS, type Definition, STRATEGY_KINDS as KINDS, type StrategyKind } from '../definition.ts'
import type { Market } from '../market/market.ts'
import { SIMULATED_ASSETS } from '../market/simulatedAssets.ts'
import { buildSimulatedMarket, TESTED_UNTIL } from '../market/simulatedMarket.ts'
import { SIMULATED_START } from '../market/simulatedPaths.ts'
import { toClosingDay, toDayName, toDayNumber } from '../metrics/dailyEquity.ts'
import { run } from '../run.ts'
import { STRATEGIES } from '../strategies/registry.ts'
import { runBacktest, runBacktestInSteps } from './backtest.ts'
import { computeBandLines } from './band.ts'
import { compareBacktests } from './figuresMatch.ts'
import { computeForwardBand } from './forwardBand.ts'

const FREE = { feeBasisPoints: 0, slippageBasisPoints: 0 }

function holding(costs = FREE, assets = ['asset-0']): Definition {
  return { kind: 'buy-and-hold', values: {}, assets, costs, risk: {} }
}

describe('worked by hand', () => {
  // Bought at 100 on 2 January 2024, the day after the first close.
  const prices = marketOf([100, 100, 120, 90, 108, 135].map(flat))

  it('shows each day, the results, the drawdowns and the year', () => {
    const test = runBacktest(prices, holding())
    expect(test.firstDay).toBe('2024-01-02')
    expect(test.lastDay).toBe('2024-01-06')
    expect(test.equity).toEqual([1000, 1200, 900, 1080, 1350])
    expect(test.benchmark).toEqual(test.equity)
    expect(test.exposure).toEqual([1, 1, 1, 1, 1])
    expect(test.atCosts[1]?.figures).toMatchObject({
      days: 5,
      finalEquity: expect.closeTo(1350, 9),
      totalReturn: expect.closeTo(0.35, 12),
      cagr: null,
      maximumDrawdown: expect.closeTo(-0.25, 12),
      longestUnderWaterDays: 3,
      valueAtRisk95: null,
      profitFactor: null,
      exposure: 1,
      costs: 0,
    })
    expect(test.worstFalls).toEqual([
      {
        depth: expect.closeTo(-0.25, 12),
        from: '2024-01-03',
        to: '2024-01-04',
        recovered: '2024-01-06',
        daysDown: 1,
        daysUnderWater: 3,
      },
    ])
    expect(test.years).toEqual([{ year: 2024, days: 5, return: expect.closeTo(0.35, 12) }])
    expect(test.trades).toEqual({ all: 1, open: 1, won: 1, lost: 0 })
    expect(test.stopped).toBeNull()
  })

  it('applies the trading costs once, twice and three times', () => {
    // One purchase: of each dollar 1 / (1 + fee) / (1 + slippage) is invested.
    const test = runBacktest(prices, holding({ feeBasisPoints: 25, slippageBasisPoints: 10 }))
    for (const { multiple, figures } of test.atCosts) {
      const invested = 1000 / (1 + 0.0025 * multiple) / (1 + 0.001 * multiple)
      expect(figures.finalEquity).toBeCloseTo(invested * 1.35, 8)
      expect(figures.costs).toBeCloseTo(1000 - invested, 8)
    }
  })

  it('counts the days before the out-of-sample period separately, and starts again there', () => {
    const test = runBacktest(prices, holding(), { holdOutFrom: '2024-01-04' })
    expect(test.inSample).toMatchObject({ firstDay: '2024-01-02', lastDay: '2024-01-03' })
    expect(test.inSample?.figures.totalReturn).toBeCloseTo(0.2, 12)
    expect(test.holdOut).toMatchObject({ firstDay: '2024-01-04', lastDay: '2024-01-06' })
    // Bought again at that day's open, at 90.
    expect(test.holdOut?.figures.totalReturn).toBeCloseTo(0.5, 12)
    expect(test.holdOut?.figures.finalEquity).toBeCloseTo(1500, 9)
    expect(test.holdOut?.figures.maximumDrawdown).toBe(0)
    expect(test.holdOut?.figures.versus?.excessReturn).toBe(0)
    expect(runBacktest(prices, holding()).holdOut).toBeNull()
  })

  it('ignores everything after the given last day', () => {
    const test = runBacktest(prices, holding(), { until: '2024-01-04' })
    expect(test.equity).toEqual([1000, 1200, 900])
    expect(test.worstFalls[0]).toMatchObject({ recovered: null, daysUnderWater: 1 })
  })

  it('starts the out-of-sample period although trading had ended before', () => {
    const test = runBacktest(
      prices,
      { ...holding(), risk: { maximumDrawdown: 0.2 } },
      { holdOutFrom: '2024-01-05' },
    )
    expect(test.holdOut?.figures.totalReturn).toBeCloseTo(0.25, 12)
    expect(test.holdOut?.figures.exposure).toBe(1)
  })

  it('says when a risk rule ended all trading', () => {
    const test = runBacktest(prices, { ...holding(), risk: { maximumDrawdown: 0.2 } })
    expect(test.stopped).toEqual({ day: '2024-01-04', by: 'maximumDrawdown' })
    // Sold at the next open, at 108.
    expect(test.equity).toEqual([1000, 1200, 900, 1080, 1080])
  })

  it('computes the forward band from the days until trading ended, because cash afterwards is not a result of the strategy', () => {
    const { band } = runBacktest(prices, { ...holding(), risk: { maximumDrawdown: 0.2 } })
    expect(band).toEqual(computeForwardBand(Float64Array.of(0, 1200 / 1000 - 1, 900 / 1200 - 1)))
  })

  it('compares with equal parts of the same assets, in any order of the market', () => {
    const two = marketOf([100, 100, 120].map(flat), [10, 10, 10].map(flat))
    expect(runBacktest(two, holding(FREE, ['asset-1', 'asset-0'])).benchmark).toEqual([1000, 1100])
    expect(runBacktest(two, holding(FREE, ['asset-1'])).benchmark).toEqual([1000, 1000])
    expect(() => runBacktest(two, holding(FREE, ['asset-2']))).toThrow('asset-2 is not in the market')
  })
})

describe('the worst year', () => {
  const year = (days: number, price: number) => Array.from({ length: days }, () => flat(price))

  it('says what $1,000 became, and how long the recovery took from the end of the year', () => {
    const days = [
      flat(100),
      ...year(365, 100),
      ...year(364, 80),
      flat(60),
      ...year(9, 60),
      flat(100),
      flat(101),
    ]
    const { worstYear, years } = runBacktest(marketOf(days), holding())
    expect(years.map(({ year, days }) => [year, days])).toEqual([
      [2024, 365],
      [2025, 365],
      [2026, 11],
    ])
    const found = { year: 2025, thousandBecame: expect.closeTo(600, 8), daysToRecover: 10 }
    expect(worstYear).toMatchObject({ ...found, isLostAgain: false })
    const fallen = runBacktest(marketOf([...days, flat(99)]), holding())
    expect(fallen.worstYear).toMatchObject({ ...found, isLostAgain: true })
  })

  it('says that it never recovered, or that nothing was lost', () => {
    const lost = runBacktest(marketOf([flat(100), flat(100), flat(90)]), holding())
    expect(lost.worstYear).toMatchObject({ daysToRecover: null, isLostAgain: false })
    const won = runBacktest(marketOf([flat(100), flat(100), flat(110)]), holding())
    expect(won.worstYear).toMatchObject({
      thousandBecame: expect.closeTo(1100, 8),
      daysToRecover: 0,
      isLostAgain: false,
    })
  })
})

describe('step by step', () => {
  const market = marketOf(walk(700, 5), walk(700, 6))
  const definition: Definition = {
    kind: 'donchian-trend',
    values: { entry: 20, exit: 10 },
    assets: ['asset-0', 'asset-1'],
    costs: FREE,
    risk: {},
  }

  it('yields a share that only grows, and ends with the same figures', () => {
    const shares: number[] = []
    const test = runBacktest(market, definition, {}, (share) => shares.push(share))
    expect(shares.length).toBeGreaterThan(10)
    expect(shares).toEqual(shares.toSorted((a, b) => a - b))
    expect(shares.every((share) => share > 0 && share < 1)).toBe(true)
    expect(compareBacktests(test, runBacktest(market, definition))).toEqual([])
  })

  it('can be cancelled between two steps', () => {
    const steps = runBacktestInSteps(market, definition)
    expect(steps.next().done).toBe(false)
    steps.return(runBacktest(market, definition, { light: true }))
    expect(steps.next().done).toBe(true)
  })

  it('skips the trials when light, and still returns everything else', () => {
    const { overfit, ...rest } = runBacktest(market, definition)
    const light = runBacktest(market, definition, { light: true })
    expect(overfit).not.toBeNull()
    expect(light).toEqual({ ...rest, overfit: null })
  })
})

describe('whether two tests match', () => {
  const test = runBacktest(marketOf(walk(500, 7)), holding())

  it('match after a round trip through JSON, and within a billionth', () => {
    expect(compareBacktests(test, JSON.parse(JSON.stringify(test)))).toEqual([])
    expect(compareBacktests(test, { ...test, startingCash: 1000 * (1 + 1e-10) })).toEqual([])
  })

  it('name each difference', () => {
    const other = structuredClone(test)
    const changed = {
      ...other,
      startingCash: 1000 * (1 + 1e-8),
      firstDay: '2020-01-01',
      stopped: { day: '2024-02-01', by: 'killSwitch' as const },
      equity: other.equity.map((worth, day) => (day === 3 ? worth + 0.01 : worth)),
    }
    expect(compareBacktests(test, changed)).toEqual(['startingCash', 'firstDay', 'equity.3', 'stopped'])
    expect(compareBacktests(test, { ...test, years: [] })).toEqual(expect.arrayContaining(['years.0']))
  })
})

describe.each(PRICE_SERIES)('on %s', (name) => {
  const candles = priceSeries(name)
  const market: Market = {
    intervalMs: INTERVAL_MS[name],
    time: candles.time,
    assets: [name],
    candles: [candles],
  }

  it.each(KINDS)('%s has a figure for each day and only numbers or null', (kind) => {
    const definition = { ...holding(DEFAULT_COSTS, [name]), kind, values: smallest(kind) }
    const test = runBacktest(market, definition, {
      holdOutFrom: toDayName((at(candles.time, 100) / DAY_MS) | 0),
    })
    expect(JSON.parse(JSON.stringify(test))).toEqual(test)
    expect(test.equity).toHaveLength(test.days)
    expect(toDayNumber(test.lastDay) - toDayNumber(test.firstDay) + 1).toBe(test.days)
    const last = toClosingDay(at(candles.time, candles.time.length - 1), INTERVAL_MS[name])
    expect(test.lastDay).toBe(toDayName(last))
    const own = run(market, STRATEGIES[kind], definition.values, {
      startingCash: 1000,
      costs: DEFAULT_COSTS,
    })
    expect(test.atCosts[1]?.figures.finalEquity).toBe(own.equity.at(-1))
    expect(test.atCosts[1]?.figures.costs).toBeCloseTo(own.fees + own.slippage, 9)
    expect(test.years.reduce((grown, { return: gained }) => grown * (1 + gained), 1)).toBeCloseTo(
      (own.equity.at(-1) ?? 0) / 1000,
      9,
    )
  })

  /** The least of each parameter, so that short series are long enough. */
  function smallest(kind: StrategyKind) {
    const parameters = Object.entries(STRATEGIES[kind].parameters)
    return Object.fromEntries(parameters.map(([parameter, { least }]) => [parameter, least]))
  }
})

describe('on the simulated market', () => {
  const market = buildSimulatedMarket(
    SIMULATED_ASSETS.map(({ id }) => id),
    SIMULATED_START,
    TESTED_UNTIL,
  )

  it.each(CATALOGUE)('$name has consistent figures that survive JSON', ({ definition }) => {
    const test = runBacktest(market, definition, { light: true })
    expect(JSON.parse(JSON.stringify(test))).toEqual(test)
    expect(test.lastDay).toBe('2026-06-30')
    expect(test.equity).toHaveLength(test.days)
    expect(test.benchmark).toHaveLength(test.days)
    const whole = test.atCosts[1]?.figures
    expect((test.inSample?.figures.days ?? 0) + (test.holdOut?.figures.days ?? 0)).toBe(test.days)
    expect(test.inSample?.lastDay).toBe('2024-12-31')
    expect(test.holdOut).toMatchObject({ firstDay: '2025-01-01', lastDay: '2026-06-30' })
    expect(test.years.reduce((grown, year) => grown * (1 + year.return), 1) - 1).toBeCloseTo(
      whole?.totalReturn ?? Number.NaN,
      9,
    )
    expect(test.worstYear.return).toBe(Math.min(...test.years.map((year) => year.return)))
    expect(test.worstFalls[0]?.depth ?? 0).toBe(whole?.maximumDrawdown)
    expect(whole?.costs).toBeGreaterThan(0)
    expect(test.atCosts[0]?.figures.costs).toBe(0)
    // The run itself ends with the same equity.
    const values = definition.values
    const alone = run(
      { ...market, assets: definition.assets, candles: definition.assets.map((id) => candlesOf(id)) },
      STRATEGIES[definition.kind],
      values,
      { startingCash: 1000, costs: definition.costs, risk: definition.risk },
    )
    expect(alone.equity.at(-1)).toBe(whole?.finalEquity)
    expect(computeBandLines(test.band, 365).lower99).toBeLessThan(computeBandLines(test.band, 365).upper99)
  })

  function candlesOf(id: string) {
    const found = market.candles[market.assets.indexOf(id)]
    if (!found) throw new Error(`${id} is not simulated`)
    return found
  }
})
