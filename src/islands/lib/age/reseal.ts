import { chacha20poly1305 } from '@noble/ciphers/chacha.js'
import { x25519 } from '@noble/curves/ed25519.js'
import { hkdf } from '@noble/hashes/hkdf.js'
import { hmac } from '@noble/hashes/hmac.js'
import { sha256 } from '@noble/hashes/sha2.js'
import { concatBytes, utf8ToBytes } from '@noble/hashes/utils.js'
import { base64nopad } from '@scure/base'
import { Stanza } from 'age-encryption'
import { AgeFault } from './AgeFault.ts'
import { decodePublicKey, decryptFileKey } from './age.ts'

/**
 * Replaces the recipients of a file: writes a new header for the same payload key and copies the payload byte for byte.
 * Former recipients who are not in `recipients` cannot open the result, but still open copies made before. Throws an
 * `AgeFault`: `not_sealed_to_you`, or `altered`.
 */
export async function reseal(
  age: Uint8Array,
  identity: string,
  recipients: readonly string[],
): Promise<Uint8Array<ArrayBuffer>> {
  if (recipients.length === 0) throw new Error('There is nobody to encrypt to.')
  const headerEnd = endOfHeader(age)
  const fileKey = await decryptFileKey(age.subarray(0, headerEnd), identity)
  return concatBytes(buildHeader(fileKey, recipients), age.subarray(headerEnd))
}

/** https://age-encryption.org/v1#header: the stanzas, then a MAC over everything up to and including the dashes. */
function buildHeader(fileKey: Uint8Array, recipients: readonly string[]): Uint8Array {
  const stanzas = recipients.map((recipient) => wrapFor(recipient, fileKey))
  const lines = stanzas.map(({ args, body }) => `-> ${args.join(' ')}\n${base64nopad.encode(body)}\n`)
  const signed = `age-encryption.org/v1\n${lines.join('')}---`
  const macKey = hkdf(sha256, fileKey, undefined, utf8ToBytes('header'), 32)
  const mac = hmac(sha256, macKey, utf8ToBytes(signed))
  return utf8ToBytes(`${signed} ${base64nopad.encode(mac)}\n`)
}

/** The offset of the payload: after the line that begins with three dashes. No line of a stanza begins so. */
function endOfHeader(age: Uint8Array): number {
  const opening = new TextDecoder('latin1').decode(age.subarray(0, LONGEST_HEADER))
  const last = /\n--- [A-Za-z0-9+/]{43}\n/.exec(opening)
  if (last === null) throw new AgeFault('altered')
  return last.index + last[0].length
}

/** In bytes. A recipient takes about a hundred. */
const LONGEST_HEADER = 64 * 1024

/**
 * Wraps a file key for one recipient, by https://age-encryption.org/v1#the-x25519-recipient-type. The library wraps only
 * file keys that it has generated itself.
 */
function wrapFor(recipient: string, fileKey: Uint8Array): Stanza {
  const theirs = decodePublicKey(recipient)
  const ephemeral = x25519.keygen()
  const shared = x25519.getSharedSecret(ephemeral.secretKey, theirs)
  const salt = concatBytes(ephemeral.publicKey, theirs)
  const key = hkdf(sha256, shared, salt, utf8ToBytes('age-encryption.org/v1/X25519'), 32)
  // The nonce may be fixed, because each key encrypts only once.
  const body = chacha20poly1305(key, new Uint8Array(12)).encrypt(fileKey)
  return new Stanza(['X25519', base64nopad.encode(ephemeral.publicKey)], body)
}
