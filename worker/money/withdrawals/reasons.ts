import type { StepUpReason } from '../../../src/contract/withdrawals.ts'

/**
 * For so long after a change of password, e-mail address or second factor extra proof is asked for, and a second factor does
 * not spare a new destination its hold. Migration 0042 has the same 72 hours.
 */
export const RECENT_CHANGE_MS = 72 * 3_600_000
/** What was filed within this time counts together. */
export const SHARE_WINDOW_MS = 24 * 3_600_000

/** What the need for extra proof depends on. Amounts are cents. */
export interface Circumstances {
  readonly destinationKnown: boolean
  readonly deviceKnown: boolean
  readonly securityChangedAtMs: number | null
  readonly amountCents: number
  readonly availableCents: number
  /** Filed in the last 24 hours, cancelled and rejected aside, without this one. */
  readonly filedCents: number
  readonly nowMs: number
}

/** Whether the password, the e-mail address or a second factor was changed in the last 72 hours. */
export function isRecentChange(securityChangedAtMs: number | null, nowMs: number): boolean {
  return securityChangedAtMs !== null && nowMs - securityChangedAtMs < RECENT_CHANGE_MS
}

/** Why this withdrawal needs extra proof; none when it needs none. */
export function reasonsOf(it: Circumstances): StepUpReason[] {
  const reasons: StepUpReason[] = []
  if (!it.destinationKnown) reasons.push('new_destination')
  if (!it.deviceKnown) reasons.push('new_device')
  if (isRecentChange(it.securityChangedAtMs, it.nowMs)) reasons.push('recent_security_change')
  // More than half of what was filed and what is left together. The database decides the same where requests race.
  if (it.filedCents + it.amountCents > it.availableCents - it.amountCents) reasons.push('large_share')
  return reasons
}
