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

export const getEmail = endpoint('GET', '/users/email', 'signed-in', {
  summary: 'One’s e-mail address, and the change of it that waits to be confirmed, if any',
  answer: z.object({ email: z.string(), change: z.nullable(emailChange) }),
})

export const cancelEmailChange = endpoint('POST', '/users/email/cancel', 'signed-in', {
  summary: 'Call off the change of e-mail address that waits: its links are good for nothing from then on',
  answer: message,
  refusals: ['already_decided'],
})

/** The calls that take fields. Apart from the others, which are made by a page that shows no form at first. */
export const askForEmailChange = endpoint('POST', '/users/email', 'signed-in', {
  summary:
    'Ask for another e-mail address: the old and the new mailbox each get a link, and both must confirm within 24 hours. The same answer whether or not the new address has an account',
  body: z.object({ email: emailField(), password: secretField('Password is required') }),
  answer: message,
  requires: ['unfrozen'],
  limit: { name: 'email-change', per: 'account', max: 10, windowSeconds: 3600 },
  refusals: ['forbidden', 'account_frozen', 'wrong_password'],
})

export const confirmEmailChange = endpoint('POST', '/auth/confirm-email-change', 'public', {
  summary:
    'Confirm a change of e-mail address for one of the two mailboxes with its mailed token. Pressed again, it answers the same',
  body: z.object({ token: secretField(LINK_PROBLEM) }),
  answer: message,
  limit: { name: 'confirm-email-change', per: 'address', max: 60, windowSeconds: 3600 },
  refusals: ['invalid_token', 'account_frozen'],
})
