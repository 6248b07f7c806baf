import { describe, expect, it } from 'vitest'
import { needsSecondOperator, prefilled, typedUsd } from './credit.ts'

const asked = { asked: 500 }
const settings = { twoPersonLimit: 5000 }
const firstApproval = {
  by: 'Olga',
  byId: 'olu',
  reference: '0xabc',
  amount: 7250.5,
  at: '2026-01-31T09:30:00.000Z',
}

describe('the form that credits a deposit', () => {
  it('opens with what was asked and no transaction id', () => {
    expect(prefilled({ asked: 500 })).toEqual({ reference: '', amount: '500.00' })
  })

  it('opens for the second operator with what the first one approved', () => {
    expect(prefilled({ asked: 8000, firstApproval })).toMatchObject({ reference: '0xabc', amount: '7250.50' })
  })

  it('repeats the amount as it will be counted', () => {
    expect(typedUsd('1234.5', asked)).toBe('$1,234.50')
    expect(typedUsd('', asked)).toBe('$500.00')
    expect(typedUsd(undefined, asked)).toBe('$500.00')
  })
})

describe('a second operator', () => {
  it('is needed above what was asked', () => {
    expect(needsSecondOperator('500.01', asked, settings)).toBe(true)
    expect(needsSecondOperator('500.00', asked, settings)).toBe(false)
  })

  it('is needed above the limit, not at it', () => {
    expect(needsSecondOperator('5000.01', { asked: 9000 }, settings)).toBe(true)
    expect(needsSecondOperator('5000', { asked: 9000 }, settings)).toBe(false)
  })

  it('is judged by what was asked alone while the limit is not known', () => {
    expect(needsSecondOperator('9000', { asked: 9000 }, null)).toBe(false)
    expect(needsSecondOperator('9000.01', { asked: 9000 }, null)).toBe(true)
  })
})
