import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { DEFAULT_COSTS } from '../../../engine/definition.ts'
import { randomRuns } from '../../../test/random.ts'
import { computeUnitPrice, computeUnits, MICRO_A_CENT, valueCents } from '../../ledger/units.ts'
import { computeCashChange, simulatePaperFill } from './broker.ts'
import {
  computeNetValue,
  computeSoldValue,
  type PlannedOrder,
  type PoolBook,
  planOrders,
  type Target,
} from './plan.ts'
import { computeUnitPrices } from './unitPrices.ts'

const investedShare = (pool: PoolBook, prices: Float64Array) => {
  const net = computeNetValue(pool, prices)
  return net > 0 ? (net - pool.cash) / net : 0
}
const NO_COSTS = { feeBasisPoints: 0, slippageBasisPoints: 0 }

describe('a pool’s plan of orders', () => {
  it('buys as many times the target as its cash pays for, costs taken off', () => {
    const target = { cash: 20, quantity: Float64Array.of(0.4, 0.2) }
    const prices = Float64Array.of(100, 200)
    const empty = { cash: 0, quantity: [0, 0] }
    // 1,000 USD are ten times 20 in cash, 40 in the one and 40 in the other.
    expect(planOrders(empty, 100_000 * MICRO_A_CENT, prices, target, NO_COSTS)).toEqual([
      { asset: 0, side: 'buy', quantity: 400_000_000 },
      { asset: 1, side: 'buy', quantity: 200_000_000 },
    ])
    const [first] = planOrders(empty, 100_000 * MICRO_A_CENT, prices, target, DEFAULT_COSTS)
    // 100 = 20 + 80 · 1.001 · 1.0025 for each 100 of the target.
    expect(first?.quantity).toBe(Math.floor((4e8 * 100) / (20 + 80 * 1.001 * 1.0025)))
  })

  it('sells for redemptions, and everything if the target is cash', () => {
    const pool = { cash: 0, quantity: [100_000_000] }
    const target = { cash: 0, quantity: Float64Array.of(1) }
    const prices = Float64Array.of(100)
    expect(planOrders(pool, -2500 * MICRO_A_CENT, prices, target, NO_COSTS)).toEqual([
      { asset: 0, side: 'sell', quantity: 25_000_000 },
    ])
    expect(planOrders(pool, 5000 * MICRO_A_CENT, prices, null, DEFAULT_COSTS)).toEqual([
      { asset: 0, side: 'sell', quantity: 100_000_000 },
    ])
  })

  it('does nothing if a pool has its target', () => {
    const target = { cash: 10, quantity: Float64Array.of(0.9 / 3) }
    const pool = { cash: 10_000_004, quantity: [29_999_999] }
    expect(planOrders(pool, 0, Float64Array.of(300), target, DEFAULT_COSTS, true)).toEqual([])
  })

  it('never spends missing cash, and ends in the target’s proportions', () => {
    fc.assert(
      fc.property(aPool, ({ pool, flow, prices, target }) => {
        const after = traded(pool, flow, prices, planOrders(pool, flow, prices, target, DEFAULT_COSTS))
        expect(after.cash).toBeGreaterThanOrEqual(0)
        const net = computeNetValue(after, prices)
        const worth =
          target.cash + prices.reduce((sum, price, n) => sum + price * (target.quantity[n] ?? 0), 0)
        for (const [asset, quantity] of after.quantity.entries()) {
          const price = prices[asset] ?? 0
          const wanted = ((target.quantity[asset] ?? 0) * price) / worth
          expect((quantity * price) / 100 / net).toBeCloseTo(wanted, 4)
        }
      }),
      randomRuns(300),
    )
  })

  it('flows do not move the unit price of the others', () => {
    fc.assert(
      fc.property(
        aPool,
        fc.integer({ min: 100, max: 5_000_000 }),
        fc.integer({ min: 0, max: 90 }),
        ({ pool, prices }, cents, leaving) => {
          // The strategy has no trades: its target is the pool's holdings.
          const target = { cash: pool.cash / 1e6, quantity: Float64Array.from(pool.quantity, (q) => q / 1e8) }
          const units = 1_000_000_000
          const before = computeUnitPrice(computeNetValue(pool, prices), units)
          const { issue, redeem } = computeUnitPrices(before, investedShare(pool, prices), DEFAULT_COSTS)
          const come = computeUnits(cents, issue)
          const paid = valueCents(Math.floor((units * leaving) / 100), redeem)
          for (const [flow, left] of [
            [cents * MICRO_A_CENT, units + come],
            [-paid * MICRO_A_CENT, units - Math.floor((units * leaving) / 100)],
          ] as const) {
            const orders = planOrders(pool, flow, prices, target, DEFAULT_COSTS)
            const net = computeNetValue(traded(pool, flow, prices, orders), prices)
            const after = computeUnitPrice(net, left)
            expect(after / before).toBeGreaterThan(1 - 1e-6)
            // Fractions of a cent and amounts too small to trade stay in the pool.
            expect(after / before).toBeLessThan(1 + 1e-6 + (10_000 + 2000 * prices.length) / net)
          }
        },
      ),
      randomRuns(300),
    )
  })

  it('with flows in both directions on one day, all trading is paid, at prices that no flow changes', () => {
    fc.assert(
      fc.property(
        aPool,
        fc.integer({ min: 100, max: 50_000_000 }),
        fc.integer({ min: 1_000_000, max: 900_000_000 }),
        ({ pool, prices }, cents, leaving) => {
          const target = { cash: pool.cash / 1e6, quantity: Float64Array.from(pool.quantity, (q) => q / 1e8) }
          const units = 1_000_000_000
          const before = computeUnitPrice(computeNetValue(pool, prices), units)
          const { issue, redeem } = computeUnitPrices(before, investedShare(pool, prices), DEFAULT_COSTS)
          const flow = (cents - valueCents(leaving, redeem)) * MICRO_A_CENT
          const orders = planOrders(pool, flow, prices, target, DEFAULT_COSTS)
          const net = computeNetValue(traded(pool, flow, prices, orders), prices)
          const after = computeUnitPrice(net, units - leaving + computeUnits(cents, issue))
          expect(after / before).toBeGreaterThan(1 - 1e-6)
        },
      ),
      randomRuns(300),
    )
  })

  it('sales cover any redemption, also with assets below a cent, and of everything at once', () => {
    fc.assert(
      fc.property(
        fc.array(
          fc.record({
            price: fc.double({ min: 0.001, max: 60_000, noNaN: true }),
            worth: fc.double({ min: 0.001, max: 10_000, noNaN: true }),
          }),
          { minLength: 1, maxLength: 5 },
        ),
        fc.double({ min: 0, max: 1, noNaN: true }),
        fc.boolean(),
        (assets, share, isAll) => {
          const prices = Float64Array.from(assets, ({ price }) => price)
          const quantity = assets.map(({ worth, price }) => Math.ceil((worth / price) * 1e8))
          const target = { cash: 0, quantity: Float64Array.from(quantity, (q) => q / 1e8) }
          const pool = { cash: 0, quantity }
          const most = computeSoldValue(pool, prices, DEFAULT_COSTS)
          const flow = isAll ? -most : -Math.floor(most * share)
          const orders = planOrders(pool, flow, prices, target, DEFAULT_COSTS)
          expect(traded(pool, flow, prices, orders).cash).toBeGreaterThanOrEqual(0)
          expect(new Set(orders.map(({ asset }) => asset)).size).toBe(orders.length)
        },
      ),
      randomRuns(500),
    )
  })
})

const aPool = fc
  .record({
    cash: fc.integer({ min: 0, max: 100_000_000_000 }),
    flow: fc.integer({ min: 0, max: 100_000_000_000 }),
    assets: fc.array(
      fc.record({
        price: fc.double({ min: 1, max: 60_000, noNaN: true }),
        worth: fc.double({ min: 1000, max: 100_000, noNaN: true }),
        wanted: fc.double({ min: 1, max: 100, noNaN: true }),
      }),
      { minLength: 1, maxLength: 5 },
    ),
    targetCash: fc.double({ min: 0, max: 100, noNaN: true }),
  })
  .map(({ cash, flow, assets, targetCash }) => ({
    pool: {
      cash,
      quantity: assets.map(({ worth, price }) => Math.floor((worth / price) * 1e8)),
    } satisfies PoolBook,
    flow,
    prices: Float64Array.from(assets, ({ price }) => price),
    target: {
      cash: targetCash,
      quantity: Float64Array.from(assets, ({ wanted, price }) => wanted / price),
    } satisfies Target,
  }))

function traded(
  pool: PoolBook,
  flow: number,
  prices: Float64Array,
  orders: readonly PlannedOrder[],
): PoolBook {
  let cash = pool.cash + flow
  const quantity = [...pool.quantity]
  for (const { asset, side, quantity: amount } of orders) {
    const seenPrice = prices[asset] ?? 0
    cash += computeCashChange(side, simulatePaperFill({ side, quantity: amount, seenPrice }, DEFAULT_COSTS))
    quantity[asset] = (quantity[asset] ?? 0) + (side === 'buy' ? amount : -amount)
  }
  return { cash, quantity }
}
