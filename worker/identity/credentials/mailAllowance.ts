import type { Call } from '../../http/call.ts'
import { hasRateLimits } from '../../lib/env.ts'
import type { MailCap } from '../../lib/mail/outbox.ts'
import { countInWindow } from '../../lib/rateCounters.ts'

/** The most mails of one kind that requests can trigger to one account. */
export interface MailAllowance {
  readonly name: string
  readonly max: number
  readonly windowMs: number
}

const HOUR_MS = 3_600_000

export const VERIFICATION_MAILS: MailAllowance = { name: 'mail-verify', max: 10, windowMs: 24 * HOUR_MS }
export const RESET_MAILS: MailAllowance = { name: 'mail-reset', max: 10, windowMs: HOUR_MS }
/** The window is as long as a link works, so that another person's requests leave the owner a link that works. */
export const SIGN_IN_LINK_MAILS: MailAllowance = { name: 'mail-sign-in-link', max: 3, windowMs: HOUR_MS / 4 }
export const REGISTERED_ALREADY_MAILS: MailAllowance = {
  name: 'mail-registered',
  max: 3,
  windowMs: 24 * HOUR_MS,
}

/** One account's allowance, for a mail that is counted in the batch that sends it. */
export function toMailCap({ name, max, windowMs }: MailAllowance, userId: string): MailCap {
  return { key: `${name}:account:${userId}`, max, windowMs }
}

/**
 * Counts a mail and returns whether it may be sent. The caller answers the same either way, so that the answer does not reveal
 * who has an account.
 */
export async function takeMailAllowance(
  call: Call,
  userId: string,
  allowance: MailAllowance,
): Promise<boolean> {
  if (!hasRateLimits(call.env)) return true
  const row = await call.env.DB.prepare(
    `INSERT INTO rate_counters (key, window_start, used) VALUES (?1, ?2, 1)
     ${countInWindow(allowance.windowMs)} RETURNING used`,
  )
    .bind(`${allowance.name}:account:${userId}`, call.nowMs)
    .first<{ used: number }>()
  return row !== null && row.used <= allowance.max
}
