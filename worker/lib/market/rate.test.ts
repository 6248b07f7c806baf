import { expect, test } from 'vitest'
import { decimalOf } from './rates.ts'

test('a price is written without an exponent at any size', () => {
  expect(decimalOf(64_200)).toBe('64200')
  expect(decimalOf(0.6125)).toBe('0.6125')
  expect(decimalOf(1e-7)).toBe('0.0000001')
  expect(decimalOf(1.5e-9)).toBe('0.0000000015')
  expect(decimalOf(1e21)).toBe('1000000000000000000000')
})
