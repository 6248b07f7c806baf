import { describe, expect, it } from 'vitest'
import { flat, marketOf, type Ohlc } from '../../test/support/engine/markets.ts'
import type { StrategyKind } from '../definition.ts'
import { type Run, run } from '../run.ts'
import type { Values } from '../strategy.ts'
import { STRATEGIES } from './registry.ts'

/** Runs a strategy on closes, without costs. Each bar opens at the previous close, so results can be computed by hand. */
function follow(kind: StrategyKind, values: Values, ...assets: readonly (readonly number[])[]): Run {
  return runOn(kind, values, ...assets.map(bars))
}

function bars(closes: readonly number[]): Ohlc[] {
  return closes.map((close, bar) => {
    const open = closes[bar - 1] ?? close
    return [open, Math.max(open, close), Math.min(open, close), close]
  })
}

function runOn(kind: StrategyKind, values: Values, ...assets: readonly (readonly Ohlc[])[]): Run {
  const costs = { feeBasisPoints: 0, slippageBasisPoints: 0 }
  return run(marketOf(...assets), STRATEGIES[kind], values, { startingCash: 1_000, costs })
}

/** The trades: `1 buy 0` means that the first asset is bought at the open of bar 1. */
function deals({ fills }: Run): string[] {
  return fills.map(({ bar, side, asset }) => `${bar} ${side} ${asset}`)
}

function expectShares(shares: Float64Array, expected: readonly number[]): void {
  expect(shares.length).toBe(expected.length)
  expected.forEach((share, place) => {
    expect(shares[place]).toBeCloseTo(share, 12)
  })
}

describe('buy and hold', () => {
  it('buys everything in equal parts at the first open after the first close, and nothing later', () => {
    const result = follow('buy-and-hold', {}, [10, 10, 20, 1, 5], [10, 10, 10, 10, 10])
    expect(deals(result)).toEqual(['1 buy 0', '1 buy 1'])
    expect([...result.equity]).toEqual([1_000, 1_500, 550, 750])
  })
})

describe('cost averaging', () => {
  it('moves its share every so many bars, until as much is invested as it may', () => {
    const values = { every: 2, share: 10, most: 25 }
    const result = follow('cost-averaging', values, [5, 5, 5, 5, 5, 5, 5, 5, 5])
    expect(deals(result)).toEqual(['1 buy 0', '3 buy 0', '5 buy 0'])
    expectShares(result.exposure, [0.1, 0.1, 0.2, 0.2, 0.25, 0.25, 0.25, 0.25])
  })

  it('buys more once a fall has reduced the invested share, and sells nothing after a rise', () => {
    const values = { every: 2, share: 20, most: 20 }
    // 200 of 1,000 invested become 100 of 900 at bar 2: bought up to a fifth. Then 180 become 360 of 1,080.
    const result = follow('cost-averaging', values, [10, 10, 5, 5, 10, 10, 10])
    expect(deals(result)).toEqual(['1 buy 0', '3 buy 0'])
    expectShares(result.exposure, [0.2, 1 / 9, 0.2, 1 / 3, 1 / 3, 1 / 3])
  })

  it('buys for the same amount each time, whatever its holdings are worth', () => {
    const result = follow('cost-averaging', { every: 2, share: 10, most: 80 }, [5, 5, 5, 10, 10, 10, 10])
    expect(result.fills.map(({ quantity, price }) => Math.round(quantity * price))).toEqual([100, 100, 100])
  })

  it('buys the same of each asset', () => {
    const result = follow('cost-averaging', { every: 9, share: 10, most: 80 }, [1, 1, 1], [40, 40, 40])
    expect(result.fills.map(({ quantity, price }) => quantity * price)).toEqual([50, 50])
  })
})

describe('the rebalanced basket', () => {
  it('does nothing while each asset is near its share, and rebalances all once one is not', () => {
    // 400 and 400 of 1,000. A rise by a fifth makes 480 of 1,080, 44.4 %: near. By three tenths 520 of 1,120, 46.4 %: away.
    const values = { invested: 80, band: 5 }
    const result = follow('rebalanced-basket', values, [10, 10, 12, 13, 13, 13], [10, 10, 10, 10, 10, 10])
    expect(deals(result)).toEqual(['1 buy 0', '1 buy 1', '4 sell 0', '4 buy 1'])
    expect(result.fills[2]?.quantity).toBeCloseTo((520 - 448) / 13, 12)
    expectShares(result.exposure.slice(3), [0.8, 0.8])
  })

  it('is bought although each share is smaller than the band', () => {
    const result = follow('rebalanced-basket', { invested: 10, band: 20 }, [1, 1, 1], [2, 2, 2])
    expect(deals(result)).toEqual(['1 buy 0', '1 buy 1'])
  })
})

describe('the trend by averages', () => {
  const values = { fast: 2, slow: 3 }

  it('holds from the open after the fast average is above the slow one until the open after it no longer is', () => {
    // At bar 3: 10.5 above 10⅓, bought at bar 4. At bar 5 11 and 11⅓, sold at bar 6. At bar 7 equal at 10: nothing.
    const closes = [10, 10, 10, 11, 12, 10, 10, 10, 10]
    expect(deals(follow('sma-trend', values, closes))).toEqual(['4 buy 0', '6 sell 0'])
  })

  it('keeps its holding when another asset joins, and gives the new one half', () => {
    const up = [10, 10, 11, 12, 13, 14, 15, 16]
    const later = [10, 10, 10, 10, 10, 10, 11, 12]
    const result = follow('sma-trend', values, up, later)
    expect(deals(result)).toEqual(['3 buy 0', '7 buy 1'])
    expect(result.fills[0]?.quantity).toBeCloseTo(500 / 11, 12)
    // 500 in cash are less than half of what it all is worth by then.
    expect(result.fills[1]?.quantity).toBeCloseTo(500 / 11, 12)
    expect(result.exposure.at(-1)).toBeCloseTo(1, 12)
  })
})

describe('the trend by breakouts', () => {
  const values = { entry: 3, exit: 2 }
  const breakout: Ohlc[] = [
    [10, 12, 9, 10],
    [10, 11, 9, 10],
    [10, 11, 8, 10],
    // It closes exactly at the highest of the last three: no breakout.
    [10, 12, 10, 12],
    [12, 13, 11, 13],
    [13, 14, 12, 13],
    // Below 12, the lower of the two lows before being 11: it closes at it.
    [13, 13, 11, 11],
    [11, 12, 10, 10.5],
    [10, 11, 9, 10],
  ]

  it('buys after a close above the highest high before, and sells after one below the lowest low before', () => {
    expect(deals(runOn('donchian-trend', values, breakout))).toEqual(['5 buy 0', '8 sell 0'])
  })

  it('compares no high or low with those of another venue: after a seam its channels begin anew', () => {
    const onSeam = (bar: number) => {
      const market = marketOf(breakout)
      const candles = market.candles.map((own) => ({ ...own, seams: [own.time[bar] ?? 0] }))
      const options = { startingCash: 1_000, costs: { feeBasisPoints: 0, slippageBasisPoints: 0 } }
      return deals(run({ ...market, candles }, STRATEGIES['donchian-trend'], values, options))
    }
    // At the breakout there are no three bars of the new venue. Later the low of bar 6 alone is no channel, so it keeps its holding.
    expect(onSeam(4)).toEqual([])
    expect(onSeam(6)).toEqual(['5 buy 0'])
    expect(onSeam(0)).toEqual(['5 buy 0', '8 sell 0'])
  })
})

describe('the rotation', () => {
  const values = { lookback: 2, top: 1, every: 2 }

  it('holds the assets with the largest gains at each ranking, and cash if none gained', () => {
    const one = [10, 10, 12, 12, 12, 12, 9, 9, 9, 9, 9]
    const two = [10, 10, 11, 14, 15, 15, 14, 14, 13, 13, 20]
    // Bar 2: 20 % and 10 %. Bar 4: 0 % and 36 %. Bar 6: −25 % and −7 %. Bar 8: 0 % and −7 %. What comes at bar 10 has no open.
    expect(deals(follow('momentum-rotation', values, one, two))).toEqual([
      '3 buy 0',
      '5 sell 0',
      '5 buy 1',
      '7 sell 1',
    ])
  })

  it('leaves a place empty in cash, and takes the first of two that gained the same', () => {
    const up = [10, 10, 11, 11, 11]
    const down = [10, 10, 9, 9, 9]
    const half = follow('momentum-rotation', { ...values, top: 2 }, up, down)
    expect(half.exposure[0]).toBeCloseTo(0.5, 12)
    expect(deals(follow('momentum-rotation', values, down, up, up))[0]).toBe('3 buy 1')
  })
})

describe('buying the dip', () => {
  const values = { rsi: 2, oversold: 30, bands: 3, width: 1, loss: 10 }
  // Nothing happens while it warms up. Then 90 lies below the lower band of 100, 101 and 90: 97 − √(74/3) = 92.03.
  const calm = Array.from({ length: 30 }, (_, bar) => (bar % 2 === 0 ? 100 : 101))
  const bought = calm.length + 1

  it('buys after a close below the lower band with a weak index, and sells after one at the middle band', () => {
    // 90, 92 and 94 have 92 in the middle.
    const result = follow('mean-reversion', values, [...calm, 90, 92, 94, 94])
    expect(deals(result)).toEqual([`${bought} buy 0`, `${bought + 2} sell 0`])
    expect(result.fills[1]?.reason).toBe('target')
  })

  it('is stopped at the loss limit below the close at which it decided, within the bar', () => {
    const result = runOn('mean-reversion', values, [
      ...[...calm, 90].map(flat),
      [89, 91, 85, 86],
      [86, 87, 80, 86],
      flat(86),
    ])
    expect(deals(result).slice(0, 2)).toEqual([`${bought} buy 0`, `${bought + 1} sell 0`])
    expect(result.fills[1]).toMatchObject({ reason: 'stop', price: 81 })
  })

  it('buys nothing if only one of both signals is present', () => {
    const strict = follow('mean-reversion', { ...values, oversold: 1 }, [...calm, 90, 92, 94, 94])
    const wide = follow('mean-reversion', { ...values, width: 3 }, [...calm, 90, 92, 94, 94])
    expect([...deals(strict), ...deals(wide)]).toEqual([])
  })
})

describe('the volatility target', () => {
  it('invests all while prices don’t swing, and the target’s part of it once they do', () => {
    const values = { days: 3, target: 30, band: 5 }
    // Returns of 0, 0, then ln 2: √365 · ln 2 / √3 is 765 % a year. 30 / 765 of the equity.
    const result = follow('volatility-target', values, [1, 1, 1, 1, 2, 2, 2])
    expect(deals(result)).toEqual(['4 buy 0', '5 sell 0'])
    expectShares(result.exposure, [
      1,
      0.3 / (Math.log(2) * Math.sqrt(365 / 3)),
      0.3 / (Math.log(2) * Math.sqrt(365 / 3)),
    ])
  })

  it('does nothing within its band', () => {
    const swinging = [100, 101, 99, 101, 99, 101, 99, 100, 99, 101, 99, 101]
    const often = follow('volatility-target', { days: 3, target: 20, band: 1 }, swinging)
    const seldom = follow('volatility-target', { days: 3, target: 20, band: 20 }, swinging)
    expect(seldom.fills.length).toBeGreaterThan(0)
    expect(seldom.fills.length).toBeLessThan(often.fills.length)
  })

  it('measures the assets together: opposite moves cancel out', () => {
    const values = { days: 3, target: 20, band: 5 }
    const one = [100, 110, 99, 108.9, 98.01, 107.811]
    const other = [100, 90, 99, 89.1, 98.01, 88.209]
    expect(follow('volatility-target', values, one, other).exposure[0]).toBeCloseTo(1, 9)
    expect(follow('volatility-target', values, one).exposure[0]).toBeLessThan(0.2)
  })
})
