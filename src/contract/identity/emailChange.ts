import * as z from 'zod/mini'
import { isoTime, message } from '../common.ts'
import { endpoint } from '../endpoint.ts'

/** A change that waits for one mailbox or for both. */
export const emailChange = z.object({
  newEmail: z.string(),
  askedAt: isoTime,
  /** Until then its links work. */
  expiresAt: isoTime,
  isConfirmedByPresent: z.boolean(),
  isConfirmedByNew: z.boolean(),
})
export type EmailChange = z.output<typeof emailChange>

export const getEmail = endpoint({
  method: 'GET',
  path: '/users/email',
  scope: 'signed-in',
  summary: 'One’s e-mail address, and the change of it that waits to be confirmed, if any',
  status: 200,
  answer: z.object({ email: z.string(), change: z.nullable(emailChange) }),
})

export const cancelEmailChange = endpoint({
  method: 'POST',
  path: '/users/email/cancel',
  scope: 'signed-in',
  summary: 'Call off the change of e-mail address that waits: its links are good for nothing from then on',
  status: 200,
  answer: message,
  refusals: ['already_decided'],
})
