import * as z from 'zod/mini'
import { isoTime, LINK_PROBLEM, message } from '../common.ts'
import { endpoint } from '../endpoint.ts'
import { emailField, secretField } from '../fields.ts'

/** A change that one or both mailboxes still have to confirm. */
export const emailChange = z.object({
  newEmail: z.string(),
  askedAt: isoTime,
  /** Its links work until then. */
  expiresAt: isoTime,
  isConfirmedByPresent: z.boolean(),
  isConfirmedByNew: z.boolean(),
})
export type EmailChange = z.output<typeof emailChange>

export const getEmail = endpoint('GET', '/users/email', 'signed-in', {
  summary: 'Your own e-mail address and its pending change, if any',
  answer: z.object({ email: z.string(), change: z.nullable(emailChange) }),
})

export const cancelEmailChange = endpoint('POST', '/users/email/cancel', 'signed-in', {
  summary: 'Cancel the pending change of e-mail address: its links stop working',
  answer: message,
  refusals: ['already_decided'],
})

export const requestEmailChange = endpoint('POST', '/users/email', 'signed-in', {
  summary:
    'Request a change of e-mail address. The old and the new mailbox each get a link, and both must confirm within 24 hours. The answer is the same whether or not the new address has an account',
  body: z.object({ email: emailField(), password: secretField('Password is required') }),
  answer: message,
  requires: ['unfrozen'],
  limit: { name: 'email-change', per: 'account', max: 10, windowSeconds: 3600 },
  refusals: ['forbidden', 'account_frozen', 'wrong_password'],
})

export const confirmEmailChange = endpoint('POST', '/auth/confirm-email-change', 'public', {
  summary:
    'Confirm a change of e-mail address for one of the two mailboxes with its mailed token. Idempotent: a repeated call returns the same answer',
  body: z.object({ token: secretField(LINK_PROBLEM) }),
  answer: message,
  limit: { name: 'confirm-email-change', per: 'address', max: 60, windowSeconds: 3600 },
  refusals: ['invalid_token', 'account_frozen'],
})
