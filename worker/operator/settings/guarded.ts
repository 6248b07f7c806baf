import type { GuardedSettings } from '../../../src/contract/operator/settingRules.ts'

/** The settings among these that need two operators, without what was left out; null when none is named. */
export function guardedPart(body: GuardedSettings): GuardedSettings | null {
  const { twoPersonLimit, kycRequired, referralBonus, liabilitiesFrom, minimums, fees, retention } = body
  return named({
    twoPersonLimit,
    kycRequired,
    referralBonus,
    liabilitiesFrom,
    minimums: named(minimums) ?? undefined,
    fees: named(fees) ?? undefined,
    retention: named(retention) ?? undefined,
  })
}

function named<T extends object>(part: T | undefined): T | null {
  const entries = Object.entries(part ?? {}).filter(([, value]) => value !== undefined)
  return entries.length === 0 ? null : (Object.fromEntries(entries) as T)
}
