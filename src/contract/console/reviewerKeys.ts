import * as z from 'zod/mini'
import { isoTime } from '../common.ts'
import { endpoint } from '../endpoint.ts'
import { KEY_METHODS } from './keyMethods.ts'

const KEY_STATUSES = ['awaiting', 'active', 'retired'] as const

export const reviewerKey = z.object({
  _id: z.string(),
  owner: z.object({ _id: z.string(), name: z.string() }),
  recipient: z.string(),
  fingerprint: z.string(),
  method: z.enum(KEY_METHODS),
  status: z.enum(KEY_STATUSES),
  createdAt: isoTime,
  own: z.boolean(),
  /** False of somebody who is disabled, or has another role by now: their key is in use only while no other is. */
  ownerReviews: z.boolean(),
  /** On one’s own rows: the private key, encrypted with one’s passphrase or passkey; the server cannot read it. */
  identity: z.optional(z.string()),
})
export type ReviewerKey = z.output<typeof reviewerKey>

export const listReviewerKeys = endpoint({
  method: 'GET',
  path: '/operator/kyc/keys',
  scope: 'operator:kyc.read',
  summary: 'The reviewers’ public keys, newest first; those that were rejected aside',
  status: 200,
  answer: z.array(reviewerKey),
})
