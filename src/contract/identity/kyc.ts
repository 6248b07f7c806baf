import * as z from 'zod/mini'
import { toHex } from '../bytes.ts'
import { choice, filter, isoTime, message, pageQuery } from '../common.ts'
import { endpoint } from '../endpoint.ts'
import { optionalText, sampleField } from '../fields.ts'

/** The documents that prove each kind of fact. */
export const KYC_DOCUMENTS = {
  identity: ['Passport'],
  address: ['Utility bill', 'Bank statement', 'Official letter'],
} as const
export type KycKind = keyof typeof KYC_DOCUMENTS
export const KYC_KINDS = ['identity', 'address'] as const satisfies readonly KycKind[]
export const KYC_DOCUMENT_NAMES = [...KYC_DOCUMENTS.identity, ...KYC_DOCUMENTS.address] as const
export type KycDocument = (typeof KYC_DOCUMENT_NAMES)[number]

/** The fact that a document proves. */
export function getKycKind(document: KycDocument): KycKind {
  return (KYC_DOCUMENTS.identity as readonly string[]).includes(document) ? 'identity' : 'address'
}

/** A proof of address was issued at most so many months before it was sent. */
export const ADDRESS_PROOF_MONTHS = 3
export const KYC_STATUSES = ['pending', 'approved', 'rejected'] as const

/** Who encrypted a document: the browser, to the reviewers’ keys, or the server on arrival. */
export const SEALED_BY = ['browser', 'server'] as const

export const DOCUMENT_MISSING = 'Please upload a picture of your document'

export const kycRecord = z.object({
  _id: z.string(),
  status: z.enum(KYC_STATUSES),
  document: z.string(),
  /** When a proof of address was issued, as the reviewer who approved it read it. */
  issuedOn: z.optional(z.string()),
  createdAt: isoTime,
  reason: z.optional(z.string()),
  /** It was rejected for good: another document is not accepted. */
  final: z.optional(z.literal(true)),
  sealedBy: z.enum(SEALED_BY),
  /** Sent as our sample passport: the practice reviewer decides. */
  sample: z.optional(z.literal(true)),
  /** Each time a reviewer opened the document, newest first: when, and the reviewer’s name. */
  looks: z.array(z.object({ at: isoTime, by: z.string() })),
})
export type KycRecord = z.output<typeof kycRecord>

export const listKyc = endpoint('GET', '/kyc', 'signed-in', {
  summary: 'Your own identity documents, newest first. With `kind=address`, your proofs of address',
  query: z.extend(pageQuery, { kind: filter('kind', KYC_KINDS) }),
  answer: z.array(kycRecord),
})

export const submitKyc = endpoint('POST', '/kyc', 'signed-in', {
  summary: 'Submit an identity document, or a proof of address. `document` says which',
  status: 201,
  accepts: 'form',
  files: { image: DOCUMENT_MISSING },
  takesEncrypted: true,
  body: z.object({
    document: choice(KYC_DOCUMENT_NAMES, 'Please choose a verification method'),
    /** For an encrypted document: the fingerprints of its recipients, separated by commas. */
    recipients: optionalText(4000),
    /** For an encrypted document: the SHA-256 of the picture as it was encrypted, in hexadecimal. It is stored as a keyed hash, which finds equal pictures. */
    pictureHash: z.optional(
      z.string().check(z.regex(/^[0-9a-f]{64}$/, 'pictureHash is a SHA-256 of 64 digits from 0 to f')),
    ),
    sample: sampleField,
  }),
  answer: message,
  idempotent: true,
  limit: { name: 'uploads', per: 'account', max: 120, windowSeconds: 3600 },
  refusals: ['kyc_open', 'kyc_final', 'recipients_changed', 'unavailable'],
})

/** The name of the offline key in the list of recipients. */
export const RECOVERY_NAME = 'Recovery key (kept offline)'

/** A public key that a document is encrypted to: an X25519 recipient of `age`, in Bech32. */
export const AGE_RECIPIENT = /^age1[02-9ac-hj-np-z]{58}$/

/** Errors for a file that is encrypted or claims to be. */
export const SEALED_WORDS = {
  encrypted: 'This file is encrypted. Please choose the picture itself',
  notEncrypted: 'This file is marked as encrypted, but is not. We did not store it',
  badlyEncrypted: 'This file is not encrypted with age to X25519 keys only. We did not store it',
} as const

/** A public key with its owner's name and the fingerprint that people compare. */
const recipient = z.object({ recipient: z.string(), name: z.string(), fingerprint: z.string() })
export type Recipient = z.output<typeof recipient>

export const listRecipients = endpoint('GET', '/kyc/recipients', 'signed-in', {
  summary:
    'The public keys to encrypt a document to, with the recovery key last. Empty if no reviewer has a key',
  answer: z.array(recipient),
  refusals: ['unavailable'],
})

/** SHA-256 of the recipient’s text, its first 20 hexadecimal digits in groups of four: `91AF 03CD …`. */
export async function computeRecipientFingerprint(text: string): Promise<string> {
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text)))
  const digits = toHex(digest.subarray(0, 10))
  return (digits.toUpperCase().match(/.{4}/g) ?? []).join(' ')
}
