import * as z from 'zod/mini'
import { isoTime, pageQuery } from '../common.ts'
import { endpoint } from '../endpoint.ts'

export const activityRow = z.object({
  _id: z.string(),
  at: isoTime,
  /** Like the action on the audit log: `deposit.requested`. Also `sign_in_failed` and `recovery_code_used`. */
  event: z.string(),
  /** The same in words. */
  label: z.string(),
  ip: z.nullable(z.string()),
  userAgent: z.nullable(z.string()),
})
export type ActivityRow = z.output<typeof activityRow>

export const listActivity = endpoint('GET', '/users/activity', 'signed-in', {
  summary: 'Events of your own account in the last 90 days, newest first. Empty if the activity log is off',
  query: pageQuery,
  answer: z.array(activityRow),
})
