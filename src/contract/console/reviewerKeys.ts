import * as z from 'zod/mini'
import { choice, isoTime } from '../common.ts'
import { endpoint } from '../endpoint.ts'
import { secretField } from '../fields.ts'
import { FACTOR_REFUSALS, factorFields } from '../identity/factors.ts'
import { AGE_RECIPIENT } from '../identity/kyc.ts'
import { noBody, stepsField } from './cases.ts'
import { KEY_METHODS, proposal } from './proposals.ts'

const KEY_STATUSES = ['awaiting', 'active', 'retired'] as const

export const reviewerKey = z.object({
  _id: z.string(),
  owner: z.object({ _id: z.string(), name: z.string() }),
  recipient: z.string(),
  fingerprint: z.string(),
  method: z.enum(KEY_METHODS),
  status: z.enum(KEY_STATUSES),
  createdAt: isoTime,
  steps: stepsField,
  own: z.boolean(),
  /** False if the owner is disabled or no longer a reviewer. Such a key is used only while there is no other. */
  ownerReviews: z.boolean(),
  /**
   * Only on the caller's own keys: the private key, encrypted with a passphrase or passkey. The server cannot read it.
   */
  identity: z.optional(z.string()),
})
export type ReviewerKey = z.output<typeof reviewerKey>

export const listReviewerKeys = endpoint('GET', '/operator/kyc/keys', 'operator:kyc.read', {
  summary: 'The reviewers’ public keys, newest first, without rejected ones',
  answer: z.array(reviewerKey),
})

const IDENTITY_PROBLEM = 'Please send the private key encrypted, as an armored age file'

export const addReviewerKey = endpoint('POST', '/operator/kyc/keys', 'operator:kyc.own_key', {
  summary: 'Propose your own public key. It is used once another operator has approved it',
  status: 202,
  body: z.object({
    recipient: z
      .string({ error: 'Please give the public key' })
      .check(z.regex(AGE_RECIPIENT, 'Please give a public key of age: age1 and 58 characters')),
    identity: z.string({ error: IDENTITY_PROBLEM }).check(z.maxLength(8192, IDENTITY_PROBLEM)),
    method: choice(KEY_METHODS, 'method is passphrase or passkey'),
    password: secretField('Please enter your password'),
    ...factorFields,
  }),
  answer: proposal,
  idempotent: true,
  limit: { name: 'reviewer-keys', per: 'account', max: 20, windowSeconds: 3600 },
  asksFactor: true,
  refusals: ['wrong_password', 'conflict', ...FACTOR_REFUSALS, 'unavailable'],
  audit: ['reviewer_key.proposed'],
})

export const retireReviewerKey = endpoint('POST', '/operator/kyc/keys/:id/retire', 'operator:kyc.keys', {
  summary:
    'Retire a key, so that nothing more is encrypted to it: your own, or as an administrator another reviewer’s. The last key cannot be retired',
  body: noBody,
  answer: reviewerKey,
  idempotent: true,
  refusals: ['already_decided', 'last_reviewer_key'],
  audit: ['reviewer_key.retired'],
})
