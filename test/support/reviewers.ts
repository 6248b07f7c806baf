import { env } from 'cloudflare:workers'
import { sha256 } from '@noble/hashes/sha2.js'
import { Encrypter, generateX25519Identity, identityToRecipient } from 'age-encryption'
import { toHex } from '../../src/contract/bytes.ts'
import { computeRecipientFingerprint, type Recipient } from '../../src/contract/identity/kyc.ts'
import { seedActiveKey } from '../../worker/dev/seed/reviewerKeys.ts'
import { SAMPLE_KEYS } from '../../worker/dev/seed/sampleKeys.ts'
import { openDatabase, runBatch } from '../../worker/lib/database.ts'
import { call, type Reply } from './http.ts'
import { newOperator, type Operator } from './people.ts'

/** An operator with an active key, and the private key, which real reviewers only have behind a passphrase. */
export interface Reviewer extends Operator {
  readonly recipient: string
  readonly identity: string
}

/** A private key as a browser stores it. The server cannot read its content, so any will do. */
export const SEALED_IDENTITY = SAMPLE_KEYS.operator.identity

export async function newKeyPair(): Promise<{ readonly recipient: string; readonly identity: string }> {
  const identity = await generateX25519Identity()
  return { identity, recipient: await identityToRecipient(identity) }
}

/** A reviewer with a key that another operator approved, by SQL. */
export async function newReviewer(name = 'Rea Viewer'): Promise<Reviewer> {
  const [operator, other, pair] = await Promise.all([newOperator({ name }), newOperator(), newKeyPair()])
  const db = openDatabase(env.DB)
  const key = {
    owner: operator.id,
    approver: other.id,
    recipient: pair.recipient,
    identity: SEALED_IDENTITY,
  }
  await runBatch(db, await seedActiveKey(db, key, Date.now()))
  return { ...operator, ...pair }
}

/** The recipients that a browser encrypts to. */
export async function recipientsFor(person: { readonly token: string }): Promise<Recipient[]> {
  const { body } = await call<Recipient[]>('GET', '/kyc/recipients', { token: person.token })
  return body
}

/** Encrypts as the browser does. */
export async function sealTo(
  recipients: readonly { readonly recipient: string }[],
  bytes: Uint8Array,
): Promise<Uint8Array<ArrayBuffer>> {
  const encrypter = new Encrypter()
  for (const { recipient } of recipients) encrypter.addRecipient(recipient)
  return new Uint8Array(await encrypter.encrypt(bytes))
}

export function ageFile(bytes: Uint8Array<ArrayBuffer>, type = 'application/age'): Blob {
  return new Blob([bytes], { type })
}

/** Sends an encrypted document, by default to the current keys. */
export async function submitSealed(
  person: { readonly token: string },
  picture: Uint8Array,
  recipients?: readonly Recipient[],
): Promise<Reply<{ readonly msg: string; readonly code: string }>> {
  const to = recipients ?? (await recipientsFor(person))
  return call('POST', '/kyc', {
    token: person.token,
    form: {
      document: 'Passport',
      image: ageFile(await sealTo(to, picture)),
      recipients: fingerprintsOf(to),
      pictureHash: toHex(sha256(picture)),
    },
  })
}

export function fingerprintsOf(recipients: readonly Recipient[]): string {
  return recipients.map(({ fingerprint }) => fingerprint).join(',')
}

/** These keys in the API's format. */
export function asRecipients(...recipients: readonly string[]): Promise<Recipient[]> {
  return Promise.all(
    recipients.map(async (recipient) => ({
      recipient,
      name: '',
      fingerprint: await computeRecipientFingerprint(recipient),
    })),
  )
}
