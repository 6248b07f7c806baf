import fc from 'fast-check'
import { expect, it } from 'vitest'
import { computeCappedPrice, computeUnitPrices } from './unitPrices.ts'

it('an allocation pays for buying its invested share, and a redemption for selling it', () => {
  const costs = { feeBasisPoints: 100, slippageBasisPoints: 0 }
  expect(computeUnitPrices(100_000_000, 0.5, costs)).toEqual({
    unit: 100_000_000,
    issue: 100_500_000,
    redeem: 99_500_000,
  })
  expect(computeUnitPrices(100_000_000, 0, costs)).toEqual({
    unit: 100_000_000,
    issue: 100_000_000,
    redeem: 100_000_000,
  })
})

it('a price that the pool cannot pay is cut by the fewest whole ten-thousandths', () => {
  const capped = (payable: number) => computeCappedPrice(100_000_000, payable)
  expect(capped(100_000_000)).toBe(100_000_000)
  expect(capped(99_999_999)).toBe(99_990_000)
  expect(capped(99_990_000)).toBe(99_990_000)
  expect(capped(99_985_000)).toBe(99_980_000)
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 1e12 }), fc.integer({ min: 1, max: 1e12 }), (price, payable) => {
      const paid = computeCappedPrice(price, payable)
      expect(paid).toBeLessThanOrEqual(payable)
      expect(paid).toBeGreaterThan(Math.min(price, payable) - price / 10_000 - 1)
    }),
  )
})
