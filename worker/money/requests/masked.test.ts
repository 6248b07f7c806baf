import { expect, test } from 'vitest'
import { formatMaskedNumber } from './history.ts'

test('only the last four of an account number are shown', () => {
  expect(formatMaskedNumber('00112233445566')).toBe('••••5566')
  expect(formatMaskedNumber('DE89 3704 0044 0532 0130 00')).toBe('••••3000')
  expect(formatMaskedNumber('12-34-5')).toBe('••••2345')
})

test('a number of four characters or fewer is hidden altogether', () => {
  for (const short of ['1', '1234', '12-34']) expect(formatMaskedNumber(short)).toBe('••••')
})
