import { bech32 } from '@scure/base'
import { Decrypter, Encrypter, generateX25519Identity, identityToRecipient } from 'age-encryption'
import { AgeFault } from './AgeFault.ts'

/** Decrypts a file that was sealed to this identity. Throws an `AgeFault`: `not_sealed_to_you`, or `altered`. */
export async function open(age: Uint8Array, identity: string): Promise<Uint8Array<ArrayBuffer>> {
  return new Uint8Array(await withAgeFaults(() => createDecrypter(identity).decrypt(age)))
}

/** The key of the payload. The header of the file is enough. Throws as `open` does. */
export function decryptFileKey(age: Uint8Array, identity: string): Promise<Uint8Array> {
  return withAgeFaults(() => createDecrypter(identity).decryptHeader(age))
}

function createDecrypter(identity: string): Decrypter {
  const decrypter = new Decrypter()
  decrypter.addIdentity(identity)
  return decrypter
}

async function withAgeFaults<T>(run: () => Promise<T>): Promise<T> {
  try {
    return await run()
  } catch (error) {
    // The library offers only this message. Its version is pinned, and a test checks the message.
    const isNotRecipient = error instanceof Error && error.message.startsWith('no identity matched')
    throw new AgeFault(isNotRecipient ? 'not_sealed_to_you' : 'altered', error)
  }
}

/**
 * Encrypts a file to all recipients (`age1…`, X25519). Only their identities open it, and any one of them is enough.
 * Format: https://age-encryption.org/v1. Throws for an empty list and for other kinds of recipients.
 */
export async function seal(
  bytes: Uint8Array,
  recipients: readonly string[],
): Promise<Uint8Array<ArrayBuffer>> {
  if (recipients.length === 0) throw new Error('There is nobody to encrypt to.')
  const encrypter = new Encrypter()
  for (const recipient of recipients) {
    decodePublicKey(recipient)
    encrypter.addRecipient(recipient)
  }
  return new Uint8Array(await encrypter.encrypt(bytes))
}

interface KeyPair {
  /** `AGE-SECRET-KEY-1…`, the private key: opens everything that is sealed to `recipient`. */
  identity: string
  /** `age1…`, the public key. */
  recipient: string
}

/** Creates a reviewer's key. The server accepts X25519 recipients only, not post-quantum ones. */
export async function newKeyPair(): Promise<KeyPair> {
  const identity = await generateX25519Identity()
  return { identity, recipient: await identityToRecipient(identity) }
}

/** The 32 bytes of the X25519 key in an age recipient. Throws for anything else, such as a post-quantum recipient. */
export function decodePublicKey(recipient: string): Uint8Array {
  const { prefix, bytes } = bech32.decodeToBytes(recipient)
  if (prefix !== 'age' || bytes.length !== 32) throw new Error('This is not an X25519 recipient.')
  return bytes
}
