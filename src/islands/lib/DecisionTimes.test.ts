import { describe, expect, it } from 'vitest'
import { describeDecisionTime, describeSample, formatDuration } from './DecisionTimes.tsx'

const time = { decisions: 120, days: 90, medianMinutes: 180, p95Minutes: 1440 }

describe('how long decisions take, in words', () => {
  it('tells what is usual, and what holds 19 of 20 times', () => {
    expect(describeDecisionTime('withdrawals', 'decided', time)).toBe(
      'Withdrawals are usually decided within 3 hours; 19 of 20 within 1 day.',
    )
  })

  it('tells one figure where both are the same', () => {
    expect(describeDecisionTime('deposits', 'decided', { ...time, medianMinutes: 1440 })).toBe(
      '19 of 20 deposits are decided within 1 day.',
    )
  })

  it('makes up no figure where too few were decided', () => {
    expect(describeDecisionTime('documents', 'reviewed', null)).toBe(
      'Not enough recent documents to show a typical time.',
    )
  })

  it('tells from how many, and over how long', () => {
    expect(describeSample(time)).toBe('Measured over the last 90 days, from 120 or more.')
    expect(describeSample({ ...time, days: 1 })).toBe('Measured over one day, from 120 or more.')
  })

  it.each([
    [5, '5 minutes'],
    [60, '1 hour'],
    [120, '2 hours'],
    [1440, '1 day'],
    [1500, '25 hours'],
    [2880, '48 hours'],
    [4320, '3 days'],
  ])('%i minutes are %s', (minutes, words) => {
    expect(formatDuration(minutes)).toBe(words)
  })
})
