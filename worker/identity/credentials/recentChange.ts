/**
 * After a change of password, e-mail address or second factor, withdrawals need extra proof for this long, and a second
 * factor does not lift the delay of a new destination. The triggers of migrations/0007_withdrawals.sql have the same 72
 * hours.
 */
const RECENT_CHANGE_MS = 72 * 3_600_000

interface AccountSecurity {
  readonly twoFactor: boolean
  readonly securityChangedAtMs: number | null
}

/** Whether a second factor spares a new destination its delay. */
export function canLiftDelay({ twoFactor, securityChangedAtMs }: AccountSecurity, nowMs: number): boolean {
  return twoFactor && !isRecentChange(securityChangedAtMs, nowMs)
}

/** Whether the password, the e-mail address or a second factor was changed in the last 72 hours. */
export function isRecentChange(securityChangedAtMs: number | null, nowMs: number): boolean {
  return securityChangedAtMs !== null && nowMs - securityChangedAtMs < RECENT_CHANGE_MS
}
