import { chacha20poly1305 } from '@noble/ciphers/chacha.js'
import { x25519 } from '@noble/curves/ed25519.js'
import { hkdf } from '@noble/hashes/hkdf.js'
import { hmac } from '@noble/hashes/hmac.js'
import { sha256 } from '@noble/hashes/sha2.js'
import { concatBytes, utf8ToBytes } from '@noble/hashes/utils.js'
import { base64nopad } from '@scure/base'
import { Stanza } from 'age-encryption'
import { AgeFault } from './AgeFault.ts'
import { fileKeyOf, publicKeyOf } from './age.ts'

/**
 * The same file for other recipients: a new header for the key that the payload is encrypted with, and the payload byte
 * for byte. Whoever could open it before and is not among `recipients` cannot open what this answers; a copy made
 * earlier they still can. Throws an `AgeFault`: `not_sealed_to_you`, or `altered`.
 */
export async function reseal(
  age: Uint8Array,
  identity: string,
  recipients: readonly string[],
): Promise<Uint8Array<ArrayBuffer>> {
  if (recipients.length === 0) throw new Error('There is nobody to encrypt to.')
  const headerEnd = endOfHeader(age)
  const fileKey = await fileKeyOf(age.subarray(0, headerEnd), identity)
  return concatBytes(headerFor(fileKey, recipients), age.subarray(headerEnd))
}

/** https://age-encryption.org/v1#header: the stanzas, and a MAC over them up to and with the three dashes. */
function headerFor(fileKey: Uint8Array, recipients: readonly string[]): Uint8Array {
  const stanzas = recipients.map((recipient) => wrapFor(recipient, fileKey))
  const lines = stanzas.map(({ args, body }) => `-> ${args.join(' ')}\n${base64nopad.encode(body)}\n`)
  const signed = `age-encryption.org/v1\n${lines.join('')}---`
  const macKey = hkdf(sha256, fileKey, undefined, utf8ToBytes('header'), 32)
  const mac = hmac(sha256, macKey, utf8ToBytes(signed))
  return utf8ToBytes(`${signed} ${base64nopad.encode(mac)}\n`)
}

/** Where the payload begins: after the line that opens with three dashes, which no line of a stanza does. */
function endOfHeader(age: Uint8Array): number {
  const opening = new TextDecoder('latin1').decode(age.subarray(0, LONGEST_HEADER))
  const last = /\n--- [A-Za-z0-9+/]{43}\n/.exec(opening)
  if (last === null) throw new AgeFault('altered')
  return last.index + last[0].length
}

/** Of a hundred bytes for each recipient, far more than there ever are. */
const LONGEST_HEADER = 64 * 1024

/**
 * A file key wrapped for one recipient, as https://age-encryption.org/v1#the-x25519-recipient-type says. The library
 * does so only for a file key that it has just made itself.
 */
function wrapFor(recipient: string, fileKey: Uint8Array): Stanza {
  const theirs = publicKeyOf(recipient)
  const ephemeral = x25519.keygen()
  const shared = x25519.getSharedSecret(ephemeral.secretKey, theirs)
  const salt = concatBytes(ephemeral.publicKey, theirs)
  const key = hkdf(sha256, shared, salt, utf8ToBytes('age-encryption.org/v1/X25519'), 32)
  // The key is used for this alone, so that the nonce may be fixed.
  const body = chacha20poly1305(key, new Uint8Array(12)).encrypt(fileKey)
  return new Stanza(['X25519', base64nopad.encode(ephemeral.publicKey)], body)
}
