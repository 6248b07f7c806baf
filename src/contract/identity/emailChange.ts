import * as z from 'zod/mini'
import { isoTime, LINK_PROBLEM, message } from '../common.ts'
import { endpoint } from '../endpoint.ts'
import { emailField, secretField } from '../fields.ts'

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

/** The calls that take fields. Apart from the others, which are made by a page that shows no form at first. */
export const askForEmailChange = endpoint({
  method: 'POST',
  path: '/users/email',
  scope: 'signed-in',
  summary:
    'Ask for another e-mail address: the old and the new mailbox each get a link, and both must confirm within 24 hours. The same answer whether or not the new address has an account',
  status: 200,
  body: z.object({ email: emailField(), password: secretField('Password is required') }),
  answer: message,
  requires: ['unfrozen'],
  limit: { name: 'email-change', per: 'account', max: 10, windowSeconds: 3600 },
  refusals: ['forbidden', 'account_frozen', 'wrong_password'],
})

export const confirmEmailChange = endpoint({
  method: 'POST',
  path: '/auth/confirm-email-change',
  scope: 'public',
  summary:
    'Confirm a change of e-mail address for one of the two mailboxes with its mailed token. Pressed again, it answers the same',
  status: 200,
  body: z.object({ token: secretField(LINK_PROBLEM) }),
  answer: message,
  limit: { name: 'confirm-email-change', per: 'address', max: 60, windowSeconds: 3600 },
  refusals: ['invalid_token', 'account_frozen'],
})
