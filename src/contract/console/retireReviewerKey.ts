import { endpoint } from '../endpoint.ts'
import { noBody } from './bodies.ts'
import { reviewerKey } from './reviewerKeys.ts'

export const retireReviewerKey = endpoint({
  method: 'POST',
  path: '/operator/kyc/keys/:id/retire',
  scope: 'operator:kyc.keys',
  summary:
    'Encrypt nothing to a key any more: a reviewer’s own, or, for an administrator, somebody else’s. Never the last one',
  status: 200,
  body: noBody,
  answer: reviewerKey,
  idempotent: true,
  refusals: ['already_decided', 'last_reviewer_key'],
  audit: ['reviewer_key.retired'],
})
