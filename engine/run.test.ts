import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { DAY_MS } from '../src/time.ts'
import { randomRuns } from '../test/random.ts'
import { anyMarket, chances, daily, flat, marketOf, walk } from '../test/support/engine/markets.ts'
import { type Line, scripted } from '../test/support/engine/scripted.ts'
import { CATALOGUE } from './catalogue.ts'
import { newBook, settle } from './execution.ts'
import { buildMarket } from './market/align.ts'
import { type Market, MarketError, takeExcerpt } from './market/market.ts'
import { isPausedAt, type Run, type RunOptions, run, Standing } from './run.ts'
import { STRATEGIES } from './strategies/registry.ts'
import type { Strategy } from './strategy.ts'

const FREE = { feeBasisPoints: 0, slippageBasisPoints: 0 }
const COSTS = { feeBasisPoints: 25, slippageBasisPoints: 10 }

function follow(market: Market, script: Record<number, Line>, options: Partial<RunOptions> = {}): Run {
  return run(market, scripted(script), {}, { startingCash: 1_000, costs: FREE, ...options })
}

describe('a run that goes on', () => {
  /** The last bar has only opened. */
  const opened = (market: Market): Market => ({
    ...market,
    candles: market.candles.map((columns) => {
      const last = columns.open.length - 1
      const flatAtTheEnd = (column: Float64Array) => column.with(last, columns.open[last] ?? Number.NaN)
      const { high, low, close } = columns
      return { ...columns, high: flatAtTheEnd(high), low: flatAtTheEnd(low), close: flatAtTheEnd(close) }
    }),
  })

  it.each(CATALOGUE.map(({ slug, definition }) => ({ slug, definition })))(
    'equals a run from the first bar: $slug',
    ({ definition: { kind, values, assets, costs, risk } }) => {
      const market = marketOf(...assets.map((_, asset) => walk(420, asset + 3, 0.0004, 0.05)))
      const options = { startingCash: 100, costs, risk, from: 330 }
      const standing = new Standing()
      // Some days come together, some are asked for twice, and once an earlier market is asked for.
      for (const bars of [
        340,
        341,
        341,
        342,
        350,
        351,
        345,
        352,
        ...Array.from({ length: 60 }, (_, n) => 360 + n),
      ])
        for (const days of [opened(takeExcerpt(market, 0, bars)), takeExcerpt(market, 0, bars)]) {
          const fresh = run(days, STRATEGIES[kind], values, options)
          expect(run(days, STRATEGIES[kind], values, { ...options, standing })).toEqual(fresh)
        }
    },
  )

  it('equals it with a kill switch at its last bar, and after a stop', () => {
    const market = marketOf(walk(60, 5, -0.02))
    const options = {
      startingCash: 100,
      costs: COSTS,
      risk: { maximumDrawdown: 0.1, dailyTurnover: 0.3 },
      killAt: 50,
    }
    const standing = new Standing()
    for (let bars = 10; bars <= 60; bars++) {
      const days = takeExcerpt(market, 0, bars)
      const strategy = scripted({ 2: { weights: [1] }, 20: { weights: [0.5] } })
      const alone = run(days, strategy, {}, options)
      expect(run(days, strategy, {}, { ...options, standing })).toEqual(alone)
    }
  })
})

describe('a run worked by hand', () => {
  const market = marketOf([
    [100, 104, 99, 102],
    [100, 112, 98, 110],
    [110, 121, 108, 120],
    [130, 131, 88, 100],
    [105, 106, 100, 101],
  ])

  it('trades the signals of a close at the next open, values at closes, and counts each cost', () => {
    // 1 % fee, 2 % slippage; 1,030.20 buys 10 units at 102, with a fee of 10.20.
    const costs = { feeBasisPoints: 100, slippageBasisPoints: 200 }
    const result = follow(
      market,
      { 0: { weights: [1] }, 2: { weights: [0] } },
      { startingCash: 1_030.2, costs },
    )
    expect(result.from).toBe(1)
    // Closes of 110 and 120, times 10. Then the sale at the open of 130: 10 × 127.40 = 1,274, less 12.74.
    expectClose(result.equity, [1_100, 1_200, 1_261.26, 1_261.26])
    expectClose(result.exposure, [1, 1, 0, 0])
    expectClose(result.traded, [1_020, 0, 1_274, 0])
    expect(result.fills).toMatchObject([
      { bar: 1, asset: 0, side: 'buy', price: 102, reason: 'target' },
      { bar: 3, asset: 0, side: 'sell', price: 130 * 0.98, reason: 'target' },
    ])
    // 10 × (102 − 100) and 10 × (130 − 127.40).
    expect(result.slippage).toBeCloseTo(20 + 26, 9)
    expect(result.fees).toBeCloseTo(10.2 + 12.74, 9)
    expect(result.trades).toHaveLength(1)
    expect(result.trades[0]).toMatchObject({ asset: 0, openedBar: 1, closedBar: 3 })
    expect(result.trades[0]?.cost).toBeCloseTo(1_030.2, 9)
    expect(result.trades[0]?.proceeds).toBeCloseTo(1_261.26, 9)
    expect(result.stopped).toBeNull()
    expect([...result.time]).toEqual([...market.time.slice(1)])
  })

  it('sells at a stop within the bar in which it bought, too', () => {
    const result = follow(market, { 2: { weights: [1], stop: [90] } })
    // Bought at 130, the low of 88 is below 90: 1,000 × 90 / 130.
    expectClose(result.equity, [1_000, 1_000, (1_000 * 90) / 130, (1_000 * 90) / 130])
    expect(result.fills.map(({ bar, side, reason }) => [bar, side, reason])).toEqual([
      [3, 'buy', 'target'],
      [3, 'sell', 'stop'],
    ])
  })

  it('keeps a stop while there is a position, whether or not the strategy trades, and clears it with the position', () => {
    const script = { 0: { weights: [1], stop: [99] }, 3: { weights: [1] } }
    const result = follow(market, script)
    // The low of 98 in bar 1 sells at 99 what was bought at 100; bought again at 105, the low of 100 sells nothing any more.
    expectClose(result.equity, [990, 990, 990, (990 * 101) / 105])
    expect(result.fills.map(({ reason }) => reason)).toEqual(['target', 'stop', 'target'])
  })

  it('takes a profit at its target', () => {
    const result = follow(market, { 0: { weights: [1], takeProfit: [119] } })
    expectClose(result.equity, [1_100, 1_190, 1_190, 1_190])
    expect(result.fills[1]).toMatchObject({ bar: 2, price: 119, reason: 'take-profit' })
  })

  it('sells at an open that has jumped over the target or fallen under the stop', () => {
    const jumped = follow(market, { 0: { weights: [1] }, 2: { takeProfit: [125], stop: [50] } })
    expect(jumped.fills[1]).toMatchObject({ bar: 3, price: 130, reason: 'take-profit' })
    const fallen = follow(marketOf([flat(100), flat(100), flat(60)]), { 0: { weights: [1], stop: [90] } })
    expect(fallen.fills[1]).toMatchObject({ bar: 2, price: 60, reason: 'stop' })
  })

  it('keeps its holdings while the strategy has no signal', () => {
    const result = follow(market, { 0: { weights: [0.5] } })
    // 5 units of 100 and 500 in cash.
    expectClose(result.equity, [1_050, 1_100, 1_000, 1_005])
    expect(result.exposure[0]).toBeCloseTo(550 / 1_050, 12)
    expect(result.trades).toEqual([{ asset: 0, openedBar: 1, closedBar: null, cost: 500, proceeds: 505 }])
  })

  it('counts purchases and sales as one trade until everything is sold', () => {
    const script = { 0: { weights: [0.5] }, 1: { weights: [1] }, 2: { weights: [0.5] }, 3: { weights: [0] } }
    const result = follow(market, script)
    // Bought 5 at 100, then for 500 more at 110 (bar 2); half sold at 130, the rest at 105.
    const units = 5 + 500 / 110
    expect(result.trades).toHaveLength(1)
    expect(result.trades[0]?.cost).toBeCloseTo(1_000, 9)
    expect(result.trades[0]?.proceeds).toBeCloseTo((units / 2) * 130 + (units / 2) * 105, 9)
    expect(result.trades[0]).toMatchObject({ openedBar: 1, closedBar: 4 })
  })
})

describe('risk rules', () => {
  it('the drawdown rule counts from the starting capital on, sells at the next open and ends all trading', () => {
    const market = marketOf([flat(100), [100, 100, 80, 80], flat(90), flat(200)])
    const result = follow(
      market,
      { 0: { weights: [1] }, 1: { weights: [1] }, 2: { weights: [1] } },
      { risk: { maximumDrawdown: 0.2 } },
    )
    // 800 is 20 % under the 1,000 that it began with; sold at 90.
    expectClose(result.equity, [800, 900, 900])
    expect(result.stopped).toEqual({ bar: 1, by: 'maximumDrawdown' })
    expect(result.fills.at(-1)).toMatchObject({ bar: 2, reason: 'risk' })
  })

  it('the drawdown rule waits until a close is that far below the highest', () => {
    const later = follow(
      marketOf([flat(100), flat(100), flat(200), flat(161), flat(160), flat(50)]),
      {
        0: { weights: [1] },
      },
      { risk: { maximumDrawdown: 0.2 } },
    )
    expect(later.stopped).toEqual({ bar: 4, by: 'maximumDrawdown' })
    expectClose(later.equity, [1_000, 2_000, 1_610, 1_600, 500])
  })

  it('a pause sells at the next open, waits its days, and then trades when the strategy says so', () => {
    const prices = [100, 100, 79, 90, 90, 200, 200, 200, 220, 175, 175, 175]
    const asked: number[] = []
    const eager: Strategy = {
      parameters: {},
      warmUp: () => 1,
      start: () => ({
        onClose(bar, view, intent) {
          asked.push(bar.index)
          intent.weights[0] = 1
          return view.weights[0] === 0
        },
      }),
    }
    const result = run(
      marketOf(prices.map(flat)),
      eager,
      {},
      {
        startingCash: 1_000,
        costs: FREE,
        risk: { maximumDrawdown: 0.2, pauseDays: 3 },
      },
    )
    // Below its limit at bar 2, sold at 90. From bar 5 on it may buy, and does at bar 6; at bar 9 it is a fifth below its new peak.
    expect(result.fills.map(({ bar, side, reason }) => `${bar} ${side} ${reason}`)).toEqual([
      '1 buy target',
      '3 sell risk',
      '6 buy target',
      '10 sell risk',
    ])
    expectClose(result.equity, [1_000, 790, 900, 900, 900, 900, 900, 990, 787.5, 787.5, 787.5])
    expect(result.pauses).toEqual([
      { from: 2, until: 5 },
      { from: 9, until: null },
    ])
    expect(result.stopped).toBeNull()
    expect([1, 2, 3, 4, 5, 9, 10].map((bar) => isPausedAt(result, bar))).toEqual([
      ...[false, true, true, true, false, true, true],
    ])
    expect(asked).toEqual(prices.map((_, bar) => bar))
  })

  it('a pause does not end before everything is sold', () => {
    const market = marketOf([100, 100, 70, 70, 70, 70, 70].map(flat))
    for (const column of ['open', 'high', 'low', 'close'] as const)
      market.candles[0]?.[column].fill(Number.NaN, 3, 6)
    const script = Object.fromEntries([0, 1, 2, 3, 4, 5, 6].map((bar) => [bar, { weights: [1] }]))
    const result = follow(market, script, { risk: { maximumDrawdown: 0.2, pauseDays: 2 } })
    expect(result.fills.map(({ bar, side }) => `${bar} ${side}`)).toEqual(['1 buy', '6 sell'])
    expect(result.pauses).toEqual([{ from: 2, until: 6 }])
  })

  it('the kill switch sells all at the next open and ends all trading', () => {
    const market = marketOf([flat(100), flat(110), flat(120), flat(60)])
    const script = { 0: { weights: [1] }, 1: { weights: [1] }, 2: { weights: [1] } }
    const result = follow(market, script, { killAt: 1 })
    expectClose(result.equity, [1_000, (1_000 * 120) / 110, (1_000 * 120) / 110])
    expect(result.stopped).toEqual({ bar: 1, by: 'killSwitch' })
    expect(result.fills.map(({ bar, reason }) => [bar, reason])).toEqual([
      [1, 'target'],
      [2, 'risk'],
    ])
    const before = follow(market, script, { killAt: 0 })
    expect(before.fills).toEqual([])
    expectClose(before.equity, [1_000, 1_000, 1_000])
  })

  it('no more is traded within a UTC day than the rule allows', () => {
    // Four bars of six hours each are a day.
    const bars = daily(
      Array.from({ length: 12 }, () => flat(10)),
      DAY_MS / 4,
    )
    const market = buildMarket([{ asset: 'a', candles: bars }], DAY_MS / 4)
    const script = Object.fromEntries(
      Array.from({ length: 12 }, (_, bar) => [bar, { weights: [bar % 2 === 0 ? 1 : 0] }]),
    )
    const result = follow(market, script, { risk: { dailyTurnover: 1.5 } })
    // Each day 1,500. The first has the purchase and half the sale; the second the other half and a purchase; the third a sale
    // and half a purchase.
    expectClose(result.traded, [1_000, 500, 0, 500, 1_000, 0, 0, 1_000, 500, 0, 0])
  })

  it('a stop sells even if the day’s limit is used up', () => {
    const market = marketOf([flat(10), [10, 10, 5, 5]])
    const result = follow(market, { 0: { weights: [1], stop: [8] } }, { risk: { dailyTurnover: 1 } })
    expectClose(result.traded, [1_800])
  })
})

describe('in closed form', () => {
  it('only costs are lost if the price never moves', () => {
    const market = marketOf(Array.from({ length: 41 }, () => flat(50)))
    const script = Object.fromEntries(
      Array.from({ length: 40 }, (_, bar) => [bar, { weights: [bar % 2 === 0 ? 1 : 0] }]),
    )
    for (const costMultiple of [0, 1, 2, 3]) {
      const result = follow(market, script, { costs: COSTS, costMultiple })
      const fee = 0.0025 * costMultiple
      const slippage = 0.001 * costMultiple
      const roundTrip = ((1 - slippage) * (1 - fee)) / ((1 + slippage) * (1 + fee))
      expectRelative(result.equity.at(-1), 1_000 * roundTrip ** 20)
      expect(result.trades).toHaveLength(20)
      expectRelative(1_000 - result.fees - result.slippage, result.equity.at(-1) ?? 0)
    }
  })

  it('a holding grows as its price does', () => {
    const growth = 1.002
    const bars = Array.from({ length: 500 }, (_, bar): [number, number, number, number] => {
      const open = 100 * growth ** bar
      return [open, open * growth, open, open * growth]
    })
    const { equity, exposure } = follow(marketOf(bars), { 9: { weights: [1] } }, { from: 10 })
    equity.forEach((value, day) => {
      expectRelative(value, 1_000 * growth ** (day + 1))
    })
    expect(exposure.every((share) => Math.abs(share - 1) < 1e-12)).toBe(true)
  })

  it('without costs a book rebalanced on every bar grows by the mean of its assets', () => {
    const assets = [11, 12, 13].map((seed) =>
      walk(300, seed).reduce<[number, number, number, number][]>((bars, [, , , close]) => {
        const open = bars.at(-1)?.[3] ?? close
        bars.push([open, Math.max(open, close), Math.min(open, close), close])
        return bars
      }, []),
    )
    const thirds = { weights: [1 / 3, 1 / 3, 1 / 3] }
    const script = Object.fromEntries(Array.from({ length: 300 }, (_, bar) => [bar, thirds]))
    const { equity } = follow(marketOf(...assets), script)
    let expected = 1_000
    equity.forEach((value, day) => {
      const growths = assets.map((bars) => (bars[day + 1]?.[3] ?? 0) / (bars[day + 1]?.[0] ?? 1))
      expected *= growths.reduce((sum, growth) => sum + growth, 0) / 3
      expectRelative(value, expected)
    })
  })
})

describe('the start of a run', () => {
  const market = marketOf(walk(30, 5))

  it('is after the warm-up, at the open after its last close, and never at the very first open', () => {
    const always = Object.fromEntries(Array.from({ length: 30 }, (_, bar) => [bar, { weights: [1] }]))
    const options = { startingCash: 1_000, costs: COSTS }
    expect(run(market, scripted(always, 0), {}, options).from).toBe(1)
    const result = run(market, scripted(always, 12), {}, options)
    expect(result.from).toBe(12)
    expect(result.equity).toHaveLength(18)
    expect(result.fills[0]?.bar).toBe(12)
    expect(run(market, scripted(always, 12), {}, { ...options, from: 20 }).fills[0]?.bar).toBe(20)
    expect(run(market, scripted(always, 12), {}, { ...options, from: 3 }).from).toBe(12)
  })

  it('must lie within the market', () => {
    const options = { startingCash: 1_000, costs: COSTS }
    expect(() => run(market, scripted({}, 30), {}, options)).toThrow(MarketError)
    expect(run(market, scripted({}, 29), {}, options).equity).toHaveLength(1)
  })
})

/** Trades pseudo-randomly, by a hash of all earlier bars, so the same past gives the same trades. */
function moody(seed: number): Strategy {
  return {
    parameters: {},
    warmUp: () => 1,
    start: (_values, assets) => {
      let memory = seed
      return {
        onClose(bar, book, intent) {
          for (let asset = 0; asset < assets; asset++) {
            const seen = (bar.close[asset] ?? 0) * 1e6 + (bar.low[asset] ?? 0) * 1e3 + (bar.high[asset] ?? 0)
            memory = (Math.imul(memory ^ Math.floor(seen), 2_654_435_761) + bar.index) | 0
          }
          memory = (memory + Math.floor(book.equity * 1e3) + Math.floor((book.weights[0] ?? 0) * 1e6)) | 0
          const random = chances(memory)
          const raw = Array.from({ length: assets }, () => (random() < 0.3 ? 0 : random()))
          const invested =
            random() /
            Math.max(
              1e-9,
              raw.reduce((sum, weight) => sum + weight, 0),
            )
          for (let asset = 0; asset < assets; asset++) {
            const close = bar.close[asset] ?? 0
            intent.weights[asset] = (raw[asset] ?? 0) * Math.min(invested, 1e3)
            intent.stop[asset] = random() < 0.5 ? Number.NaN : close * (0.8 + 0.25 * random())
            intent.takeProfit[asset] = random() < 0.5 ? Number.NaN : close * (0.95 + 0.3 * random())
          }
          return random() < 0.6
        },
      }
    },
  }
}

describe('any strategy on any market', () => {
  const anyRun = fc.record({
    market: anyMarket,
    seed: fc.nat(),
    costMultiple: fc.constantFrom(0, 1, 3),
    maximumPosition: fc.constantFrom(undefined, 0.4),
    maximumDrawdown: fc.constantFrom(undefined, 0.1),
    pauseDays: fc.constantFrom(undefined, 5),
    dailyTurnover: fc.constantFrom(undefined, 0.5),
  })
  const optionsOf = (risk: typeof anyRun extends fc.Arbitrary<infer Given> ? Given : never) => ({
    startingCash: 1_000,
    costs: COSTS,
    costMultiple: risk.costMultiple,
    risk,
  })

  it('the book follows from its fills: cash never below 0, equity is cash and holdings, at most everything is invested', () => {
    fc.assert(
      fc.property(anyRun, (given) => {
        const { market } = given
        const result = run(market, moody(given.seed), {}, optionsOf(given))
        const book = newBook(result.startingCash, market.assets.length)
        let next = 0
        for (let bar = result.from; bar < market.time.length; bar++) {
          for (; result.fills[next]?.bar === bar; next++) {
            const fill = result.fills[next]
            if (!fill) break
            const cashBefore = book.cash
            if (fill.side === 'buy') {
              expect(fill.quantity * fill.price + fill.fee).toBeLessThanOrEqual(cashBefore * (1 + 1e-12))
            } else {
              expect(fill.quantity).toBeLessThanOrEqual(book.quantity[fill.asset] ?? 0)
            }
            settle(book, fill)
          }
          const invested = market.candles.reduce(
            (sum, { close }, asset) => sum + (book.quantity[asset] ?? 0) * (close[bar] ?? 0),
            0,
          )
          const at = bar - result.from
          expectRelative(result.equity[at], book.cash + invested)
          expect(result.exposure[at]).toBeCloseTo(invested / (book.cash + invested), 12)
          expect(result.exposure[at]).toBeLessThanOrEqual(1 + 1e-12)
        }
        expect(next).toBe(result.fills.length)
        expectRelative(
          result.fees,
          result.fills.reduce((sum, { fee }) => sum + fee, 0),
        )
        const earned = result.trades.reduce((sum, { cost, proceeds }) => sum + proceeds - cost, 0)
        expectRelative(result.equity.at(-1), result.startingCash + earned)
      }),
      randomRuns(300),
    )
  })

  it('ends with the value of its fills at the expected prices, less fees and slippage', () => {
    fc.assert(
      fc.property(anyRun, (given) => {
        const result = run(given.market, moody(given.seed), {}, optionsOf(given))
        const atPricesSeen = result.fills.reduce(
          (sum, { side, quantity, price, slippage }) =>
            sum + (side === 'buy' ? -quantity * price + slippage : quantity * price + slippage),
          result.startingCash,
        )
        const held = result.fills.reduce(
          (units, { asset, side, quantity }) => {
            units[asset] = (units[asset] ?? 0) + (side === 'buy' ? quantity : -quantity)
            return units
          },
          given.market.assets.map(() => 0),
        )
        const worth = given.market.candles.reduce(
          (sum, { close }, asset) => sum + (held[asset] ?? 0) * (close.at(-1) ?? 0),
          0,
        )
        expectRelative(result.equity.at(-1), atPricesSeen + worth - result.fees - result.slippage)
      }),
      randomRuns(200),
    )
  })

  it('changed later prices change no earlier result', () => {
    fc.assert(
      fc.property(anyRun, fc.nat(), fc.double({ min: 0.01, max: 100, noNaN: true }), (given, cut, factor) => {
        const { market } = given
        const at = 2 + (cut % (market.time.length - 2))
        const corrupted = {
          ...market,
          candles: market.candles.map((candles) => ({
            ...candles,
            open: candles.open.map((price, bar) => (bar < at ? price : price * factor)),
            high: candles.high.map((price, bar) => (bar < at ? price : price * factor * 2)),
            low: candles.low.map((price, bar) => (bar < at ? price : price * factor * 0.5)),
            close: candles.close.map((price, bar) => (bar < at ? price : price * factor)),
          })),
        }
        const options = optionsOf(given)
        const whole = run(market, moody(given.seed), {}, options)
        const other = run(corrupted, moody(given.seed), {}, options)
        const prefix = run(takeExcerpt(market, 0, at), moody(given.seed), {}, options)
        const days = at - whole.from
        for (const result of [other, prefix]) {
          expect(result.equity.slice(0, days)).toEqual(whole.equity.slice(0, days))
          expect(result.exposure.slice(0, days)).toEqual(whole.exposure.slice(0, days))
          expect(result.traded.slice(0, days)).toEqual(whole.traded.slice(0, days))
          expect(result.fills.filter(({ bar }) => bar < at)).toEqual(
            whole.fills.filter(({ bar }) => bar < at),
          )
        }
      }),
      randomRuns(200),
    )
  })
})

function expectClose(column: Float64Array, figures: readonly number[]): void {
  expect(column).toHaveLength(figures.length)
  figures.forEach((figure, place) => {
    expect(column[place]).toBeCloseTo(figure, 9)
  })
}

function expectRelative(figure: number | undefined, expected: number): void {
  expect(Math.abs((figure ?? Number.NaN) - expected)).toBeLessThanOrEqual(Math.abs(expected) * 1e-9 + 1e-12)
}
