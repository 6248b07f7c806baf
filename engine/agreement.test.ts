import { describe, expect, it } from 'vitest'
import { expectAgreement } from '../test/support/engine/agreement.ts'
import { marketOf, type Ohlc } from '../test/support/engine/markets.ts'
import {
  averages,
  averaging,
  breakouts,
  hold,
  type Rule,
  rebalanced,
  reversion,
  rotation,
  swings,
} from '../test/support/engine/referenceRules.ts'
import { series } from '../test/support/engine/series.ts'
import type { RiskRules } from './definition.ts'
import type { Run } from './run.ts'
import { STRATEGIES } from './strategies/registry.ts'
import type { Strategy } from './strategy.ts'

const CASH = 10_000
const COSTS = { feeBasisPoints: 25, slippageBasisPoints: 10 }

const google = series('GOOG')
const bitcoin = series('BTCUSD')
const euro = series('EURUSD')
const day = google.length
/** Three unrelated assets of the same length. */
const basket = [google, euro.slice(0, day), euro.slice(-day)]

/** Buys while the price is above that of 20 bars ago, with a stop 4 % below and a target 6 % above the close of the decision. */
const withStops: Rule = {
  warmUp: 21,
  wish: ({ bars: [bars = []], shares: [share = 0] }) => {
    const close = bars.at(-1)?.close ?? 0
    const isUp = close > (bars.at(-21)?.close ?? Number.POSITIVE_INFINITY)
    if (share > 0) return { shares: isUp ? null : [0] }
    return isUp ? { shares: [1], stops: [close * 0.96], targets: [close * 1.06] } : { shares: null }
  },
}

const engineWithStops: Strategy = {
  parameters: {},
  warmUp: () => 21,
  start: () => {
    const closes: number[] = []
    return {
      onClose(bar, book, intent) {
        const close = bar.close[0] ?? 0
        closes.push(close)
        const isUp = bar.index >= 20 && close > (closes[bar.index - 20] ?? 0)
        if ((book.weights[0] ?? 0) > 0) {
          intent.weights[0] = 0
          return !isUp
        }
        if (!isUp) return false
        intent.weights[0] = 1
        intent.stop[0] = close * 0.96
        intent.takeProfit[0] = close * 1.06
        return true
      },
    }
  },
}

describe('an independent implementation gets the same figures', () => {
  const single: readonly [string, readonly Ohlc[], readonly [number, number]][] = [
    ['a share by the day', google, [50, 200]],
    ['a coin by the month', bitcoin, [5, 20]],
    ['a currency by the hour', euro.slice(0, 3_000), [50, 200]],
  ]

  it.each(single)('for buying and holding %s', (_name, bars) => {
    agree([bars], STRATEGIES['buy-and-hold'], {}, hold, 1)
  })

  it.each(single)('for two averages of %s', (_name, bars, [fast, slow]) => {
    agree([bars], STRATEGIES['sma-trend'], { fast, slow }, averages(fast, slow), 4)
  })

  it.each(single)('for breakouts of %s', (_name, bars) => {
    agree([bars], STRATEGIES['donchian-trend'], { entry: 20, exit: 10 }, breakouts(20, 10), 4)
  })

  it.each(single)('for stops and profit targets on %s', (_name, bars) => {
    agree([bars], engineWithStops, {}, withStops, 10)
  })

  it('for three assets: holding, averages, breakouts', () => {
    agree(basket, STRATEGIES['buy-and-hold'], {}, hold, 3)
    agree(basket, STRATEGIES['sma-trend'], { fast: 50, slow: 200 }, averages(50, 200), 20)
    agree(basket, STRATEGIES['donchian-trend'], { entry: 20, exit: 10 }, breakouts(20, 10), 50)
  })

  it('for three assets that are rebalanced', () => {
    agree(basket, STRATEGIES['rebalanced-basket'], { invested: 80, band: 1 }, rebalanced(80, 1), 30)
    agree(basket, STRATEGIES['rebalanced-basket'], { invested: 100, band: 5 }, rebalanced(100, 5), 6)
  })

  it('for cost averaging into three assets', () => {
    agree(
      basket,
      STRATEGIES['cost-averaging'],
      { every: 30, share: 5, most: 80 },
      averaging(30, 5, 80, CASH),
      30,
    )
    agree(
      basket,
      STRATEGIES['cost-averaging'],
      { every: 7, share: 50, most: 60 },
      averaging(7, 50, 60, CASH),
      6,
    )
  })

  it('for the strongest of three assets', () => {
    const { 'momentum-rotation': strongest } = STRATEGIES
    agree(basket, strongest, { lookback: 90, top: 2, every: 30 }, rotation(90, 2, 30), 50)
    agree(basket, strongest, { lookback: 10, top: 1, every: 7 }, rotation(10, 1, 7), 100)
  })

  it('for buying falls with a stop', () => {
    const usual = { rsi: 14, oversold: 30, bands: 20, width: 2, loss: 8 }
    agree(
      basket.map((bars) => bars.slice(0, 900)),
      STRATEGIES['mean-reversion'],
      usual,
      reversion(usual),
      10,
    )
    const eager = { rsi: 5, oversold: 40, bands: 10, width: 1, loss: 2 }
    const { fills } = agree([google.slice(0, 900)], STRATEGIES['mean-reversion'], eager, reversion(eager), 50)
    expect(fills.filter(({ reason }) => reason === 'stop').length).toBeGreaterThan(5)
  })

  it('for a volatility target', () => {
    agree([google], STRATEGIES['volatility-target'], { days: 30, target: 20, band: 5 }, swings(30, 20, 5), 20)
    agree(basket, STRATEGIES['volatility-target'], { days: 10, target: 20, band: 1 }, swings(10, 20, 1), 3)
  })

  it('for a limit on the largest position', () => {
    const { 'donchian-trend': trend, 'momentum-rotation': strongest } = STRATEGIES
    const [small, large] = [{ maximumPosition: 0.2 }, { maximumPosition: 0.35 }]
    agree(basket, trend, { entry: 20, exit: 10 }, breakouts(20, 10), 50, small)
    agree(basket, strongest, { lookback: 90, top: 2, every: 30 }, rotation(90, 2, 30), 50, large)
  })

  it('for a fall that ends all trading', () => {
    const bars = basket.map((asset) => asset.slice().reverse())
    const result = agree(bars, STRATEGIES['buy-and-hold'], {}, hold, 4, { maximumDrawdown: 0.12 })
    expect(result.stopped?.by).toBe('maximumDrawdown')
  })

  it('for falls after which it pauses and begins again', () => {
    const bars = basket.map((asset) => asset.slice().reverse())
    const risk = { maximumDrawdown: 0.12, pauseDays: 20 }
    const { 'sma-trend': trend, 'buy-and-hold': holding } = STRATEGIES
    expect(agree(bars, holding, {}, hold, 8, risk).pauses.length).toBeGreaterThan(1)
    agree(bars, trend, { fast: 5, slow: 60 }, averages(5, 60), 4, { maximumDrawdown: 0.05, pauseDays: 7 })
  })
})

/** Compares both implementations on these bars. */
function agree(
  assets: readonly (readonly Ohlc[])[],
  strategy: Strategy,
  values: Readonly<Record<string, number>>,
  rule: Rule,
  fewestFills: number,
  risk: RiskRules = {},
): Run {
  const market = marketOf(...assets)
  return expectAgreement({ market, strategy, values, rule, cash: CASH, costs: COSTS, risk, fewestFills })
}
