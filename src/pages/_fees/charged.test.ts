import { expect, test } from 'vitest'
import { charged } from './charged.ts'

test('what the platform charges is said with the numbers that the worker goes by', () => {
  expect(charged('transaction')).toBe('$0.00')
  expect(charged('month')).toBe('$0.00 a month')
  expect(charged('profits')).toBe('0% of profits')
})
