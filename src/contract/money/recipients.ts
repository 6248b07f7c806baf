import * as z from 'zod/mini'
import { endpoint } from '../endpoint.ts'

/** What a file is that a browser encrypted in the format `age` (https://age-encryption.org/v1). */
export const AGE_TYPE = 'application/age'

/** How the offline key is named beside the reviewers’. */
export const RECOVERY_NAME = 'Recovery key (kept offline)'

/** A public key that a document is encrypted to: an X25519 recipient of `age`, in Bech32. */
export const AGE_RECIPIENT = /^age1[02-9ac-hj-np-z]{58}$/

/** What is said against a file that is encrypted, or says so. */
export const SEALED_WORDS = {
  encrypted: 'This file is encrypted. Please choose the picture itself',
  notEncrypted: 'This file says that it is encrypted, and is not. It was not kept',
  badlyEncrypted: 'This file is not encrypted as we ask for: age, to X25519 keys alone. It was not kept',
} as const

/** A public key as people see it: whose it is, and the digits by which two of them compare what they were shown. */
const recipient = z.object({ recipient: z.string(), name: z.string(), fingerprint: z.string() })
export type Recipient = z.output<typeof recipient>

export const listRecipients = endpoint({
  method: 'GET',
  path: '/kyc/recipients',
  scope: 'signed-in',
  summary:
    'The public keys to encrypt a document to, the recovery key last; none while no reviewer has a key',
  status: 200,
  answer: z.array(recipient),
  refusals: ['unavailable'],
})

/** SHA-256 of the recipient’s text, its first 20 hexadecimal digits in groups of four: `91AF 03CD …`. */
export async function recipientFingerprint(text: string): Promise<string> {
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text)))
  const digits = Array.from(digest.subarray(0, 10), (byte) => byte.toString(16).padStart(2, '0')).join('')
  return (digits.toUpperCase().match(/.{4}/g) ?? []).join(' ')
}
