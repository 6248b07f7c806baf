import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { DAY_MS } from '../../src/time.ts'
import { randomRuns } from '../../test/random.ts'
import { corrupted, follow, futureChangesNothing, prefixSaysTheSame } from '../../test/support/engine/bias.ts'
import { chances, marketOf, type Ohlc, walk } from '../../test/support/engine/markets.ts'
import type { Said } from '../../test/support/engine/recorded.ts'
import { defaultValues } from '../../test/support/engine/values.ts'
import { at } from '../at.ts'
import { STRATEGY_KINDS } from '../definition.ts'
import { type Market, takeExcerpt } from '../market/market.ts'
import { newIntent } from '../run.ts'
import type { ClosedBar, Strategy, Values } from '../strategy.ts'
import { STRATEGIES } from './registry.ts'

// Rules for every strategy. Each one in the registry is tested with its usual parameters and with the least and the most of each.

const BARS = 640
const FIRST_CUT = 430
const CUTS = [FIRST_CUT, 555]
const MARKETS: readonly Market[] = [
  marketOf(walk(BARS, 1, 0.0008, 0.04)),
  marketOf(walk(BARS, 2, 0, 0.05), walk(BARS, 3, 0.001, 0.03), walk(BARS, 4, -0.001, 0.06)),
]

/** As they come, then with the least and the most of each value. */
function edges(strategy: Strategy, usual: Values): Values[] {
  return [
    usual,
    ...Object.entries(strategy.parameters).flatMap(([name, { least, most }]) => [
      { ...usual, [name]: least },
      { ...usual, [name]: most },
    ]),
  ]
}

describe.each(STRATEGY_KINDS)('%s', { timeout: 30_000 }, (kind) => {
  const strategy = STRATEGIES[kind]
  const usual = defaultValues(kind)
  const all = edges(strategy, usual)

  it('trades at all', () => {
    for (const market of MARKETS) {
      expect(follow(market, strategy, usual).result.fills.length).toBeGreaterThan(0)
    }
  })

  it('decides the same on the first part of the prices as on all of them', () => {
    for (const market of MARKETS) {
      for (const values of all) expect(prefixSaysTheSame(market, () => strategy, values, CUTS)).toBe(true)
    }
  })

  it('does not change when later prices change', () => {
    for (const market of MARKETS) {
      for (const values of all)
        expect(futureChangesNothing(market, () => strategy, values, FIRST_CUT)).toBe(true)
    }
  })

  it('says the same when it was shown more bars before its warm-up, so that its warm-up suffices', () => {
    for (const market of MARKETS) {
      for (const values of all) {
        const warmUp = strategy.warmUp(values)
        // A strategy that acts every n bars counts them from the first one, so it gets whole rounds.
        const earlier = (values.every ?? 1) * Math.ceil(150 / (values.every ?? 1))
        const late = takeExcerpt(market, earlier)
        const short = follow(late, strategy, values, warmUp)
        const long = follow(market, strategy, values, warmUp + earlier)
        expect([...long.result.equity]).toEqual([...short.result.equity])
        const heard = (said: readonly Said[], first: number) =>
          said.filter(({ bar }) => bar >= first).map(({ bar, ...line }) => ({ ...line, since: bar - first }))
        // Its decisions count from the last close before the first open at which it may trade.
        expect(heard(long.said, warmUp + earlier - 1)).toEqual(heard(short.said, warmUp - 1))
      }
    }
  })

  it('says the same each time, and in the midst of others', () => {
    const [market] = MARKETS
    if (market === undefined) throw new Error('There is a first market.')
    const one = follow(market, strategy, usual)
    follow(corrupted(market, 0, 10), strategy, usual)
    expect(follow(market, strategy, usual)).toEqual(one)
  })

  it('has weights of at least 0 and together at most 1, for any book and parameters', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...all),
        fc.integer({ min: 1, max: 8 }),
        fc.nat(),
        fc.constantFrom(0.01, 0.1, 0.6),
        (values, assets, seed, spread) => {
          const random = chances(seed)
          const bars = strategy.warmUp(values) + 30
          const walks = Array.from({ length: assets }, (_, asset) => walk(bars, seed + asset, 0, spread))
          const signals = strategy.start(values, assets)
          const intent = newIntent(assets)
          for (let index = 0; index < bars; index++) {
            const prices = (place: number) => Float64Array.from(walks, (bar) => bar[index]?.[place] ?? 0)
            const raw = Float64Array.from(walks, () => Math.max(0, random() - 0.4))
            const all = raw.reduce((sum, weight) => sum + weight, 0)
            const kept = random() < 0.2 ? 0 : random() < 0.5 ? 1 : random()
            const wants = signals.onClose(
              {
                index,
                time: index * DAY_MS,
                hasBar: new Uint8Array(assets).fill(1),
                isSeam: new Uint8Array(assets),
                hasJoined: new Uint8Array(assets).fill(index + 1 >= strategy.warmUp(values) ? 1 : 0),
                open: prices(0),
                high: prices(1),
                low: prices(2),
                close: prices(3),
                volume: prices(0),
              },
              {
                equity: 1_000,
                peak: 1_200,
                weights: raw.map((weight) => (all > 0 ? (weight * kept) / all : 0)),
              },
              intent,
            )
            if (!wants) continue
            expect(intent.weights.every((weight) => weight >= 0)).toBe(true)
            expect(intent.weights.reduce((sum, weight) => sum + weight, 0)).toBeLessThanOrEqual(1 + 1e-12)
          }
        },
      ),
      randomRuns(60),
    )
  })

  it('follows one asset up to eight, with the least and the most of each value', () => {
    for (let assets = 1; assets <= 8; assets++) {
      const walks = Array.from({ length: assets }, (_, asset) => walk(BARS, 20 + asset, 0.0003, 0.05))
      for (const values of all) {
        const { result } = follow(marketOf(...walks), strategy, values)
        expect(result.equity.every((equity) => equity > 0 && Number.isFinite(equity))).toBe(true)
        expect(result.exposure.every((share) => share >= 0 && share < 1 + 1e-9)).toBe(true)
      }
    }
  })

  it('comes through a crash to near zero, and through prices that never move', () => {
    const still: Ohlc[] = Array.from({ length: BARS }, () => [7, 7, 7, 7])
    for (const values of all) {
      for (const market of [
        marketOf(crash(1e-9)),
        marketOf(crash(1e-9), crash(1e-3)),
        marketOf(crash(1e-6), still, walk(BARS, 9)),
        marketOf(still),
      ]) {
        const { result, said } = follow(market, strategy, values)
        expect(result.equity.every((equity) => equity >= 0 && Number.isFinite(equity))).toBe(true)
        expect(said.every(({ weights }) => weights === null || weights.every(Number.isFinite))).toBe(true)
      }
    }
  })
})

describe('these tests', () => {
  const market = marketOf(walk(BARS, 5))
  const buys = (isUp: (index: number, close: number) => boolean): Strategy => ({
    parameters: {},
    warmUp: () => 1,
    start: () => ({
      onClose(bar, book, intent) {
        const holds = isUp(bar.index, at(bar.close, 0))
        if (holds === at(book.weights, 0) > 0) return false
        intent.weights[0] = holds ? 1 : 0
        return true
      },
    }),
  })

  it('find a strategy that looks at the next bar', () => {
    const seeing = (shown: Market) => {
      const close = shown.candles[0]?.close ?? new Float64Array()
      return buys((index, now) => (close[index + 1] ?? 0) > now)
    }
    expect(prefixSaysTheSame(market, seeing, {}, CUTS)).toBe(false)
    expect(futureChangesNothing(market, seeing, {}, FIRST_CUT)).toBe(false)
  })

  it('detect a strategy that keeps a bar to read it later', () => {
    const kept: ClosedBar[] = []
    const keeping = buys((_, close) => close > at(kept.at(-1)?.close ?? new Float64Array(1), 0))
    const start: Strategy['start'] = (values, assets) => {
      const signals = keeping.start(values, assets)
      return {
        onClose(bar, book, intent) {
          const wants = signals.onClose(bar, book, intent)
          kept.push(bar)
          return wants
        },
      }
    }
    const { said } = follow(market, { ...keeping, start }, {})
    // After the first bar it compares with nothing, and never buys again.
    expect(said.slice(2).every(({ weights }) => weights === null)).toBe(true)
  })

  it('find a strategy whose warm-up is too short', () => {
    let highest = 0
    const remembering: Strategy = {
      ...buys((_, close) => {
        highest = Math.max(highest, close)
        return close === highest
      }),
    }
    const short = follow(takeExcerpt(market, 300), remembering, {}, 1)
    highest = 0
    const long = follow(market, remembering, {}, 301)
    expect([...long.result.equity]).not.toEqual([...short.result.equity])
  })
})

/** A quiet half, then a fall to this share of the price within a month, without a recovery. */
function crash(to: number): Ohlc[] {
  const quiet = walk(BARS / 2, 6)
  const last = quiet.at(-1)?.[3] ?? 100
  const fallen = walk(BARS / 2, 7).map((bar, day): Ohlc => {
    const share = (last / 100) * to ** Math.min(1, (day + 1) / 30)
    const [open, high, low, close] = bar
    return [open * share, high * share, low * share, close * share]
  })
  return [...quiet, ...fallen]
}
