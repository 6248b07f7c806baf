import { expect, test } from 'vitest'
import { periodOf } from './periods.ts'

const MARCH_1 = Date.parse('2028-03-01T00:00:00.000Z')
const NEW_YEAR = Date.parse('2027-01-01T23:59:59.999Z')

test.each([
  ['this-month', MARCH_1, '2028-03-01', '2028-03-01'],
  ['last-month', MARCH_1, '2028-02-01', '2028-02-29'],
  ['this-year', MARCH_1, '2028-01-01', '2028-03-01'],
  ['last-year', MARCH_1, '2027-01-01', '2027-12-31'],
  ['last-month', NEW_YEAR, '2026-12-01', '2026-12-31'],
  ['everything', NEW_YEAR, '', ''],
] as const)('%s, asked at %i, goes from %s to %s', (name, nowMs, from, to) => {
  expect(periodOf(name, nowMs)).toEqual({ from, to })
})
