import { describe, expect, it } from 'vitest'
import type { Settings } from '../../../contract/console/settingValues.ts'
import { WORK_KIND_NAMES } from '../../../contract/console/work.ts'
import { buildPatchBody, buildSettingSchema, parseTyped } from './settingsInput.ts'

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
    addressRejection: [],
    finalRejection: [],
    recoveryRejection: [],
    freeze: [],
    disabling: [],
    proposalRejection: [],
    suspension: [],
    reversal: [],
    bonus: [],
  },
  templates: {
    depositPending: [],
    depositDecided: [],
    withdrawalPending: [],
    withdrawalApproved: [],
    withdrawalDecided: [],
    withdrawalHeld: [],
    identityPending: [],
    identityRejected: [],
    factorLost: [],
    accountLocked: [],
    depositQuestion: [],
    withdrawalQuestion: [],
    identityQuestion: [],
    account: [],
    general: [],
  },
  twoPersonLimit: 5000,
  dailyCeilings: { creditsAlone: 25_000, payoutsAlone: 25_000, credits: 10_000_000, payouts: 10_000_000 },
  targets: Object.fromEntries(WORK_KIND_NAMES.map((kind) => [kind, 24])) as Settings['targets'],
  kycRequired: true,
  addressProofAbove: 0,
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
  // None of its points is typed here.
  risk: {} as Settings['risk'],
}

/** The form's error for a field. */
function findProblem(key: Parameters<typeof buildSettingSchema>[0], typed: string): string | undefined {
  return buildSettingSchema(key, now).safeParse({ [key]: typed }).error?.issues[0]?.message
}

describe('settings as they are typed', () => {
  it('are no change as long as nothing differs, however it is written', () => {
    expect(findProblem('minimums.withdrawal', ' 10.5 ')).toBe('This is the current value')
    expect(findProblem('twoPersonLimit', '5000')).toBe('This is the current value')
  })

  it.each([
    ['twoPersonLimit', '2500', { twoPersonLimit: 2500 }],
    ['minimums.withdrawal', '0', { minimums: { withdrawal: 0 } }],
    ['fees.performanceBasisPoints', '12.5', { fees: { performanceBasisPoints: 1250 } }],
    ['kycRequired', 'false', { kycRequired: false }],
    ['supportAddress', '', { supportAddress: null }],
  ] as const)('are sent in USD and basis points: %s', (key, typed, body) => {
    expect(findProblem(key, typed)).toBeUndefined()
    expect(buildPatchBody(key, parseTyped(key, { [key]: typed }), 'Costs')).toEqual({
      ...body,
      reason: 'Costs',
    })
  })

  it.each(['', '-1', '1e3', '1.234', 'many'])('are refused where %j is no amount', (typed) => {
    expect(findProblem('referralBonus', typed)).toMatch('amount in USD')
  })

  it.each(['', '0', '-1', '1.5', '10951', 'forever'])(
    'are refused where %j is no number of days',
    (typed) => {
      expect(findProblem('retention.documentDays', typed)).toBe(
        'Please give days, a whole number from 1 to 10,950',
      )
    },
  )

  it('are refused where a fee is more than all of a gain', () => {
    expect(findProblem('fees.performanceBasisPoints', '100.01')).toMatch('percentage from 0 to 100')
    expect(findProblem('fees.performanceBasisPoints', '100')).toBeUndefined()
  })
})
