import * as z from 'zod/mini'
import { isoTime, pageQuery } from '../common.ts'
import { endpoint } from '../endpoint.ts'

/** The events of the activity log: what owners did with their account, and attempts with its address. */
export const ACTIVITY_EVENTS = [
  'account_opened',
  'email_verified',
  'signed_in',
  'signed_in_by_link',
  'sign_in_failed',
  'recovery_code_used',
  'signed_out',
  'session_ended',
  'password_changed',
  'password_reset',
  'two_factor_enabled',
  'two_factor_disabled',
  'recovery_codes_renewed',
  'passkey_added',
  'passkey_renamed',
  'passkey_removed',
  'email_change_asked',
  'email_change_cancelled',
  'email_changed',
  'account_locked',
  'factor_recovery_filed',
  'factor_recovery_stopped',
  'profile_changed',
  'preferences_changed',
  'data_downloaded',
  'destination_saved',
  'destination_renamed',
  'destination_removed',
  'deposit_requested',
  'deposit_cancelled',
  'withdrawal_requested',
  'withdrawal_cancelled',
  'allocation_requested',
  'redemption_requested',
  'order_cancelled',
  'identity_submitted',
] as const
export type ActivityEvent = (typeof ACTIVITY_EVENTS)[number]

export const activityRow = z.object({
  _id: z.string(),
  at: isoTime,
  event: z.enum(ACTIVITY_EVENTS),
  ip: z.nullable(z.string()),
  userAgent: z.nullable(z.string()),
})
export type ActivityRow = z.output<typeof activityRow>

export const listActivity = endpoint('GET', '/users/activity', 'signed-in', {
  summary: 'Events of your own account in the last 90 days, newest first. Empty if the activity log is off',
  query: pageQuery,
  answer: z.array(activityRow),
})
