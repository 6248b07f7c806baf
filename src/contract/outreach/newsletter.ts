import * as z from 'zod/mini'
import { LINK_PROBLEM, message } from '../common.ts'
import { endpoint } from '../endpoint.ts'
import { emailField, secretField } from '../fields.ts'

export const subscribeToNewsletter = endpoint('POST', '/newsletter', 'public', {
  summary: 'Request the newsletter: mails a confirmation link. Always the same answer',
  status: 202,
  body: z.object({ email: emailField() }),
  answer: message,
  limit: { name: 'newsletter', per: 'address', max: 60, windowSeconds: 3600 },
})

const mailedToken = z.object({ token: secretField(LINK_PROBLEM) })

export const confirmSubscription = endpoint('POST', '/newsletter/confirm', 'public', {
  summary:
    'Confirm the newsletter with the mailed token. Idempotent: a repeated call returns the same answer',
  accepts: 'anything',
  body: mailedToken,
  answer: message,
  limit: { name: 'newsletter-confirm', per: 'address', max: 300, windowSeconds: 3600 },
  refusals: ['invalid_token'],
})

/** No limit: a mail provider sends the unsubscribe requests of all its users from a few addresses (RFC 8058). */
export const unsubscribeFromNewsletter = endpoint('POST', '/newsletter/unsubscribe', 'public', {
  summary: 'Unsubscribe from the newsletter with the token of any of its mails, in one click (RFC 8058)',
  accepts: 'anything',
  body: mailedToken,
  answer: message,
  refusals: ['invalid_token'],
})
