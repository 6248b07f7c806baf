import { describe, expect, it } from 'vitest'
import { DAY_MS } from '../../src/time.ts'
import { daily, flat, type Ohlc } from '../../test/support/engine/markets.ts'
import { scripted } from '../../test/support/engine/scripted.ts'
import { runBacktest } from '../backtest/backtest.ts'
import type { Definition } from '../definition.ts'
import { toDayName } from '../metrics/dailyEquity.ts'
import { run } from '../run.ts'
import { buyAndHold } from '../strategies/buyAndHold.ts'
import type { NamedCandles } from './align.ts'
import { type Candles, type Market, MarketError } from './market.ts'
import { buildRealMarket } from './realMarket.ts'

const FREE = { startingCash: 1000, costs: { feeBasisPoints: 0, slippageBasisPoints: 0 } }
/** A volume of a million dollars a day at a price of 100. */
const LIQUID = 10_000

/** Days counted from 1 January 2024, with a bar for each price that is not null. */
function bars(asset: string, prices: readonly (number | null)[], volume = LIQUID): NamedCandles {
  const all = daily(prices.map((price) => flat(price ?? 1)))
  const isThere = (_: unknown, bar: number) => prices[bar] !== null
  const kept = Object.fromEntries(
    Object.entries(all).map(([name, column]) => [name, (column as Float64Array).filter(isThere)]),
  ) as unknown as Candles
  kept.volume.fill(volume)
  return { asset, candles: kept }
}

function days(count: number, price = 100): number[] {
  return Array.from({ length: count }, () => price)
}

/** A market as given, without waiting for liquidity. */
function marketOf(...assets: readonly (readonly (Ohlc | null)[])[]): Market {
  const candles = assets.map((own) => {
    const columns = daily(own.map((bar) => bar ?? flat(1)))
    own.forEach((bar, day) => {
      if (bar !== null) return
      for (const name of ['open', 'high', 'low', 'close', 'volume'] as const) columns[name][day] = Number.NaN
    })
    return columns
  })
  const time = candles[0]?.time ?? new Float64Array()
  return { intervalMs: DAY_MS, time, assets: assets.map((_, asset) => `asset-${asset}`), candles }
}

describe('a market of real bars', () => {
  it('begins after 30 whole, liquid days, with each asset from its own first one', () => {
    const [old, young] = [bars('old', days(80)), bars('young', [...days(20).map(() => null), ...days(60)])]
    const market = buildRealMarket([old, young], '2024-03-20')
    expect(toDayName((market.time[0] ?? 0) / DAY_MS)).toBe('2024-01-31')
    expect(market.time).toHaveLength(50)
    expect(market.candles[0]?.close.every((price) => price === 100)).toBe(true)
    expect(market.candles[1]?.close.indexOf(100)).toBe(20)
    expect(market.candles[1]?.close.subarray(0, 20).every(Number.isNaN)).toBe(true)
  })

  it('starts counting the 30 days again after a missing one', () => {
    const prices = days(80).map((price, day) => (day === 10 ? null : price))
    const { time } = buildRealMarket([bars('one', prices)], '2024-03-20')
    expect(toDayName((time[0] ?? 0) / DAY_MS)).toBe('2024-02-11')
  })

  it('keeps a missing day without inventing a bar', () => {
    const prices = days(80).map((price, day) => (day === 50 ? null : price))
    const { time, candles } = buildRealMarket([bars('one', prices)], '2024-03-20')
    const missing = time.indexOf(Date.UTC(2024, 0, 1) + 50 * DAY_MS)
    expect(
      Array.from(candles[0]?.close ?? []).flatMap((price, bar) => (Number.isNaN(price) ? [bar] : [])),
    ).toEqual([missing])
  })

  it('refuses an asset that is never liquid, a file that ends early, and contradictory bars', () => {
    expect(() => buildRealMarket([bars('thin', days(80), 1)], '2024-03-20')).toThrow(
      'thin is never liquid enough',
    )
    expect(() => buildRealMarket([bars('short', days(70))], '2024-03-20')).toThrow('short end before')
    const wrong = bars('wrong', days(80))
    wrong.candles.low[40] = 200
    expect(() => buildRealMarket([wrong], '2024-03-20')).toThrow(MarketError)
  })
})

describe('a day without a bar', () => {
  it('does not trade that asset, values it at its last close, and lets the order lapse', () => {
    const market = marketOf([flat(10), flat(10), null, flat(30), flat(30)])
    const always = scripted({ 0: { weights: [1] }, 1: { weights: [0] }, 2: { weights: [0] } })
    const result = run(market, always, {}, FREE)
    expect([...result.equity]).toEqual([1000, 1000, 3000, 3000])
    expect(result.fills.map(({ bar, side }) => `${bar} ${side}`)).toEqual(['1 buy', '3 sell'])
  })

  it('does not stop other assets from trading', () => {
    const market = marketOf([flat(10), null, flat(10)], [flat(5), flat(5), flat(5)])
    const result = run(market, scripted({ 0: { weights: [0.5, 0.5] } }), {}, FREE)
    expect(result.fills.map(({ bar, asset }) => `${bar} ${asset}`)).toEqual(['1 1'])
  })

  it('repeats a sale that ends trading until it is done', () => {
    const market = marketOf([flat(10), flat(10), flat(4), null, null, flat(6), flat(9)])
    const result = run(market, buyAndHold, {}, { ...FREE, risk: { maximumDrawdown: 0.5 } })
    expect(result.fills.map(({ bar, side, reason }) => `${bar} ${side} ${reason}`)).toEqual([
      '1 buy target',
      '5 sell risk',
    ])
    expect([...result.equity]).toEqual([1000, 400, 400, 400, 600, 600])
  })

  it('triggers no stop', () => {
    const market = marketOf([flat(10), flat(10), null, [10, 10, 2, 9]])
    const stopped = scripted({ 0: { weights: [1], stop: [5] } })
    const result = run(market, stopped, {}, FREE)
    expect(result.fills.map(({ bar, reason }) => `${bar} ${reason}`)).toEqual(['1 target', '3 stop'])
  })
})

describe('an asset that joins', () => {
  const market = marketOf(
    [flat(10), flat(10), flat(20), flat(20), flat(20)],
    [null, null, flat(5), flat(5), flat(10)],
  )

  it('is bought by holding at the next open, in equal parts with the others', () => {
    const result = run(market, buyAndHold, {}, FREE)
    expect(result.fills.map(({ bar, asset, side }) => `${bar} ${asset} ${side}`)).toEqual([
      '1 0 buy',
      '3 0 sell',
      '3 1 buy',
    ])
    expect([...result.equity]).toEqual([1000, 2000, 2000, 3000])
  })

  it('is reported as missing neither before it begins nor after', () => {
    const definition: Definition = {
      kind: 'buy-and-hold',
      values: {},
      assets: ['asset-0', 'asset-1'],
      costs: FREE.costs,
      risk: {},
    }
    expect(runBacktest(market, definition).missingDays).toEqual([])
    const gone = marketOf([flat(10), flat(10), null, flat(20), flat(20)])
    expect(runBacktest(gone, { ...definition, assets: ['asset-0'] }).missingDays).toEqual([
      { day: '2024-01-03', assets: ['asset-0'] },
    ])
  })
})
