import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { randomRuns } from '../test/random.ts'
import {
  applyExits,
  computeEquity,
  type Deal,
  deriveTerms,
  fillToWeights,
  newBook,
  sellAll,
  sumTraded,
} from './execution.ts'

/** 1 % fee and 2 % slippage, to compute by hand. */
const COSTS = { feeBasisPoints: 100, slippageBasisPoints: 200 }
const terms = deriveTerms(COSTS, {})

function bookOf(cash: number, ...quantity: number[]) {
  return { cash, quantity: Float64Array.from(quantity) }
}

const f = (...figures: number[]) => Float64Array.from(figures)
const only = (deals: readonly Deal[]) => {
  expect(deals).toHaveLength(1)
  return deals[0] as Deal
}

describe('filling to weights', () => {
  it('buys at a worse price and pays the fee on top', () => {
    const book = bookOf(10_000, 0)
    const deal = only(fillToWeights(book, f(100), f(0.5), terms))
    // Half of 10,000 is 50 units of 100. Each costs 102, that is 5,100, and 1 % of it is 51.
    expect(deal).toEqual({
      asset: 0,
      side: 'buy',
      quantity: 50,
      price: 102,
      fee: 51,
      slippage: 100,
      reason: 'target',
    })
    expect(book.cash).toBe(10_000 - 5_100 - 51)
    expect([...book.quantity]).toEqual([50])
  })

  it('buys less if the cash does not cover the costs', () => {
    const book = bookOf(10_302, 0)
    const deal = only(fillToWeights(book, f(100), f(1), terms))
    // 10,302 = 100 units × 102 × 1.01: the 3.02 units more that its value would be are not bought.
    expect(deal.quantity).toBeCloseTo(100, 9)
    expect(deal.fee).toBeCloseTo(102, 9)
    expect(deal.slippage).toBeCloseTo(200, 9)
    expect(book.cash).toBeCloseTo(0, 9)
    expect(book.cash).toBeGreaterThanOrEqual(0)
  })

  it('divides the cash among purchases in proportion, in any order', () => {
    const book = bookOf(10_302, 0, 0)
    fillToWeights(book, f(100, 50), f(0.25, 0.75), terms)
    // 10,000 can be bought: a quarter of it is 25 units of 100, three quarters are 150 of 50.
    expect(book.quantity[0]).toBeCloseTo(25, 9)
    expect(book.quantity[1]).toBeCloseTo(150, 9)
  })

  it('sells at a worse price and pays the fee out of the proceeds', () => {
    const book = bookOf(0, 100)
    const deal = only(fillToWeights(book, f(100), f(0.4), terms))
    // 60 of 100 units go for 98 each: 5,880, less 58.80.
    expect(deal).toMatchObject({ side: 'sell', price: 98, reason: 'target' })
    expect(deal.quantity).toBeCloseTo(60, 9)
    expect(deal.fee).toBeCloseTo(58.8, 9)
    expect(deal.slippage).toBeCloseTo(120, 9)
    expect(book.cash).toBeCloseTo(5_821.2, 9)
  })

  it('sells first, so that the proceeds buy', () => {
    const book = bookOf(0, 0, 100)
    const deals = fillToWeights(book, f(50, 100), f(1, 0), terms)
    expect(deals.map(({ asset, side }) => [asset, side])).toEqual([
      [1, 'sell'],
      [0, 'buy'],
    ])
    // 100 × 98 − 98 = 9,702 buys units that cost 50 × 1.02 × 1.01 = 51.51 each.
    expect(book.quantity[0]).toBeCloseTo(9_702 / 51.51, 9)
    expect(book.quantity[1]).toBe(0)
    expect(book.cash).toBeCloseTo(0, 9)
  })

  it('buys no asset above the limit, and does not sell one that grew above it', () => {
    const capped = deriveTerms({ feeBasisPoints: 0, slippageBasisPoints: 0 }, { maximumPosition: 0.3 })
    const book = bookOf(1_000, 0, 0)
    fillToWeights(book, f(10, 10), f(0.5, 0.2), capped)
    expect([...book.quantity]).toEqual([30, 20])
    // The first has doubled: 600 of 1,300 are 46 %, wanted are 50 %.
    expect(fillToWeights(book, f(20, 10), f(0.5, 200 / 1_300), capped)).toEqual([])
  })

  it('trades no more than the allowance, sales first', () => {
    const free = deriveTerms({ feeBasisPoints: 0, slippageBasisPoints: 0 }, {})
    const book = bookOf(0, 100, 0)
    const deals = fillToWeights(book, f(10, 10), f(0, 1), free, 1_200)
    expect(sumTraded(deals)).toBeCloseTo(1_200, 9)
    expect([...book.quantity]).toEqual([0, 20])
    expect(fillToWeights(bookOf(0, 100, 0), f(10, 10), f(0, 1), free, 0)).toEqual([])
    const half = bookOf(0, 100, 0)
    fillToWeights(half, f(10, 10), f(0, 1), free, 500)
    expect([...half.quantity]).toEqual([50, 0])
  })

  it('skips amounts that are only rounding, but sells the rest of an asset', () => {
    const book = bookOf(1e-9, 100, 1e-12)
    const deals = fillToWeights(book, f(100, 1), f(1, 0), terms)
    expect(deals).toMatchObject([{ asset: 1, side: 'sell', quantity: 1e-12 }])
    expect(book.quantity[1]).toBe(0)
  })

  it('refuses weights that are below 0, no numbers or more than all', () => {
    for (const weights of [f(-0.1, 0.5), f(Number.NaN, 0), f(0.6, 0.6)]) {
      expect(() => fillToWeights(bookOf(100, 0, 0), f(1, 1), weights, terms)).toThrow(RangeError)
    }
  })
})

describe('a stop', () => {
  const bar = (open: number, high: number, low: number) => ({ open: f(open), high: f(high), low: f(low) })
  const exits = (stop: number, takeProfit = Number.NaN) => ({ stop: f(stop), takeProfit: f(takeProfit) })

  it('sells at its price when the bar reaches it', () => {
    const book = bookOf(0, 10)
    const deal = only(applyExits(book, bar(100, 105, 90), exits(90), terms))
    // 90 less 2 % is 88.20; ten of them are 882, less 8.82.
    expect(deal).toMatchObject({ side: 'sell', quantity: 10, price: 88.2, reason: 'stop' })
    expect(book.cash).toBeCloseTo(873.18, 9)
    expect([...book.quantity]).toEqual([0])
  })

  it('sells at the open when the bar opens below it', () => {
    const deal = only(applyExits(bookOf(0, 10), bar(80, 105, 70), exits(90), terms))
    expect(deal.price).toBeCloseTo(78.4, 9)
  })

  it('counts before the profit target when the bar reaches both', () => {
    const deal = only(applyExits(bookOf(0, 10), bar(100, 120, 80), exits(90, 110), terms))
    expect(deal).toMatchObject({ price: 88.2, reason: 'stop' })
  })

  it('does nothing above its price, if it is not set, and without a holding', () => {
    expect(applyExits(bookOf(0, 10), bar(100, 105, 90.01), exits(90), terms)).toEqual([])
    expect(applyExits(bookOf(0, 10), bar(100, 105, 1), exits(Number.NaN), terms)).toEqual([])
    expect(applyExits(bookOf(100, 0), bar(100, 105, 1), exits(90, 101), terms)).toEqual([])
  })

  it('has a counterpart for profits, which sells at the open if the bar opens above it', () => {
    const reached = only(applyExits(bookOf(0, 10), bar(100, 110, 95), exits(90, 110), terms))
    expect(reached).toMatchObject({ reason: 'take-profit' })
    expect(reached.price).toBeCloseTo(107.8, 9)
    const jumped = only(applyExits(bookOf(0, 10), bar(120, 125, 95), exits(90, 110), terms))
    expect(jumped.price).toBeCloseTo(117.6, 9)
  })
})

describe('selling all', () => {
  it('leaves nothing but cash', () => {
    const book = bookOf(5, 10, 0, 2)
    const deals = sellAll(book, f(100, 7, 50), terms)
    expect(deals.map(({ asset, reason }) => [asset, reason])).toEqual([
      [0, 'risk'],
      [2, 'risk'],
    ])
    expect([...book.quantity]).toEqual([0, 0, 0])
    // The holding was worth 1,100: 98 % of it, less 1 % of that.
    expect(book.cash).toBeCloseTo(5 + 1_100 * 0.98 * 0.99, 9)
  })
})

describe('costs', () => {
  it('multiply fee and slippage alike', () => {
    expect(deriveTerms({ feeBasisPoints: 25, slippageBasisPoints: 10 }, {}, 3)).toMatchObject({
      fee: 0.0075,
      slippage: 0.003,
      maximumPosition: 1,
    })
  })
})

describe('for any trades', () => {
  const price = fc.double({ min: 1e-4, max: 1e6, noNaN: true })
  const trade = fc.integer({ min: 1, max: 5 }).chain((assets) =>
    fc.record({
      cash: fc.double({ min: 1e-2, max: 1e9, noNaN: true }),
      quantity: fc.array(fc.oneof(fc.constant(0), fc.double({ min: 1e-8, max: 1e6, noNaN: true })), {
        minLength: assets,
        maxLength: assets,
      }),
      prices: fc.array(price, { minLength: assets, maxLength: assets }),
      raw: fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { minLength: assets, maxLength: assets }),
      invested: fc.double({ min: 0, max: 1, noNaN: true }),
      feeBasisPoints: fc.constantFrom(0, 25, 75, 500),
      slippageBasisPoints: fc.constantFrom(0, 10, 30, 1_000),
      maximumPosition: fc.constantFrom(undefined, 0.35),
      allowed: fc.constantFrom(Number.POSITIVE_INFINITY, 0, 0.1, 1),
    }),
  )

  it('cash and holdings never fall below 0, and equity falls by exactly the fees and the slippage', () => {
    fc.assert(
      fc.property(trade, (given) => {
        const { prices, book, weights, before, given: rules } = arranged(given)
        const deals = fillToWeights(book, prices, weights, deriveTerms(rules, rules), rules.allowed * before)
        const costs = deals.reduce((sum, { fee, slippage }) => sum + fee + slippage, 0)
        expect(book.cash).toBeGreaterThanOrEqual(0)
        for (const held of book.quantity) expect(held).toBeGreaterThanOrEqual(0)
        expect(Math.abs(computeEquity(book, prices) - (before - costs))).toBeLessThanOrEqual(before * 1e-12)
        if (rules.feeBasisPoints + rules.slippageBasisPoints === 0) expect(costs).toBe(0)
        else expect(computeEquity(book, prices)).toBeLessThanOrEqual(before * (1 + 1e-12))
      }),
      randomRuns(1_000),
    )
  })

  it('nothing is bought above its weight or the limit, sold below its weight, or traded above the allowance', () => {
    fc.assert(
      fc.property(trade, (given) => {
        const { prices, book, weights, before, given: rules } = arranged(given)
        const deals = fillToWeights(book, prices, weights, deriveTerms(rules, rules), rules.allowed * before)
        for (const { asset, side } of deals) {
          const weight = ((book.quantity[asset] ?? 0) * (prices[asset] ?? 0)) / before
          const wanted = weights[asset] ?? 0
          if (side === 'sell') expect(weight).toBeGreaterThanOrEqual(wanted - 1e-9)
          else expect(weight).toBeLessThanOrEqual(Math.min(wanted, rules.maximumPosition ?? 1) + 1e-9)
        }
        expect(new Set(deals.map(({ asset }) => asset)).size).toBe(deals.length)
        expect(sumTraded(deals)).toBeLessThanOrEqual(rules.allowed * before * (1 + 1e-9))
      }),
      randomRuns(1_000),
    )
  })

  function arranged(given: typeof trade extends fc.Arbitrary<infer Given> ? Given : never) {
    const sum = given.raw.reduce((total, weight) => total + weight, 0)
    const weights = Float64Array.from(given.raw, (weight) => (sum > 0 ? (weight / sum) * given.invested : 0))
    const prices = Float64Array.from(given.prices)
    const book = newBook(given.cash, prices.length)
    book.quantity.set(given.quantity)
    return { book, prices, weights, before: computeEquity(book, prices), given }
  }
})
