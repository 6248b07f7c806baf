import * as z from 'zod/mini'
import { isoTime, page } from '../common.ts'
import { endpoint } from '../endpoint.ts'
import { KYC_DOCUMENTS, KYC_STATUSES } from '../kyc.ts'
import { noBody, reasonBody } from './bodies.ts'
import { investorBrief } from './investorBrief.ts'

export const operatorKyc = z.object({
  _id: z.string(),
  ref: z.string(),
  investor: investorBrief,
  status: z.enum(KYC_STATUSES),
  createdAt: isoTime,
  document: z.enum(KYC_DOCUMENTS),
  mediaType: z.string(),
  reason: z.nullable(z.string()),
  decidedBy: z.nullable(z.string()),
})

export type OperatorKyc = z.output<typeof operatorKyc>

const kycStatusFilter = z.optional(
  z.enum([...KYC_STATUSES, ''], { error: 'status is one of pending, approved, rejected' }),
)

export const listKycQueue = endpoint({
  method: 'GET',
  path: '/operator/kyc',
  scope: 'operator:kyc.read',
  summary: 'Identity documents submitted, newest first',
  status: 200,
  query: z.object({ ...page, status: kycStatusFilter }),
  answer: z.array(operatorKyc),
})

export const getKycDocument = endpoint({
  method: 'GET',
  path: '/operator/kyc/:id/document',
  scope: 'operator:kyc.read',
  summary: 'The document, decrypted for this one answer. Each look is on the audit log',
  status: 200,
  answerType: 'image/*',
})

export const approveKyc = endpoint({
  method: 'POST',
  path: '/operator/kyc/:id/approve',
  scope: 'operator:kyc.decide',
  summary: 'Approve an identity document',
  status: 200,
  body: noBody,
  answer: operatorKyc,
  idempotent: true,
  refusals: ['already_decided'],
})

export const rejectKyc = endpoint({
  method: 'POST',
  path: '/operator/kyc/:id/reject',
  scope: 'operator:kyc.decide',
  summary: 'Reject an identity document with a reason the investor reads',
  status: 200,
  body: reasonBody,
  answer: operatorKyc,
  idempotent: true,
  refusals: ['already_decided'],
})
