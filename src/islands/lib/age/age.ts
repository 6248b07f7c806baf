import { bech32 } from '@scure/base'
import { Decrypter, Encrypter, generateX25519Identity, identityToRecipient } from 'age-encryption'
import { AgeFault } from './AgeFault.ts'

/** Opens what was sealed to this identity. Throws an `AgeFault`: `not_sealed_to_you`, or `altered`. */
export async function open(age: Uint8Array, identity: string): Promise<Uint8Array<ArrayBuffer>> {
  return new Uint8Array(await guarded(() => decrypterOf(identity).decrypt(age)))
}

/** The key of the payload, from a whole file or its header alone. Throws as `open` does. */
export function fileKeyOf(age: Uint8Array, identity: string): Promise<Uint8Array> {
  return guarded(() => decrypterOf(identity).decryptHeader(age))
}

function decrypterOf(identity: string): Decrypter {
  const decrypter = new Decrypter()
  decrypter.addIdentity(identity)
  return decrypter
}

async function guarded<T>(run: () => Promise<T>): Promise<T> {
  try {
    return await run()
  } catch (error) {
    // The library has no other way of telling, and its version is fixed: a test holds these words.
    const isStranger = error instanceof Error && error.message.startsWith('no identity matched')
    throw new AgeFault(isStranger ? 'not_sealed_to_you' : 'altered', error)
  }
}

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

interface KeyPair {
  /** `AGE-SECRET-KEY-1…`: whoever has it opens all that is sealed to its recipient. */
  identity: string
  /** `age1…`: public. */
  recipient: string
}

/** A new key of a reviewer. X25519 and not the post-quantum kind, whose recipients the server would not count. */
export async function newKeyPair(): Promise<KeyPair> {
  const identity = await generateX25519Identity()
  return { identity, recipient: await identityToRecipient(identity) }
}

/** The 32 bytes of the X25519 key in an age recipient. Throws for anything else, such as a post-quantum recipient. */
export function publicKeyOf(recipient: string): Uint8Array {
  const { prefix, bytes } = bech32.decodeToBytes(recipient)
  if (prefix !== 'age' || bytes.length !== 32) throw new Error('This is not an X25519 recipient.')
  return bytes
}
