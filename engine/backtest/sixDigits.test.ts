import fc from 'fast-check'
import { expect, test } from 'vitest'
import { roundToSixDigits } from './sixDigits.ts'

test('a number keeps its first six digits for any position of the point', () => {
  expect(roundToSixDigits(123456.7)).toBe(123457)
  expect(roundToSixDigits(0.00012345649)).toBe(0.000123456)
  expect(roundToSixDigits(98765432.1)).toBe(98765400)
  expect(roundToSixDigits(999999.9)).toBe(1000000)
})

test('it is the number that its own notation with six digits is read as', () => {
  fc.assert(
    fc.property(fc.double({ min: 1e-12, max: 1e14, noNaN: true }), (value) => {
      const rounded = roundToSixDigits(value)
      expect(rounded).toBe(Number(rounded.toPrecision(6)))
      expect(Math.abs(rounded / value - 1)).toBeLessThan(5.1e-6)
    }),
  )
})
