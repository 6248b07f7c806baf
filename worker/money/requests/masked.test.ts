import { expect, test } from 'vitest'
import { masked } from './history.ts'

test('only the last four of an account number are shown', () => {
  expect(masked('00112233445566')).toBe('••••5566')
  expect(masked('DE89 3704 0044 0532 0130 00')).toBe('••••3000')
  expect(masked('12-34-5')).toBe('••••2345')
})

test('a number of four characters or fewer is hidden altogether', () => {
  for (const short of ['1', '1234', '12-34']) expect(masked(short)).toBe('••••')
})
