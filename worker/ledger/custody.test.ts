import fc from 'fast-check'
import { expect, test } from 'vitest'
import { ASSET_DECIMALS, type Asset, quantityAt, quantityOf, unitsOf } from './custody.ts'

const assets = fc.constantFrom(...(Object.keys(ASSET_DECIMALS) as Asset[]))
const units = fc.bigInt({ min: 1n, max: 10n ** 17n })

test('units written as a decimal and read again are the same units', () => {
  fc.assert(
    fc.property(assets, units, (asset, count) => {
      expect(unitsOf(asset, quantityOf(asset, count))).toBe(count)
    }),
  )
})

test('a decimal has no needless zeros and keeps its sign', () => {
  expect(quantityOf('bitcoin', 100_000_000n)).toBe('1')
  expect(quantityOf('bitcoin', 1n)).toBe('0.00000001')
  expect(quantityOf('ethereum', 1_500_000_000n)).toBe('1.5')
  expect(quantityOf('usd', -1_050n)).toBe('-10.5')
  expect(quantityOf('usdt', 0n)).toBe('0')
  expect(quantityOf('usd', 10_000n)).toBe('100')
})

test('digits below the smallest unit are cut off, and zero is not a quantity', () => {
  expect(unitsOf('bitcoin', '0.123456789')).toBe(12_345_678n)
  expect(unitsOf('bitcoin', '0.000000009')).toBeNull()
  expect(unitsOf('usdt', '0')).toBeNull()
  expect(unitsOf('ethereum', '1')).toBe(1_000_000_000n)
})

test('an implausibly large number is not a quantity', () => {
  expect(unitsOf('ethereum', '100000000')).toBe(10n ** 17n)
  expect(unitsOf('ethereum', '100000000.000000001')).toBeNull()
  expect(unitsOf('usd', '9'.repeat(60))).toBeNull()
})

test('an amount at a rate is cut to whole units, never rounded up', () => {
  expect(quantityAt('bitcoin', 100_000, '61250.5')).toBe('0.01632639')
  expect(quantityAt('usdt', 12_345, '1')).toBe('123.45')
  expect(quantityAt('usdt', 100, '0')).toBe('0')
  fc.assert(
    fc.property(
      assets,
      fc.integer({ min: 1, max: 1_000_000_000 }),
      // From a dollar a coin: at a cent, ten million dollars would be more than could be meant.
      fc.integer({ min: 100, max: 10_000_000 }),
      (asset, cents, rateInCents) => {
        const rate = (rateInCents / 100).toFixed(2)
        const got = unitsOf(asset, quantityAt(asset, cents, rate)) ?? 0n
        const scale = 10n ** BigInt(ASSET_DECIMALS[asset])
        // got ≤ cents / rate < got + 1, without division.
        expect(got * BigInt(rateInCents) <= BigInt(cents) * scale).toBe(true)
        expect((got + 1n) * BigInt(rateInCents) > BigInt(cents) * scale).toBe(true)
      },
    ),
  )
})
