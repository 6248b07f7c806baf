import * as z from 'zod/mini'
import { isoTime, message, pageQuery } from '../common.ts'
import { endpoint } from '../endpoint.ts'
import { choice, optionalText } from '../text.ts'

export const KYC_DOCUMENTS = ['Passport'] as const
export const KYC_STATUSES = ['pending', 'approved', 'rejected'] as const

/** Who encrypted a document: the browser, to the reviewers’ keys, or the server as it came. */
export const SEALED_BY = ['browser', 'server'] as const

export const DOCUMENT_MISSING = 'Please upload a picture of your document'

export const kycRecord = z.object({
  _id: z.string(),
  status: z.enum(KYC_STATUSES),
  document: z.string(),
  createdAt: isoTime,
  reason: z.optional(z.string()),
  sealedBy: z.enum(SEALED_BY),
  /** Each time that a reviewer was given the document, newest first: when, and the reviewer’s name. */
  looks: z.array(z.object({ at: isoTime, by: z.string() })),
})
export type KycRecord = z.output<typeof kycRecord>

export const listKyc = endpoint({
  method: 'GET',
  path: '/kyc',
  scope: 'signed-in',
  summary: 'The identity documents submitted, newest first',
  status: 200,
  query: pageQuery,
  answer: z.array(kycRecord),
})

export const submitKyc = endpoint({
  method: 'POST',
  path: '/kyc',
  scope: 'signed-in',
  summary: 'Submit an identity document',
  status: 201,
  accepts: 'form',
  files: { image: DOCUMENT_MISSING },
  takesEncrypted: true,
  body: z.object({
    document: choice(KYC_DOCUMENTS, 'Please choose a verification method'),
    /** With an encrypted document: the fingerprints of what it is encrypted to, separated by commas. */
    recipients: optionalText(4000),
  }),
  answer: message,
  idempotent: true,
  limit: { name: 'uploads', per: 'account', max: 120, windowSeconds: 3600 },
  refusals: ['kyc_open', 'recipients_changed', 'unavailable'],
})
