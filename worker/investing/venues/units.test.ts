import fc from 'fast-check'
import { expect, test } from 'vitest'
import { computeQuantity, computeValue, decimal, formatUnits, parseUnits } from './units.ts'

test('decimal strings become whole units without passing a double', () => {
  expect(parseUnits('0.1', 8)).toBe(10_000_000)
  expect(parseUnits('90071.99254740', 8)).toBe(9_007_199_254_740)
  expect(parseUnits('-12.5', 4)).toBe(-125_000)
  expect(parseUnits('-0.00000000', 8)).toBe(0)
  expect(parseUnits('0.123456789', 8)).toBe(12_345_678)
  expect(parseUnits('0.123456785', 8, 'nearest')).toBe(12_345_679)
  expect(parseUnits('0.123456784', 8, 'nearest')).toBe(12_345_678)
  expect(parseUnits('0.1234567801', 8, 'up')).toBe(12_345_679)
  expect(parseUnits('0.1234567800', 8, 'up')).toBe(12_345_678)
  expect(() => parseUnits('99999999999.0', 8)).toThrow()
})

test('numbers with an exponent are the same numbers, and other texts are none', () => {
  const parse = (text: string) => parseUnits(decimal.parse(text), 8)
  const written = ['0E-8', '1e+06', '-1.5e-3', '12.34E1', '5e2', '0.00000001', '-7']
  expect(written.map(parse)).toEqual([0, 1e14, -150_000, 12_340_000_000, 5e10, 1, -7e8])
  for (const text of ['', '1e', 'e5', '0x1', '1e100', 'Infinity', '1,5'])
    expect(decimal.safeParse(text).success).toBe(false)
})

test('whole units become the shortest decimal string, and that the same units again', () => {
  expect([formatUnits(0, 8), formatUnits(1, 8), formatUnits(150_000_000, 8)]).toEqual([
    '0',
    '0.00000001',
    '1.5',
  ])
  expect(() => formatUnits(0.5, 8)).toThrow(RangeError)
  fc.assert(
    fc.property(fc.maxSafeNat(), fc.constantFrom(8, 9), (units, decimals) => {
      expect(parseUnits(formatUnits(units, decimals), decimals)).toBe(units)
    }),
  )
})

test('a quantity at a price is worth what it costs, to half a unit', () => {
  expect(computeValue(12_345_678, 86_517_290_000_000)).toBe(1_068_114_603_773)
  expect(computeQuantity(1_068_114_603_773, 86_517_290_000_000)).toBe(12_345_678)
})
