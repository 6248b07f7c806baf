import { expect, test } from 'vitest'
import { computeTestReturn } from './readStrategies.ts'

/** A day's return of the test, as stored: 10⁻⁶ of a basis point. */
const PERCENT = 100 * 1e6

test('the return of a test is compounded over the days of the record', () => {
  const days = [10, -20, 0].map((percent) => ({ test: percent * PERCENT }))
  expect(computeTestReturn(days)).toBe(-0.12)
})

test('it is unknown while a day is not explained, and once the answer may lack earlier days', () => {
  expect(computeTestReturn([{ test: PERCENT }, { test: null }])).toBeNull()
  const createDays = (length: number) => Array.from({ length }, () => ({ test: 0 }))
  expect([1999, 2000].map((days) => computeTestReturn(createDays(days)))).toEqual([0, null])
})
