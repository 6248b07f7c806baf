import { describe, expect, it } from 'vitest'
import { maximumDrawdown } from './metrics/drawdown.ts'
import { run } from './run.ts'
import type { Run } from './runResult.ts'
import { STRATEGIES } from './strategies/registry.ts'
import type { Strategy } from './strategy.ts'
import { marketOf, type Ohlc } from './test/markets.ts'
import { type PlainPast, type PlainResult, type PlainRules, plainRun } from './test/plain.ts'
import { plainOf, series } from './test/series.ts'

/** An implementation of the same rules that shares nothing with the engine must come to the same figures. */
const TO = 1e-9
const CASH = 10_000
const COSTS = { feeBasisPoints: 25, slippageBasisPoints: 10 }
const PLAIN = { cash: CASH, feePercent: 0.25, slippagePercent: 0.1 }

const google = series('GOOG')
const bitcoin = series('BTCUSD')
const euro = series('EURUSD')
const day = google.length
/** Three that have nothing to do with each other, of the same length. */
const basket = [google, euro.slice(0, day), euro.slice(-day)]

type Rule = Pick<PlainRules, 'warmUp' | 'wish'>

const hold: Rule = {
  warmUp: 1,
  wish: ({ shares }) => ({
    shares: shares.some((share) => share > 0) ? null : shares.map(() => 1 / shares.length),
  }),
}

function averages(fast: number, slow: number): Rule {
  return {
    warmUp: slow,
    wish: (past) =>
      inSlots(past, (bars) => {
        const closes = bars.map(({ close }) => close)
        return bars.length >= slow && mean(closes.slice(-fast)) > mean(closes.slice(-slow))
      }),
  }
}

function breakouts(entry: number, exit: number): Rule {
  return {
    warmUp: Math.max(entry, exit) + 1,
    wish: (past) =>
      inSlots(past, (bars, isHeld) => {
        const close = bars.at(-1)?.close ?? 0
        const before = bars.slice(0, -1)
        if (isHeld) return close >= Math.min(...before.slice(-exit).map(({ low }) => low))
        return before.length >= entry && close > Math.max(...before.slice(-entry).map(({ high }) => high))
      }),
  }
}

function rebalanced(invested: number, band: number): Rule {
  return {
    warmUp: 1,
    wish: ({ shares }) => {
      const even = invested / 100 / shares.length
      const isAway =
        shares.every((share) => share === 0) || shares.some((share) => Math.abs(share - even) > band / 100)
      return { shares: isAway ? shares.map(() => even) : null }
    },
  }
}

/** Bought while it is above where it was 20 bars ago, with a stop 4 % below and a target 6 % above the close that decided it. */
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

describe('an independent implementation comes to the same figures', () => {
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

  it('for three assets that are held, followed by averages, by breakouts', () => {
    agree(basket, STRATEGIES['buy-and-hold'], {}, hold, 3)
    agree(basket, STRATEGIES['sma-trend'], { fast: 50, slow: 200 }, averages(50, 200), 20)
    agree(basket, STRATEGIES['donchian-trend'], { entry: 20, exit: 10 }, breakouts(20, 10), 50)
  })

  it('for three assets that are rebalanced', () => {
    agree(basket, STRATEGIES['rebalanced-basket'], { invested: 80, band: 1 }, rebalanced(80, 1), 30)
    agree(basket, STRATEGIES['rebalanced-basket'], { invested: 100, band: 5 }, rebalanced(100, 5), 6)
  })

  it('for a fall that ends all trading', () => {
    const bars = basket.map((asset) => asset.slice().reverse())
    const result = agree(bars, STRATEGIES['buy-and-hold'], {}, hold, 4, 12)
    expect(result.stopped?.by).toBe('maximumDrawdown')
  })
})

/** Runs both and compares every value and every fill; at least so many fills must be there to be compared. */
function agree(
  assets: readonly (readonly Ohlc[])[],
  strategy: Strategy,
  values: Readonly<Record<string, number>>,
  rule: Rule,
  fewestFills: number,
  worstFallPercent?: number,
): Run {
  const risk = worstFallPercent === undefined ? {} : { maximumDrawdown: worstFallPercent / 100 }
  const result = run(marketOf(...assets), strategy, values, { startingCash: CASH, costs: COSTS, risk })
  const plain: PlainResult = plainRun(plainOf(...assets), { ...PLAIN, ...rule, worstFallPercent })
  expect(result.equity).toHaveLength(plain.equity.length)
  expect(farthest(result.equity, plain.equity)).toBeLessThan(TO)
  expect(maximumDrawdown(result.equity, CASH)).toBeCloseTo(plain.drawdown, 9)
  expect(Math.abs((result.fees + result.slippage) / plain.costs - 1)).toBeLessThan(TO)
  expect(result.fills.length).toBeGreaterThanOrEqual(fewestFills)
  const named = ({ bar, asset, side }: { bar: number; asset: number; side: string }) =>
    `${bar} ${asset} ${side}`
  expect(result.fills.map(named)).toEqual(plain.fills.map(named))
  const figures = (of: 'units' | 'price' | 'fee' | 'slippage') => plain.fills.map((fill) => fill[of])
  expect(
    farthest(
      result.fills.map(({ quantity }) => quantity),
      figures('units'),
    ),
  ).toBeLessThan(TO)
  expect(
    farthest(
      result.fills.map(({ price }) => price),
      figures('price'),
    ),
  ).toBeLessThan(TO)
  expect(
    farthest(
      result.fills.map(({ fee }) => fee),
      figures('fee'),
    ),
  ).toBeLessThan(TO)
  expect(
    farthest(
      result.fills.map(({ slippage }) => slippage),
      figures('slippage'),
    ),
  ).toBeLessThan(TO)
  return result
}

/** The largest difference between two columns, as a share. */
function farthest(figures: ArrayLike<number>, others: readonly number[]): number {
  return others.reduce(
    (most, other, place) => Math.max(most, Math.abs((figures[place] ?? Number.NaN) / other - 1)),
    0,
  )
}

/** What stays is left as it is; what is new gets an equal slot, or its part of what is not invested. */
function inSlots(
  { bars, shares }: PlainPast,
  isWanted: (bars: PlainPast['bars'][number], isHeld: boolean) => boolean,
): { shares: readonly number[] | null } {
  const wanted = bars.map((own, asset) => isWanted(own, (shares[asset] ?? 0) > 0))
  const isNew = wanted.map((wants, asset) => wants && shares[asset] === 0)
  if (!wanted.some((wants, asset) => wants !== (shares[asset] ?? 0) > 0)) return { shares: null }
  const staying = shares.reduce((sum, share, asset) => sum + (wanted[asset] ? share : 0), 0)
  const entering = isNew.filter(Boolean).length
  const slot = Math.min(1 / shares.length, (1 - staying) / entering)
  return { shares: shares.map((share, asset) => (isNew[asset] ? slot : wanted[asset] ? share : 0)) }
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length
}
