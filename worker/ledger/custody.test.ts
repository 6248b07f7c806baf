import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  ASSET_DECIMALS,
  type Asset,
  computeCents,
  computeQuantity,
  computeQuotedQuantity,
  formatQuantity,
  parseUnits,
} from './custody.ts'

const assets = fc.constantFrom(...(Object.keys(ASSET_DECIMALS) as Asset[]))
const units = fc.bigInt({ min: 1n, max: 10n ** 17n })

test('units written as a decimal and read again are the same units', () => {
  fc.assert(
    fc.property(assets, units, (asset, count) => {
      expect(parseUnits(asset, formatQuantity(asset, count))).toBe(count)
    }),
  )
})

test('a decimal has no needless zeros and keeps its sign', () => {
  expect(formatQuantity('bitcoin', 100_000_000n)).toBe('1')
  expect(formatQuantity('bitcoin', 1n)).toBe('0.00000001')
  expect(formatQuantity('ethereum', 1_500_000_000n)).toBe('1.5')
  expect(formatQuantity('usd', -1_050n)).toBe('-10.5')
  expect(formatQuantity('usdt', 0n)).toBe('0')
  expect(formatQuantity('usd', 10_000n)).toBe('100')
})

test('digits below the smallest unit are cut off, and zero is not a quantity', () => {
  expect(parseUnits('bitcoin', '0.123456789')).toBe(12_345_678n)
  expect(parseUnits('bitcoin', '0.000000009')).toBeNull()
  expect(parseUnits('usdt', '0')).toBeNull()
  expect(parseUnits('ethereum', '1')).toBe(1_000_000_000n)
})

test('an implausibly large number is not a quantity', () => {
  expect(parseUnits('ethereum', '100000000')).toBe(10n ** 17n)
  expect(parseUnits('ethereum', '100000000.000000001')).toBeNull()
  expect(parseUnits('usd', '9'.repeat(60))).toBeNull()
})

test('an amount at a rate is cut to whole units, never rounded up', () => {
  expect(computeQuantity('bitcoin', 100_000, '61250.5')).toBe('0.01632639')
  expect(computeQuantity('usdt', 12_345, '1')).toBe('123.45')
  expect(computeQuantity('usdt', 100, '0')).toBe('0')
  fc.assert(
    fc.property(
      assets,
      fc.integer({ min: 1, max: 1_000_000_000 }),
      // From a dollar a coin: at a cent, ten million dollars would be more than could be meant.
      fc.integer({ min: 100, max: 10_000_000 }),
      (asset, cents, rateInCents) => {
        const rate = (rateInCents / 100).toFixed(2)
        const got = parseUnits(asset, computeQuantity(asset, cents, rate)) ?? 0n
        const scale = 10n ** BigInt(ASSET_DECIMALS[asset])
        // got ≤ cents / rate < got + 1, without division.
        expect(got * BigInt(rateInCents) <= BigInt(cents) * scale).toBe(true)
        expect((got + 1n) * BigInt(rateInCents) > BigInt(cents) * scale).toBe(true)
      },
    ),
  )
})

test('a quoted quantity is worth at least its amount, and its last of eight decimals is needed', () => {
  expect(computeQuotedQuantity('bitcoin', 100_000, '61250.5')).toBe('0.0163264')
  expect(computeQuotedQuantity('ethereum', 100, '3150')).toBe('0.00031747')
  expect(computeQuotedQuantity('usdt', 12_345, '1')).toBe('123.45')
  expect(computeQuotedQuantity('usdt', 100, '0')).toBe('0')
  fc.assert(
    fc.property(
      fc.constantFrom('bitcoin', 'ethereum', 'usdt', 'usdc'),
      fc.integer({ min: 1, max: 1_000_000_000 }),
      fc.integer({ min: 100, max: 10_000_000 }),
      (coin, cents, rateInCents) => {
        const rate = (rateInCents / 100).toFixed(2)
        const units = parseUnits(coin, computeQuotedQuantity(coin, cents, rate)) ?? 0n
        const step = 10n ** BigInt(Math.max(0, ASSET_DECIMALS[coin] - 8))
        expect(computeCents(coin, units, rate) >= BigInt(cents)).toBe(true)
        expect(
          (units - step) * BigInt(rateInCents) < BigInt(cents) * 10n ** BigInt(ASSET_DECIMALS[coin]),
        ).toBe(true)
      },
    ),
  )
})

test('units are worth whole cents at a rate with decimals, never rounded up', () => {
  expect(computeCents('bitcoin', 150_000_000n, '61250.57')).toBe(9_187_585n)
  expect(computeCents('ethereum', 2_000_000_000n, '3000')).toBe(600_000n)
  expect(computeCents('usdt', 9_999n, '1.0')).toBe(0n)
})
