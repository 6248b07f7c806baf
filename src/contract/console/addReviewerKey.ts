import * as z from 'zod/mini'
import { endpoint } from '../endpoint.ts'
import { FACTOR_REFUSALS, factorFields } from '../identity/factorProof.ts'
import { AGE_RECIPIENT } from '../money/recipients.ts'
import { choice, secretField } from '../text.ts'
import { KEY_METHODS } from './keyMethods.ts'
import { proposal } from './proposals.ts'

const IDENTITY_PROBLEM = 'Please send the private key encrypted, as an armored age file'

export const addReviewerKey = endpoint({
  method: 'POST',
  path: '/operator/kyc/keys',
  scope: 'operator:kyc.decide',
  summary: 'Propose a public key of one’s own. It counts once another operator has approved it',
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
