import { Encrypter } from 'age-encryption'
import { publicKeyOf } from './publicKey.ts'

/**
 * Encrypts a file to each of the recipients (`age1…`, X25519): any one of their identities opens it, nothing else does.
 * Format: https://age-encryption.org/v1. Refuses an empty list and any other kind of recipient.
 */
export async function seal(
  bytes: Uint8Array,
  recipients: readonly string[],
): Promise<Uint8Array<ArrayBuffer>> {
  if (recipients.length === 0) throw new Error('There is nobody to encrypt to.')
  const encrypter = new Encrypter()
  for (const recipient of recipients) {
    publicKeyOf(recipient)
    encrypter.addRecipient(recipient)
  }
  return new Uint8Array(await encrypter.encrypt(bytes))
}
