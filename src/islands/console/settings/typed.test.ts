import { describe, expect, it } from 'vitest'
import { listGroupKeys } from './SettingsGroup.tsx'
import { buildInitialInput, buildPatchBody, buildSettingsSchema, collectChanges } from './settingsInput.ts'

const now = {
  messagingNumber: null,
  factorMinutes: 15,
  confidentialRole: 'administrator' as const,
  silentFreezeDays: 14,
  notificationsPerDay: 20,
  automaticCredit: 5000,
  addressGap: 1000,
  quoteMinutesBitcoin: 60,
  quoteMinutesEthereum: 15,
  orderCollar: 100,
  orderMost: 10000,
  orderDayMost: 50000,
  reserveShortfall: 100,
  supportAddress: 'help@example.com',
  reasons: {
    depositRejection: [],
    withdrawalRejection: [],
    identityRejection: [],
    freeze: [],
    disabling: [],
    proposalRejection: [],
    suspension: [],
    reversal: [],
    bonus: [],
  },
  twoPersonLimit: 5000,
  dailyCeilings: { creditsAlone: 25_000, payoutsAlone: 25_000, credits: 10_000_000, payouts: 10_000_000 },
  kycRequired: true,
  referralBonus: 0,
  referral: { minimumDeposit: 100, maturityDays: 30 },
  minimums: {
    deposit: 0,
    withdrawal: 10.5,
    btc: 10,
    eth: 10,
    'usdt-trc20': 5,
    'usdt-bsc': 1,
    'usdt-erc20': 10,
    'usdc-erc20': 10,
  },
  fees: { performanceBasisPoints: 1000, subscriptionMonthly: 0 },
  liabilitiesFrom: 20,
  retention: { documentDays: 1825, personDays: 1825, rejectedDocumentDays: 180 },
}
const limits = listGroupKeys('Limits')

/** The form's error for one field, alone in its group. */
function problemOf(key: Parameters<typeof buildInitialInput>[0][number], typed: string): string | undefined {
  return buildSettingsSchema([key], now).safeParse({ [key]: typed }).error?.issues[0]?.message
}

describe('settings as they are typed', () => {
  it('are none that change as long as nothing differs, however it is written', () => {
    const typed = {
      ...buildInitialInput(limits, now),
      'minimums.withdrawal': ' 10.5 ',
      twoPersonLimit: '5000',
    }
    expect(collectChanges(limits, typed, now)).toEqual(new Map())
    expect(buildSettingsSchema(limits, now).safeParse(typed).error?.issues).toMatchObject([
      { message: 'Please change at least one setting', path: ['twoPersonLimit'] },
    ])
  })

  it('are sent where they differ, in USD and basis points, a group’s parts together', () => {
    const keys = [
      ...limits,
      ...listGroupKeys('Fees'),
      ...listGroupKeys('Identity'),
      ...listGroupKeys('Contact'),
    ]
    const typed = {
      ...buildInitialInput(keys, now),
      twoPersonLimit: '2500',
      'minimums.withdrawal': '0',
      'fees.performanceBasisPoints': '12.5',
      kycRequired: 'false',
      supportAddress: '',
    }
    expect(buildSettingsSchema(keys, now).safeParse(typed).success).toBe(true)
    expect(buildPatchBody(collectChanges(keys, typed, now), 'Costs')).toEqual({
      twoPersonLimit: 2500,
      minimums: { withdrawal: 0 },
      fees: { performanceBasisPoints: 1250 },
      kycRequired: false,
      supportAddress: null,
      reason: 'Costs',
    })
  })

  it.each(['', '-1', '1e3', '1.234', 'many'])('are refused where %j is no amount', (typed) => {
    expect(problemOf('referralBonus', typed)).toMatch('amount in USD')
  })

  it.each(['', '0', '-1', '1.5', '10951', 'forever'])(
    'are refused where %j is no number of days',
    (typed) => {
      expect(problemOf('retention.documentDays', typed)).toBe(
        'Please give days, a whole number from 1 to 10,950',
      )
    },
  )

  it('are refused where a fee is more than all of a gain', () => {
    expect(problemOf('fees.performanceBasisPoints', '100.01')).toMatch('percentage from 0 to 100')
    expect(problemOf('fees.performanceBasisPoints', '100')).toBeUndefined()
  })
})
