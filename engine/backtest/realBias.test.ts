import { describe, expect, it } from 'vitest'
import { loadRealMarket, readRealCandles, readRealLastDay } from '../../data/realPrices.ts'
import { DAY_MS } from '../../src/time.ts'
import { isLong } from '../../test/random.ts'
import { corrupted, follow, futureChangesNothing, prefixSaysTheSame } from '../../test/support/engine/bias.ts'
import { CATALOGUE } from '../catalogue.ts'
import { type Market, takeExcerpt } from '../market/market.ts'
import { buildRealMarket } from '../market/realMarket.ts'
import { toDayNumber } from '../metrics/dailyEquity.ts'
import { STRATEGIES } from '../strategies/registry.ts'
import { runBacktest } from './backtest.ts'
import { buildRealOptions, OUT_OF_SAMPLE_FROM, REAL_TESTS } from './realTests.ts'

/** The days after a missing bar, after a crash, after a coin joined, and at the start of the out-of-sample period. */
const CUT_DAYS = ['2018-01-13', '2020-03-13', '2021-07-18', OUT_OF_SAMPLE_FROM, '2022-05-13']

function barOf(market: Market, day: string): number {
  return market.time.indexOf(toDayNumber(day) * DAY_MS)
}

describe.each(REAL_TESTS)('$name, on real prices', ({ definition }) => {
  const { kind, values, assets } = definition
  const market = loadRealMarket(assets)
  const strategy = STRATEGIES[kind]
  const cuts = CUT_DAYS.map((day) => barOf(market, day))

  it('decides the same on the first part of the prices as on all of them', () => {
    expect(prefixSaysTheSame(market, () => strategy, values, cuts)).toBe(true)
  })

  it('does not change when later prices change', () => {
    for (const cut of cuts) expect(futureChangesNothing(market, () => strategy, values, cut)).toBe(true)
  })

  it('does not trade a coin on a day without its bar, or during its warm-up', () => {
    const { result } = follow(market, strategy, values)
    const warmUp = strategy.warmUp(values)
    expect(result.fills.length).toBeGreaterThan(0)
    for (const { bar, asset } of result.fills) {
      const close = market.candles[asset]?.close ?? new Float64Array()
      expect(Number.isNaN(close[bar])).toBe(false)
      expect(close.subarray(0, bar).filter((price) => !Number.isNaN(price)).length).toBeGreaterThanOrEqual(
        warmUp,
      )
    }
  })
})

/** In a short run each strategy is tested once: on its main market. */
const CHOOSING = isLong
  ? REAL_TESTS
  : CATALOGUE.flatMap(({ slug }) => REAL_TESTS.filter(({ strategy }) => strategy === slug).slice(0, 1))

describe.each(CHOOSING)('$name, on real prices', ({ on, definition }) => {
  it('no choice depends on the out-of-sample period: with other prices there, all choices stay the same', () => {
    const all = loadRealMarket()
    const options = buildRealOptions(on, readRealLastDay())
    const cut = barOf(all, OUT_OF_SAMPLE_FROM)
    const [real, altered] = [all, corrupted(all, cut, 1000)].map((each) =>
      runBacktest(each, definition, options),
    )
    const chosen = (result: typeof real) => {
      const { trials, deflatedSharpe, inSampleSharpe, neighbourReturns, walkForward, sweep } =
        result?.overfit ?? {}
      return {
        trials,
        deflatedSharpe,
        inSampleSharpe,
        neighbourReturns,
        walkForward,
        sweep,
        part: result?.inSample,
      }
    }
    expect(chosen(altered)).toEqual(chosen(real))
    expect(altered?.holdOut).not.toEqual(real?.holdOut)
  })
})

describe('a coin that joins later', () => {
  it('changes no earlier result', () => {
    const named = readRealCandles()
    const joins = toDayNumber('2021-07-17')
    const [withSolana, without] = [named, named.filter(({ asset }) => asset !== 'solana')].map((each) =>
      takeExcerpt(buildRealMarket(each, readRealLastDay()), 0, joins - toDayNumber('2016-02-25')),
    )
    if (withSolana === undefined || without === undefined) throw new Error('There are two markets.')
    for (const { definition } of REAL_TESTS.filter(({ on }) => on === 'basket')) {
      const { kind, values } = definition
      const [one, other] = [withSolana, without].map((market) => follow(market, STRATEGIES[kind], values))
      expect([...(one?.result.equity ?? [])]).toEqual([...(other?.result.equity ?? [])])
    }
  })
})
