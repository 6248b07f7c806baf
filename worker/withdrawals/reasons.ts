import type { StepUpReason } from '../../src/contract/withdrawals.ts'

/** A change of password or second factor asks for extra proof for so long. */
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

/** Why this withdrawal needs extra proof; none when it needs none. */
export function reasonsOf(it: Circumstances): StepUpReason[] {
  const reasons: StepUpReason[] = []
  if (!it.destinationKnown) reasons.push('new_destination')
  if (!it.deviceKnown) reasons.push('new_device')
  if (it.securityChangedAtMs !== null && it.nowMs - it.securityChangedAtMs < RECENT_CHANGE_MS)
    reasons.push('recent_security_change')
  // More than half of what was filed and what is left together. The database decides the same where requests race.
  if (it.filedCents + it.amountCents > it.availableCents - it.amountCents) reasons.push('large_share')
  return reasons
}
