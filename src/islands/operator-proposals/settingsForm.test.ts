import { describe, expect, it } from 'vitest'
import { asTyped, changedSettings, settingsFormFor } from './settingsForm.ts'

const current = {
  messagingNumber: null,
  supportAddress: null,
  reasons: [],
  twoPersonLimit: 5000,
  kycRequired: true,
  referralBonus: 0,
  minimums: { deposit: 0, withdrawal: 10.5 },
  fees: { performanceBasisPoints: 1000, subscriptionMonthly: 0 },
  liabilitiesFrom: 20,
  retention: { documentDays: 1825, personDays: 1825, rejectedDocumentDays: 180 },
}
const typed = asTyped(current)

describe('the settings form', () => {
  it('proposes nothing as long as nothing differs', () => {
    expect(changedSettings(typed, current)).toEqual({})
    expect(settingsFormFor(current).safeParse(typed).error?.issues[0]?.message).toBe(
      'Please change at least one setting',
    )
  })

  it('proposes only what differs, in USD and basis points', () => {
    const changed = {
      ...typed,
      twoPersonLimit: '2500',
      minimumWithdrawal: '0',
      performanceFee: '12.5',
      personDays: '3650',
      kycRequired: false,
    }
    expect(changedSettings(changed, current)).toEqual({
      twoPersonLimit: 2500,
      kycRequired: false,
      minimums: { withdrawal: 0 },
      fees: { performanceBasisPoints: 1250 },
      retention: { personDays: 3650 },
    })
    expect(settingsFormFor(current).safeParse(changed).success).toBe(true)
  })

  it('does not take another way of writing the same amount for a change', () => {
    expect(changedSettings({ ...typed, minimumWithdrawal: ' 10.5 ', referralBonus: '0.0' }, current)).toEqual(
      {},
    )
  })

  it.each(['', '-1', '1e3', '1.234', 'many'])('refuses %j as an amount', (amount) => {
    const result = settingsFormFor(current).safeParse({ ...typed, referralBonus: amount })
    expect(result.error?.issues.map(({ path }) => path)).toContainEqual(['referralBonus'])
  })

  it.each(['', '0', '-1', '1.5', '10951', 'forever'])('refuses %j as a number of days', (days) => {
    const result = settingsFormFor(current).safeParse({ ...typed, documentDays: days })
    expect(result.error?.issues.map(({ path }) => path)).toContainEqual(['documentDays'])
  })

  it('refuses more than all of a gain as a fee', () => {
    const result = settingsFormFor(current).safeParse({ ...typed, performanceFee: '100.01' })
    expect(result.error?.issues[0]?.path).toEqual(['performanceFee'])
  })
})
