import { describe, expect, test } from 'vitest'
import { isUnfinished, listNamedPeriods, parsePeriod } from './periods.ts'

const MARCH_1 = Date.parse('2028-03-01T00:00:00.000Z')
const NEW_YEAR = Date.parse('2027-01-01T23:59:59.999Z')

test.each([
  ['This month', MARCH_1, '2028-03-01', '2028-03-01'],
  ['Last month', MARCH_1, '2028-02-01', '2028-02-29'],
  ['January 2028', MARCH_1, '2028-01-01', '2028-01-31'],
  ['December 2027', MARCH_1, '2027-12-01', '2027-12-31'],
  ['March 2027', MARCH_1, '2027-03-01', '2027-03-31'],
  ['This year', MARCH_1, '2028-01-01', '2028-03-01'],
  ['Last year', MARCH_1, '2027-01-01', '2027-12-31'],
  ['Last month', NEW_YEAR, '2026-12-01', '2026-12-31'],
  ['Everything', NEW_YEAR, '', ''],
] as const)('%s, asked at %i, goes from %s to %s', (name, nowMs, from, to) => {
  expect(listNamedPeriods(nowMs).find((period) => period.name === name)).toEqual({ name, from, to })
})

describe('the period of an address', () => {
  const asked = (words: string) => parsePeriod(new URLSearchParams(words), MARCH_1)

  test('is the running month where it says nothing', () => {
    expect(asked('')).toMatchObject({ from: '2028-03-01', to: '2028-03-01' })
  })

  test('is what it says, open where it says nothing of an edge', () => {
    expect(asked('from=2026-01-31&to=2026-02-01')).toEqual({ from: '2026-01-31', to: '2026-02-01' })
    expect(asked('from=2026-01-31')).toEqual({ from: '2026-01-31', to: '' })
    expect(asked('from=&to=')).toEqual({ from: '', to: '' })
    expect(asked('from=yesterday&to=2026-13-40')).toEqual({ from: '', to: '' })
  })

  test('is not asked for before its years are typed', () => {
    expect(isUnfinished(asked('from=0002-01-31'))).toBe(true)
    expect(isUnfinished(asked('to=0202-01-31'))).toBe(true)
    expect(isUnfinished(asked('from=2026-01-31&to='))).toBe(false)
  })
})
