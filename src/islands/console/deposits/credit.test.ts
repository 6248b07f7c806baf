import { describe, expect, it } from 'vitest'
import {
  buildInitialValues,
  confirmWords,
  describeAnnouncedAmount,
  describeQuantityComparison,
  formatTypedUsd,
  isUnusual,
  listSecondOperatorReasons,
} from './credit.ts'

const asked = { asked: 500 }
const settings = { twoPersonLimit: 5000 }
const firstApproval = {
  by: 'Olga',
  byId: 'olu',
  reference: '0xabc',
  amount: 7250.5,
  hasQuantity: false,
  at: '2026-01-31T09:30:00.000Z',
}

describe('the form that credits a deposit', () => {
  it('opens with what was asked and no transaction id', () => {
    expect(buildInitialValues({ asked: 500 })).toEqual({ reference: '', amount: '500.00' })
  })

  it('opens for the second operator with what the first one approved', () => {
    expect(buildInitialValues({ asked: 8000, firstApproval })).toMatchObject({
      reference: '0xabc',
      amount: '7250.50',
    })
  })

  it('repeats the amount as it will be counted', () => {
    expect(formatTypedUsd('1234.5', asked)).toBe('$1,234.50')
    expect(formatTypedUsd('', asked)).toBe('$500.00')
    expect(formatTypedUsd(undefined, asked)).toBe('$500.00')
  })
})

describe('a second operator', () => {
  const alone = {
    limit: 5000,
    used: 0,
    day: { limit: 25_000, used: 0 },
    needsTwo: false,
    reasons: [],
  }
  const priced = { asked: 642, alone, creditPrice: 64_200 }

  it('is needed above what was asked', () => {
    expect(listSecondOperatorReasons({ amount: '500.01' }, asked, settings)).toEqual([
      'It is more than the investor asked for.',
    ])
    expect(listSecondOperatorReasons({ amount: '500.00' }, asked, settings)).toEqual([])
  })

  it('is needed while the risk is high', () => {
    const risky = { ...priced, alone: { ...alone, needsTwo: true, reasons: ['risk' as const] } }
    expect(listSecondOperatorReasons({ amount: '10' }, risky, settings)).toEqual(['Its risk is high.'])
    expect(confirmWords({ amount: '10' }, risky, settings)).toBe('Propose credit of $10.00')
  })

  it('is needed above the limit, not at it, with what one credited already', () => {
    const above = ['It is above $5,000.00, which one operator credits alone.']
    expect(listSecondOperatorReasons({ amount: '5000.01' }, { asked: 9000 }, settings)).toEqual(above)
    expect(listSecondOperatorReasons({ amount: '5000' }, { asked: 9000 }, settings)).toEqual([])
    const used = { asked: 9000, alone: { ...alone, used: 4000 } }
    expect(listSecondOperatorReasons({ amount: '1000' }, used, settings)).toEqual([])
    expect(listSecondOperatorReasons({ amount: '1000.01' }, used, settings)[0]).toMatch(
      /^You credited this investor \$4,000\.00/,
    )
  })

  it('is needed above one’s own ceiling of the day', () => {
    const busy = { asked: 9000, alone: { ...alone, day: { limit: 25_000, used: 24_000 } } }
    expect(listSecondOperatorReasons({ amount: '1000' }, busy, settings)).toEqual([])
    expect(listSecondOperatorReasons({ amount: '1000.01' }, busy, settings)[0]).toContain(
      'Your daily ceiling is $25,000.00',
    )
  })

  it('is needed where the quantity differs by more than 2 % from the price, or there is none', () => {
    expect(listSecondOperatorReasons({}, priced, settings)).toEqual([])
    expect(listSecondOperatorReasons({ quantity: '0.0102' }, priced, settings)).toEqual([])
    expect(listSecondOperatorReasons({ quantity: '0.01021' }, priced, settings)[0]).toContain('$64,200.00')
    expect(listSecondOperatorReasons({ quantity: '0.0097' }, priced, settings)).toHaveLength(1)
    expect(
      listSecondOperatorReasons({ quantity: '0.01' }, { ...priced, creditPrice: null }, settings)[0],
    ).toContain('no market price')
  })

  it('is judged by what was asked alone while the limit is not known', () => {
    expect(listSecondOperatorReasons({ amount: '9000' }, { asked: 9000 }, null)).toEqual([])
    expect(listSecondOperatorReasons({ amount: '9000.01' }, { asked: 9000 }, null)).toHaveLength(1)
  })
})

describe('the quantity that arrived', () => {
  const bitcoin = { asked: 642, creditPrice: 64_200, type: 'bitcoin' }

  it('is compared at the market price with the announced amount, and with the credit if it is another one', () => {
    expect(describeQuantityComparison('642', '0.01', bitcoin)).toBe(
      '0.01 BTC at $64,200.00 is $642.00: the same as announced ($642.00).',
    )
    expect(describeQuantityComparison('642', '0.0102', bitcoin)).toContain(
      'is $654.84: 2% more than announced ($642.00).',
    )
    expect(describeQuantityComparison('', '0.005', bitcoin)).toContain('50% less than announced ($642.00).')
    expect(describeQuantityComparison('630', '0.00982', bitcoin)).toBe(
      '0.00982 BTC at $64,200.00 is $630.44: 1.8% less than announced ($642.00), and 0.1% more than the credit of $630.00.',
    )
    expect(describeQuantityComparison('642', 'ten', bitcoin)).toBe('Enter the quantity as a number.')
    expect(describeQuantityComparison('642', '0.01', { ...bitcoin, creditPrice: null })).toContain(
      'no market price',
    )
  })

  it('is unusual if it is worth less than the amount to credit, or more than 2 % more', () => {
    expect(isUnusual({ amount: '642', quantity: '0.0102' }, bitcoin)).toBe(false)
    expect(isUnusual({ amount: '642', quantity: '0.01021' }, bitcoin)).toBe(true)
    expect(isUnusual({ amount: '655.48', quantity: '0.01021' }, bitcoin)).toBe(false)
    expect(isUnusual({ amount: '655.5', quantity: '0.01021' }, bitcoin)).toBe(true)
    expect(isUnusual({ amount: '642' }, bitcoin)).toBe(false)
    expect(isUnusual({ quantity: '0.01' }, { ...bitcoin, creditPrice: null })).toBe(false)
  })

  it('stands beside an amount that is compared with the announced one', () => {
    expect(describeAnnouncedAmount('642', bitcoin)).toBe('Announced: $642.00.')
    expect(describeAnnouncedAmount('630.44', bitcoin)).toBe(
      'Announced: $642.00. This is 1.8% less than announced.',
    )
    expect(describeAnnouncedAmount('', bitcoin)).toBe('Announced: $642.00.')
  })

  it('decides with the amount what the button says', () => {
    const small = { asked: 642, creditPrice: 64_200 }
    expect(confirmWords({ amount: '642', quantity: '0.01' }, small, settings)).toBe('Credit $642.00')
    expect(confirmWords({ amount: '642', quantity: '0.02' }, small, settings)).toBe(
      'Propose credit of $642.00',
    )
    expect(confirmWords({ amount: '642' }, { ...small, firstApproval }, settings)).toBe(
      'Approve and credit $642.00',
    )
  })
})
