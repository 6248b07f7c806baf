import { expect, it } from 'vitest'
import { describeRhythm, describeRun, isLastOfMonth } from './words.ts'

it.each([
  [{ rhythm: 'weekly', starts: '2027-01-04', day: 4 }, 'every Monday'],
  [{ rhythm: 'monthly', starts: '2027-01-01', day: 1 }, 'on the 1st of each month'],
  [{ rhythm: 'monthly', starts: '2027-01-22', day: 22 }, 'on the 22nd of each month'],
  [{ rhythm: 'monthly', starts: '2027-01-30', day: 30 }, 'on the 30th of each month, or its last day'],
  [{ rhythm: 'monthly', starts: '2027-04-30', day: 31 }, 'on the last day of each month'],
  [{ rhythm: 'quarterly', starts: '2027-01-13', day: 13 }, 'on the 13th of every third month'],
] as const)('the dates %o are said as "%s"', (schedule, words) => {
  expect(describeRhythm(schedule)).toBe(words)
})

it('the last day of a month is found in leap years too, and an empty date is not one', () => {
  const days = ['2027-02-28', '2028-02-28', '2028-02-29', '2027-04-30', '2027-12-31', '']
  expect(days.filter(isLastOfMonth)).toEqual(['2027-02-28', '2028-02-29', '2027-04-30', '2027-12-31'])
})

it('a date says whether it moved less than announced, or nothing', () => {
  const run = { on: '2027-01-01', at: '', announcedAt: null, decidedAt: null, ref: null, reason: null }
  const describe = (
    status: 'done' | 'failed' | 'missed',
    amount: number | null,
    redemption: 'pending' | 'stayed' | null = null,
  ) => describeRun({ ...run, status, announced: 100, amount, redemption })
  expect(describe('done', 100)).toBe('Done')
  expect(describe('done', 60)).toBe('Done, smaller than announced')
  expect(describe('failed', null)).toBe('Did not run')
  expect(describe('missed', null)).toBe('Did not run')
  expect(describe('done', null, 'pending')).toBe('Redeeming, then withdrawing')
  expect(describe('done', null, 'stayed')).toBe('Redeemed, not withdrawn')
})
