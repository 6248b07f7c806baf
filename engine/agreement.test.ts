import { describe, expect, it } from 'vitest'
import { marketOf, type Ohlc } from '../test/support/engine/markets.ts'
import {
  plainRun,
  type ReferencePast,
  type ReferenceResult,
  type ReferenceRules,
} from '../test/support/engine/referenceEngine.ts'
import { plainOf, series } from '../test/support/engine/series.ts'
import { maximumDrawdown } from './metrics/drawdown.ts'
import { type Run, run } from './run.ts'
import { STRATEGIES } from './strategies/registry.ts'
import type { Strategy } from './strategy.ts'

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

type Rule = Pick<ReferenceRules, 'warmUp' | 'wish'>

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

/** A part of what was there at first, again and again. */
function averaging(every: number, share: number, most: number): Rule {
  return {
    warmUp: 1,
    wish: ({ bars, worth, shares }) => {
      const held = sum(shares)
      const added = Math.min(((share / 100) * CASH) / worth, most / 100 - held)
      const isTime = ((bars[0]?.length ?? 0) - 1) % every === 0
      return { shares: isTime && added > 0 ? shares.map((one) => one + added / shares.length) : null }
    },
  }
}

function rotation(lookback: number, top: number, every: number): Rule {
  return {
    warmUp: lookback + 1,
    wish: ({ bars, shares }) => {
      const last = (bars[0]?.length ?? 0) - 1
      if (last < lookback || (last - lookback) % every !== 0) return { shares: null }
      const gains = bars.map((own) => (own[last]?.close ?? 0) / (own[last - lookback]?.close ?? 0))
      const ranked = gains.filter((gain) => gain > 1).sort((a, b) => b - a)
      const places = Math.min(top, bars.length)
      if (ranked.length === 0 && sum(shares) === 0) return { shares: null }
      return { shares: gains.map((gain) => (ranked.slice(0, places).includes(gain) ? 1 / places : 0)) }
    },
  }
}

function reversion({ rsi, oversold, bands, width, loss }: Record<string, number>): Rule {
  const [over = 0, below = 0, count = 0, wide = 0, limit = 0] = [rsi, oversold, bands, width, loss]
  return {
    warmUp: Math.max(10 * over + 1, count),
    wish: (past) => {
      const wish = inSlots(past, (bars, isHeld) => {
        const closes = bars.map(({ close }) => close)
        const close = closes.at(-1) ?? 0
        const last = closes.slice(-count)
        if (isHeld) return close < mean(last)
        return (
          closes.length >= count &&
          strength(closes, over) < below &&
          close < mean(last) - wide * spread(last, 0)
        )
      })
      const isNew = (asset: number) => (wish.shares?.[asset] ?? 0) > 0 && past.shares[asset] === 0
      const stops = past.bars.map((own, asset) =>
        isNew(asset) ? (own.at(-1)?.close ?? 0) * (1 - limit / 100) : null,
      )
      return { ...wish, stops }
    },
  }
}

/** Wilder's index, from all closes. */
function strength(closes: readonly number[], n: number): number {
  const changes = closes.slice(1).map((close, place) => close - (closes[place] ?? 0))
  if (changes.length < n) return Number.NaN
  const smoothed = (moves: readonly number[]) =>
    moves.slice(n).reduce((average, move) => (average * (n - 1) + move) / n, mean(moves.slice(0, n)))
  const rises = smoothed(changes.map((change) => Math.max(0, change)))
  const falls = smoothed(changes.map((change) => Math.max(0, -change)))
  return 100 - 100 / (1 + rises / falls)
}

function swings(days: number, target: number, band: number): Rule {
  return {
    warmUp: days + 1,
    wish: ({ bars, shares }) => {
      const length = bars[0]?.length ?? 0
      if (length <= days) return { shares: null }
      const grown = Array.from({ length: days }, (_, ago) =>
        mean(bars.map((own) => (own[length - 1 - ago]?.close ?? 0) / (own[length - 2 - ago]?.close ?? 0))),
      )
      const volatility = spread(grown.map(Math.log), 1) * Math.sqrt(365)
      const share = Math.min(1, target / 100 / volatility)
      const isAway = Math.abs(share - sum(shares)) > band / 100
      return { shares: isAway ? shares.map(() => share / shares.length) : null }
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

  it('for three assets of which some is bought again and again', () => {
    agree(basket, STRATEGIES['cost-averaging'], { every: 30, share: 5, most: 80 }, averaging(30, 5, 80), 30)
    agree(basket, STRATEGIES['cost-averaging'], { every: 7, share: 50, most: 60 }, averaging(7, 50, 60), 6)
  })

  it('for the strongest of three', () => {
    const { 'momentum-rotation': strongest } = STRATEGIES
    agree(basket, strongest, { lookback: 90, top: 2, every: 30 }, rotation(90, 2, 30), 50)
    agree(basket, strongest, { lookback: 10, top: 1, every: 7 }, rotation(10, 1, 7), 100)
  })

  it('for falls that are bought, with a limit on the loss', () => {
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

  it('for swings that are held near a target', () => {
    agree([google], STRATEGIES['volatility-target'], { days: 30, target: 20, band: 5 }, swings(30, 20, 5), 20)
    agree(basket, STRATEGIES['volatility-target'], { days: 10, target: 20, band: 1 }, swings(10, 20, 1), 3)
  })

  it('for a rule on the largest position', () => {
    const { 'donchian-trend': trend, 'momentum-rotation': strongest } = STRATEGIES
    const [small, large] = [{ largestPercent: 20 }, { largestPercent: 35 }]
    agree(basket, trend, { entry: 20, exit: 10 }, breakouts(20, 10), 50, small)
    agree(basket, strongest, { lookback: 90, top: 2, every: 30 }, rotation(90, 2, 30), 50, large)
  })

  it('for a fall that ends all trading', () => {
    const bars = basket.map((asset) => asset.slice().reverse())
    const result = agree(bars, STRATEGIES['buy-and-hold'], {}, hold, 4, { worstFallPercent: 12 })
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
  limits: Pick<ReferenceRules, 'worstFallPercent' | 'largestPercent'> = {},
): Run {
  const risk = {
    maximumDrawdown: limits.worstFallPercent && limits.worstFallPercent / 100,
    maximumPosition: limits.largestPercent && limits.largestPercent / 100,
  }
  const result = run(marketOf(...assets), strategy, values, { startingCash: CASH, costs: COSTS, risk })
  const plain: ReferenceResult = plainRun(plainOf(...assets), { ...PLAIN, ...rule, ...limits })
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
  { bars, shares }: ReferencePast,
  isWanted: (bars: ReferencePast['bars'][number], isHeld: boolean) => boolean,
): { shares: readonly number[] | null } {
  const wanted = bars.map((own, asset) => isWanted(own, (shares[asset] ?? 0) > 0))
  const isNew = wanted.map((wants, asset) => wants && shares[asset] === 0)
  if (!wanted.some((wants, asset) => wants !== (shares[asset] ?? 0) > 0)) return { shares: null }
  const staying = sum(shares.filter((_, asset) => wanted[asset]))
  const entering = isNew.filter(Boolean).length
  const slot = Math.min(1 / shares.length, (1 - staying) / entering)
  return { shares: shares.map((share, asset) => (isNew[asset] ? slot : wanted[asset] ? share : 0)) }
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0)
}

function mean(values: readonly number[]): number {
  return sum(values) / values.length
}

/** The deviation, divided by their number less `less`. */
function spread(values: readonly number[], less: number): number {
  const middle = mean(values)
  return Math.sqrt(sum(values.map((value) => (value - middle) ** 2)) / (values.length - less))
}
