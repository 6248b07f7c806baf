import { describe, expect, it } from 'vitest'
import { DAY_MS } from '../../src/time.ts'
import { daily, walk } from '../../test/support/engine/markets.ts'
import { buildMarket, type NamedCandles } from './align.ts'
import { type Candles, MarketError, type MarketFault, takeExcerpt } from './market.ts'

const BARS = 20
const good = () => daily(walk(BARS, 1))

function faultOf(named: readonly NamedCandles[], intervalMs = DAY_MS): MarketFault | 'none' {
  try {
    buildMarket(named, intervalMs)
    return 'none'
  } catch (error) {
    if (error instanceof MarketError) return error.fault
    throw error
  }
}

/** The error for bars with one changed value. */
function faultWith(
  column: Exclude<keyof Candles, 'seams'>,
  bar: number,
  value: number,
): MarketFault | 'none' {
  const candles = good()
  candles[column][bar] = value
  return faultOf([{ asset: 'a', candles }])
}

describe('a market', () => {
  it('is made of several assets over the same bars', () => {
    const [a, b] = [good(), daily(walk(BARS, 2))]
    const market = buildMarket(
      [
        { asset: 'a', candles: a },
        { asset: 'b', candles: b },
      ],
      DAY_MS,
    )
    expect(market).toEqual({ intervalMs: DAY_MS, time: a.time, assets: ['a', 'b'], candles: [a, b] })
  })

  it('needs assets, each of them once, with bars', () => {
    expect(faultOf([])).toBe('assets')
    expect(
      faultOf([
        { asset: 'a', candles: good() },
        { asset: 'a', candles: good() },
      ]),
    ).toBe('assets')
    expect(faultOf([{ asset: 'a', candles: daily([]) }])).toBe('empty')
  })

  it('is refused if columns differ in length or assets have different bars', () => {
    expect(faultOf([{ asset: 'a', candles: { ...good(), low: new Float64Array(BARS - 1) } }])).toBe('lengths')
    const shorter = daily(walk(BARS - 1, 1))
    const later = good()
    for (let bar = 0; bar < BARS; bar++) later.time[bar] = (later.time[bar] ?? 0) + DAY_MS
    for (const candles of [shorter, later]) {
      expect(
        faultOf([
          { asset: 'a', candles: good() },
          { asset: 'b', candles },
        ]),
      ).toBe('time')
    }
  })

  it('is refused if a bar is missing, repeated or out of order', () => {
    const time = good().time
    expect(faultWith('time', 7, (time[7] ?? 0) + 1)).toBe('gap')
    expect(faultWith('time', BARS - 1, (time[BARS - 1] ?? 0) + DAY_MS)).toBe('gap')
    expect(faultWith('time', 7, time[6] ?? 0)).toBe('time')
    expect(faultWith('time', 7, time[3] ?? 0)).toBe('time')
    expect(faultWith('time', 0, Number.NaN)).toBe('time')
    expect(faultWith('time', 0, 0.5)).toBe('time')
    expect(faultOf([{ asset: 'a', candles: good() }], 0)).toBe('time')
  })

  it('is refused if a price is invalid', () => {
    for (const column of ['open', 'high', 'low', 'close'] as const) {
      for (const price of [0, -1, Number.NaN, Number.POSITIVE_INFINITY]) {
        expect(faultWith(column, 5, price)).toBe('price')
      }
    }
  })

  it('is refused if a bar opens or closes outside its low and high', () => {
    expect(faultWith('high', 5, 1e-3)).toBe('range')
    expect(faultWith('low', 5, 1e6)).toBe('range')
    expect(faultWith('open', 5, 1e6)).toBe('range')
    expect(faultWith('close', 5, 1e-3)).toBe('range')
  })

  it('is refused if a volume is below 0 or missing', () => {
    expect(faultWith('volume', 5, 0)).toBe('none')
    expect(faultWith('volume', 5, -1)).toBe('volume')
    expect(faultWith('volume', 5, Number.NaN)).toBe('volume')
  })

  it('names the asset and the bar in the refusal', () => {
    const candles = good()
    candles.close[5] = Number.NaN
    expect(() => buildMarket([{ asset: 'sim-alder', candles }], DAY_MS)).toThrow(
      'sim-alder, bar 5: the price NaN is none.',
    )
  })

  it('can be cut to an excerpt that shares its columns', () => {
    const market = buildMarket([{ asset: 'a', candles: good() }], DAY_MS)
    const part = takeExcerpt(market, 5, 9)
    expect([...part.time]).toEqual([...market.time.slice(5, 9)])
    expect([...(part.candles[0]?.close ?? [])]).toEqual([...(market.candles[0]?.close.slice(5, 9) ?? [])])
    expect(part.time.buffer).toBe(market.time.buffer)
    expect(takeExcerpt(market, 5).time).toHaveLength(BARS - 5)
    expect(buildMarket([{ asset: 'a', candles: part.candles[0] ?? good() }], DAY_MS)).toEqual(part)
  })
})
