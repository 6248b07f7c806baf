import * as z from 'zod/mini'
import { parseUsd } from '../../contract/money.ts'
import type { settingsProposal } from '../../contract/operator/proposals.ts'
import type { Settings } from '../../contract/operator/settings.ts'

const amount = z
  .string()
  .check(
    z.refine((typed: string) => hundredths(typed) !== null, 'Please give an amount in USD, like 5000 or 0'),
  )

const percentage = z
  .string()
  .check(
    z.refine(
      (typed: string) => (hundredths(typed) ?? Number.POSITIVE_INFINITY) <= 100_00,
      'Please give per cent from 0 to 100, with at most two decimals',
    ),
  )

const days = z
  .string()
  .check(
    z.refine((typed: string) => daysOf(typed) !== null, 'Please give days, a whole number from 1 to 10,950'),
  )

const typedSettings = z.object({
  twoPersonLimit: amount,
  referralBonus: amount,
  minimumDeposit: amount,
  minimumWithdrawal: amount,
  performanceFee: percentage,
  subscriptionMonthly: amount,
  documentDays: days,
  personDays: days,
  rejectedDocumentDays: days,
  kycRequired: z.boolean(),
  reason: z.optional(z.string()),
})
/** The settings that need two operators, as they are typed. */
type TypedSettings = z.infer<typeof typedSettings>

/** The form's check; one that changes nothing of `current` proposes nothing. */
export function settingsFormFor(current: Settings) {
  return typedSettings.check(
    z.refine((typed: TypedSettings) => Object.keys(changedSettings(typed, current)).length > 0, {
      error: 'Please change at least one setting',
      path: ['twoPersonLimit'],
    }),
  )
}

/** What holds now, as it stands in the form when it opens. */
export function asTyped(settings: Settings): TypedSettings {
  const { minimums, fees, retention } = settings
  return {
    twoPersonLimit: settings.twoPersonLimit.toFixed(2),
    referralBonus: settings.referralBonus.toFixed(2),
    minimumDeposit: minimums.deposit.toFixed(2),
    minimumWithdrawal: minimums.withdrawal.toFixed(2),
    performanceFee: (fees.performanceBasisPoints / 100).toFixed(2),
    subscriptionMonthly: fees.subscriptionMonthly.toFixed(2),
    documentDays: String(retention.documentDays),
    personDays: String(retention.personDays),
    rejectedDocumentDays: String(retention.rejectedDocumentDays),
    kycRequired: settings.kycRequired,
  }
}

type Proposed = z.input<typeof settingsProposal>['settings']

/** What differs from `current`, as the API takes it: USD, and basis points for a percentage. */
export function changedSettings(typed: TypedSettings, current: Settings): Proposed {
  const { minimums, fees, retention } = current
  const usd = (text: string, now: number) => {
    const cents = hundredths(text)
    return cents === null || cents === Math.round(now * 100) ? undefined : cents / 100
  }
  const daysIfChanged = (key: keyof Settings['retention']) => {
    const kept = daysOf(typed[key])
    return kept === null || kept === retention[key] ? undefined : kept
  }
  const basisPoints = hundredths(typed.performanceFee) ?? undefined
  const changes: Proposed = {
    twoPersonLimit: usd(typed.twoPersonLimit, current.twoPersonLimit),
    referralBonus: usd(typed.referralBonus, current.referralBonus),
    kycRequired: typed.kycRequired === current.kycRequired ? undefined : typed.kycRequired,
    minimums: given({
      deposit: usd(typed.minimumDeposit, minimums.deposit),
      withdrawal: usd(typed.minimumWithdrawal, minimums.withdrawal),
    }),
    fees: given({
      performanceBasisPoints: basisPoints === fees.performanceBasisPoints ? undefined : basisPoints,
      subscriptionMonthly: usd(typed.subscriptionMonthly, fees.subscriptionMonthly),
    }),
    retention: given({
      documentDays: daysIfChanged('documentDays'),
      personDays: daysIfChanged('personDays'),
      rejectedDocumentDays: daysIfChanged('rejectedDocumentDays'),
    }),
  }
  return given(changes) ?? {}
}

/** Without what is undefined; undefined when nothing is left. */
function given<T extends object>(part: T): T | undefined {
  const entries = Object.entries(part).filter(([, value]) => value !== undefined)
  return entries.length === 0 ? undefined : (Object.fromEntries(entries) as T)
}

/** Cents of USD, or basis points of a percentage; zero counts, null for what is no such number. */
function hundredths(typed: string): number | null {
  const text = typed.trim()
  return /^0+(?:\.0{1,2})?$/.test(text) ? 0 : parseUsd(text)
}

function daysOf(typed: string): number | null {
  const kept = /^[1-9]\d{0,4}$/.test(typed.trim()) ? Number(typed) : 0
  return kept >= 1 && kept <= 10_950 ? kept : null
}
