import { afterEach, describe, expect, it } from 'vitest'
import {
  buildBonusQuery,
  buildOrderQuery,
  buildRequestQuery,
  isBackwards,
  isFiltered,
  NO_FILTER,
  parseFilter,
} from './filter.ts'

const ZONE = process.env.TZ
afterEach(() => {
  if (ZONE === undefined) delete process.env.TZ
  else process.env.TZ = ZONE
})

describe('the filter of an address', () => {
  it('is what the address says', () => {
    const words = new URLSearchParams('kind=deposit&status=pending&from=2026-01-31&to=2026-02-01&open=DEP-1')
    expect(parseFilter(words)).toEqual({
      kind: 'deposit',
      status: 'pending',
      from: '2026-01-31',
      to: '2026-02-01',
    })
  })

  it('leaves out what it does not know', () => {
    expect(parseFilter(new URLSearchParams('kind=gift&status=<b>&from=yesterday&to=2026-13-01'))).toEqual(
      NO_FILTER,
    )
    expect(isFiltered(parseFilter(new URLSearchParams('open=DEP-1')))).toBe(false)
    expect(isFiltered(parseFilter(new URLSearchParams('to=2026-01-31')))).toBe(true)
  })
})

it('a filter asks only the list that can have such rows', () => {
  expect(buildOrderQuery(NO_FILTER)).not.toBeNull()
  expect(buildOrderQuery({ ...NO_FILTER, kind: 'deposit' })).toBeNull()
  expect(buildRequestQuery({ ...NO_FILTER, kind: 'redeem' })).toBeNull()
  expect(buildOrderQuery({ ...NO_FILTER, kind: 'redeem', status: 'settled' })).toMatchObject({
    kind: 'redeem',
  })
  expect(buildRequestQuery({ ...NO_FILTER, status: 'settled' })).toBeNull()
  expect(buildOrderQuery({ ...NO_FILTER, status: 'approved' })).toBeNull()
  expect(buildBonusQuery({ ...NO_FILTER, status: 'completed' })).toMatchObject({ figure: 'bonus' })
  expect(buildBonusQuery({ ...NO_FILTER, status: 'pending' })).toBeNull()
  expect(buildBonusQuery({ ...NO_FILTER, kind: 'deposit' })).toBeNull()
  const bonuses = { ...NO_FILTER, kind: 'bonus' } as const
  expect([buildRequestQuery(bonuses), buildOrderQuery(bonuses)]).toEqual([null, null])
})

describe('a day of the filter', () => {
  it.each([
    ['UTC', '2026-01-31', '2026-01-31T00:00:00.000Z', '2026-01-31T23:59:59.999Z'],
    ['America/New_York', '2026-01-31', '2026-01-31T05:00:00.000Z', '2026-02-01T04:59:59.999Z'],
    ['Asia/Kolkata', '2026-12-31', '2026-12-30T18:30:00.000Z', '2026-12-31T18:29:59.999Z'],
    // A day of 23 hours, and one of 25.
    ['Europe/Zurich', '2026-03-29', '2026-03-28T23:00:00.000Z', '2026-03-29T21:59:59.999Z'],
    ['Europe/Zurich', '2026-10-25', '2026-10-24T22:00:00.000Z', '2026-10-25T22:59:59.999Z'],
    // A day that started at 01:00.
    ['America/Sao_Paulo', '2018-11-04', '2018-11-04T03:00:00.000Z', '2018-11-05T01:59:59.999Z'],
  ])('in %s, %s begins at %s and ends at %s', (zone, day, from, to) => {
    process.env.TZ = zone
    expect(buildRequestQuery({ ...NO_FILTER, from: day, to: day })).toMatchObject({ from, to })
  })

  it('does not count before its year is typed', () => {
    expect(buildRequestQuery({ ...NO_FILTER, from: '0202-03-01', to: '' })).toMatchObject({
      from: '',
      to: '',
    })
    expect(isBackwards({ ...NO_FILTER, from: '2026-03-01', to: '0002-03-01' })).toBe(false)
  })

  it('that comes after the last one leaves no day', () => {
    expect(isBackwards({ ...NO_FILTER, from: '2026-03-02', to: '2026-03-01' })).toBe(true)
    expect(isBackwards({ ...NO_FILTER, from: '2026-03-01', to: '2026-03-01' })).toBe(false)
    expect(isBackwards({ ...NO_FILTER, from: '2026-03-01' })).toBe(false)
  })
})
