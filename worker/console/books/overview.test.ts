import { expect, test } from 'vitest'
import { computeValueCents as valueCents } from './overview.ts'

test('units at a rate are worth whole cents, cut toward zero', () => {
  expect(valueCents('bitcoin', 100_000_000n, '64200')).toBe(64_200_00n)
  expect(valueCents('bitcoin', 1n, '64200')).toBe(0n)
  expect(valueCents('ethereum', 1_500_000_000n, '3150.25')).toBe(4_725_37n)
  expect(valueCents('usdt', -1_000_000n, '0.9995')).toBe(-99n)
  expect(valueCents('usd', 12_345n, '1')).toBe(12_345n)
})

test('values beyond a JavaScript number’s range stay exact', () => {
  expect(valueCents('ethereum', 99_999_999_999_999_999n, '123456.789')).toBe(1_234_567_889_999_999n)
})
