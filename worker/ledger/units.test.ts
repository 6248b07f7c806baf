import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  computeCostPart,
  computeHighWater,
  computeUnitPrice,
  computeUnits,
  computeUnitsToRedeem,
  valueCents,
} from './units.ts'

// Against exact fractions: a result is compared by products of whole numbers, never by another division.

const SCALE = 10n ** 10n
const prices = fc.integer({ min: 1, max: 10 ** 12 })
const units = fc.integer({ min: 1, max: 10 ** 13 })
const cents = fc.integer({ min: 1, max: 10 ** 9 })
/** From a tenth of the first price to a thousand times. */
const usualPrices = fc.integer({ min: 10_000_000, max: 100_000_000_000 })

describe('units and money', () => {
  test('a value is the whole cents of units times price, never more', () => {
    fc.assert(
      fc.property(units, usualPrices, (count, price) => {
        const exact = BigInt(count) * BigInt(price)
        const value = BigInt(valueCents(count, price))
        expect(value * SCALE <= exact && exact < (value + 1n) * SCALE).toBe(true)
      }),
    )
  })

  test('the units of an amount are worth at most the amount, and one more would be worth more', () => {
    fc.assert(
      fc.property(cents, usualPrices, (amount, price) => {
        const bought = BigInt(computeUnits(amount, price))
        const exact = BigInt(amount) * SCALE
        expect(bought * BigInt(price) <= exact && exact < (bought + 1n) * BigInt(price)).toBe(true)
        expect(valueCents(Number(bought), price)).toBeLessThanOrEqual(amount)
      }),
    )
  })

  test('the units sold for an amount bring it, and one less would not', () => {
    fc.assert(
      fc.property(cents, usualPrices, (amount, price) => {
        const sold = computeUnitsToRedeem(amount, price)
        expect(valueCents(sold, price)).toBeGreaterThanOrEqual(amount)
        expect(valueCents(sold - 1, price)).toBeLessThan(amount)
        // Up to 10,000 USD a unit, a millionth is no cent: it brings just that.
        if (price <= 10_000_000_000) expect(valueCents(sold, price)).toBe(amount)
      }),
    )
  })

  test('nobody gains by buying and selling at one price repeatedly', () => {
    fc.assert(
      fc.property(cents, usualPrices, fc.integer({ min: 1, max: 20 }), (amount, price, times) => {
        let left = amount
        for (let n = 0; n < times && left > 0; n++) left = valueCents(computeUnits(left, price), price)
        expect(left).toBeLessThanOrEqual(amount)
      }),
    )
  })

  test('cost goes with units in their share, rounded down, and all of it by the last one', () => {
    fc.assert(
      fc.property(cents, fc.array(units, { minLength: 1, maxLength: 30 }), (cost, parts) => {
        let held = parts.reduce((sum, part) => sum + part, 0)
        let left = cost
        for (const part of parts) {
          const taken = computeCostPart(left, part, held)
          const exact = BigInt(left) * BigInt(part)
          expect(BigInt(taken) * BigInt(held) <= exact && exact < BigInt(taken + 1) * BigInt(held)).toBe(true)
          left -= taken
          held -= part
          // Everybody with units has a cost of at least a cent.
          if (held > 0) expect(left).toBeGreaterThan(0)
        }
        expect(left).toBe(0)
      }),
    )
  })

  test('the high-water mark of all units is their average, and never below it', () => {
    fc.assert(
      fc.property(prices, units, prices, units, (mark, held, price, bought) => {
        const after = BigInt(computeHighWater(mark, held, price, bought))
        const exact = BigInt(mark) * BigInt(held) + BigInt(price) * BigInt(bought)
        const all = BigInt(held + bought)
        expect(after * all >= exact && (after - 1n) * all < exact).toBe(true)
        expect(after >= BigInt(Math.min(mark, price)) && after <= BigInt(Math.max(mark, price))).toBe(true)
      }),
    )
    expect(computeHighWater(0, 0, 101_000_000, 5)).toBe(101_000_000)
  })

  test('the price of a unit times all units is no more than the pool is worth', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 10 ** 14 }),
        fc.integer({ min: 10 ** 6, max: 10 ** 13 }),
        (worth, count) => {
          const price = BigInt(computeUnitPrice(worth, count))
          expect(price * BigInt(count) <= BigInt(worth) * 1_000_000n).toBe(true)
          expect((price + 1n) * BigInt(count) > BigInt(worth) * 1_000_000n).toBe(true)
        },
      ),
    )
  })

  test('an amount beyond a number’s exact range is refused', () => {
    expect(() => computeUnits(10 ** 12, 1)).toThrow(RangeError)
  })
})
