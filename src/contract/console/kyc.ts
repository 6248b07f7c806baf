import * as z from 'zod/mini'
import { filter, isoTime } from '../common.ts'
import { endpoint } from '../endpoint.ts'
import { requiredDay, requiredText } from '../fields.ts'
import { KYC_DOCUMENT_NAMES, KYC_KINDS, KYC_STATUSES, SEALED_BY } from '../identity/kyc.ts'
import {
  assignedFilter,
  filtersInOrder,
  investorBrief,
  personFilters,
  queuePage,
  screeningField,
  stepsField,
  toldBody,
  waitsFilter,
  workFields,
} from './cases.ts'
import { riskField, riskQuery, riskReasonField } from './risk.ts'

export const operatorKyc = z.object({
  _id: z.string(),
  ref: z.string(),
  investor: investorBrief,
  status: z.enum(KYC_STATUSES),
  createdAt: isoTime,
  kind: z.enum(KYC_KINDS),
  document: z.enum(KYC_DOCUMENT_NAMES),
  mediaType: z.string(),
  reason: z.nullable(z.string()),
  /** The name on the document, as the last reviewer who approved it read it; null before. */
  documentName: z.nullable(z.string()),
  steps: stepsField,
  /** As the reviewer who approved it read them; null if they were not recorded. */
  documentExpiresOn: z.nullable(z.string()),
  bornOn: z.nullable(z.string()),
  /** Of a proof of address: the account's address and country, to compare, and what the reviewer who approved it read. */
  address: z.optional(
    z.object({
      ofAccount: z.nullable(z.string()),
      countryOfAccount: z.string(),
      issuedOn: z.nullable(z.string()),
      country: z.nullable(z.string()),
    }),
  ),
  /** Approved, and no longer valid: it can be rejected, so that the investor sends another. */
  expired: z.optional(z.literal(true)),
  /** Rejected for good: another document is accepted once two operators agree. */
  final: z.optional(z.literal(true)),
  /** A reviewer proposed to reject it for good. Another one confirms it. */
  finalProposal: z.optional(z.object({ by: z.string(), byId: z.string(), at: isoTime, reason: z.string() })),
  sealedBy: z.enum(SEALED_BY),
  /** Fingerprints of the keys that open a document sealed by the browser; empty if the server encrypted it. */
  sealedTo: z.array(z.string()),
  /** Sealed by a browser to outdated keys: a reviewer’s browser has to reseal it. */
  outdated: z.boolean(),
  /** Sent as our sample passport: the practice reviewer approves it. */
  sample: z.optional(z.literal(true)),
  ...workFields,
  screening: screeningField,
  risk: riskField,
})

export type OperatorKyc = z.output<typeof operatorKyc>

export const getKycDocument = endpoint('GET', '/operator/kyc/:id/document', 'operator:kyc.documents', {
  summary:
    'The document, decrypted for this answer only, or as application/age if a browser encrypted it. Each view is recorded',
  answerType: 'image/*',
  audit: ['kyc.document_viewed'],
})

export const resealKycDocument = endpoint('PUT', '/operator/kyc/:id/document', 'operator:kyc.decide', {
  summary: 'Reseal a document to the current keys: a new header before the same encrypted bytes',
  accepts: 'form',
  files: { image: 'Please send the encrypted document' },
  takesEncrypted: 'only',
  body: z.object({
    /** The fingerprints of the new recipients, separated by commas. */
    recipients: requiredText('Please name the keys that the document is encrypted to', 4000),
  }),
  answer: operatorKyc,
  refusals: ['recipients_changed', 'conflict', 'unavailable'],
  audit: ['kyc.document_resealed'],
})

/** What the reviewer reads on an identity document. All of it is required. */
export const identityData = z.object({
  /** Payees are compared with it. */
  documentName: requiredText('Please enter the name as it is on the document', 140),
  /** Stored as a keyed hash, which finds equal numbers and cannot be read. */
  documentNumber: requiredText('Please enter the number of the document', 40),
  bornOn: requiredDay('Please enter the date of birth'),
  expiresOn: requiredDay('Please enter the day on which it expires'),
})

/** What the reviewer reads on a proof of address. All of it is required. */
export const addressData = z.object({
  issuedOn: requiredDay('Please enter the day on which it was issued'),
  country: requiredText('Please enter the country of the address', 120),
})

const NO_OPERATOR = 'despiteProposalOf is the id of an operator'
/** The operator whose proposal to reject for good the caller has read, and decides against. Without it, the decision is refused `conflict`. */
const despiteProposalOf = z.optional(z.string(NO_OPERATOR).check(z.regex(/^[\w-]{1,64}$/, NO_OPERATOR)))

/** The fields of `identityData` or of `addressData`: the kind of the document says which, and the server requires all of them. */
export const approveKycBody = z.optional(
  z.extend(z.partial(z.extend(identityData, addressData.shape)), {
    riskReason: riskReasonField,
    despiteProposalOf,
  }),
)

export const rejectKycBody = z.extend(toldBody, {
  /** No other document is accepted. */
  final: z.optional(z.boolean({ error: 'final is true or false' })),
  despiteProposalOf,
})

export const approveKyc = endpoint('POST', '/operator/kyc/:id/approve', 'operator:kyc.decide', {
  summary:
    'Approve an identity document with the data on it: `documentName`, with which payees are compared, `documentNumber`, `bornOn` and `expiresOn`. The caller opens the document first. Refuses an expired document and a person under 18. A proof of address takes `issuedOn`, at most three months before it was sent, and `country` instead',
  body: approveKycBody,
  answer: operatorKyc,
  idempotent: true,
  refusals: [
    ...(['already_decided', 'same_document', 'case_assigned', 'reason_required'] as const),
    ...(['sanctions_hit_open', 'conflict', 'document_not_opened'] as const),
  ],
  audit: ['kyc.approved', 'risk.accepted'],
})

export const rejectKyc = endpoint('POST', '/operator/kyc/:id/reject', 'operator:kyc.decide', {
  summary:
    'Reject an identity document, and tell the investor why. An approved document can be rejected once it has expired. `final` takes two reviewers. The first call proposes it (202). The call of another reviewer rejects. Both open the document first. The investor then cannot send another document until two operators agree',
  statusAwaiting: 202,
  body: rejectKycBody,
  answer: operatorKyc,
  idempotent: true,
  refusals: [
    'already_decided',
    'case_assigned',
    'second_operator_required',
    'conflict',
    'document_not_opened',
  ],
  audit: ['kyc.rejected', 'kyc.final_proposed'],
})

export const listKycQueue = endpoint('GET', '/operator/kyc', 'operator:kyc.read', {
  summary:
    'Identity documents and proofs of address, newest first, or oldest first with `order=oldest`. `query` is a part of the investor’s name or e-mail address, or a reference. `outdated=true` selects documents sealed to outdated keys, `expired=true` those that are no longer valid. `assigned` selects the caller’s own cases, or unassigned ones. `format=csv` returns all matching ones as a file, without the pictures',
  query: z
    .object({
      ...queuePage,
      ...personFilters,
      ...riskQuery,
      status: filter('status', KYC_STATUSES),
      assigned: assignedFilter,
      waits: waitsFilter,
      expired: z.optional(z.enum(['true', ''], { error: 'expired is true, or left out' })),
      outdated: z.optional(z.enum(['true', ''], { error: 'outdated is true, or left out' })),
    })
    .check(filtersInOrder),
  answer: z.array(operatorKyc),
  audit: ['kyc.exported'],
  findsPeopleBy: 'query',
})

/** Where a document was encrypted, on screens and in exported files. */
export const SEALED_WORDS: Readonly<Record<(typeof SEALED_BY)[number], string>> = {
  browser: 'In the investor’s browser',
  server: 'By our server',
}
