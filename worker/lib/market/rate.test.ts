import { expect, test } from 'vitest'
import { formatPlainDecimal } from './rates.ts'

test('a price is written without an exponent at any size', () => {
  expect(formatPlainDecimal(64_200)).toBe('64200')
  expect(formatPlainDecimal(0.6125)).toBe('0.6125')
  expect(formatPlainDecimal(1e-7)).toBe('0.0000001')
  expect(formatPlainDecimal(1.5e-9)).toBe('0.0000000015')
  expect(formatPlainDecimal(1e21)).toBe('1000000000000000000000')
})
