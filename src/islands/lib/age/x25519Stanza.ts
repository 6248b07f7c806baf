import { chacha20poly1305 } from '@noble/ciphers/chacha.js'
import { x25519 } from '@noble/curves/ed25519.js'
import { hkdf } from '@noble/hashes/hkdf.js'
import { sha256 } from '@noble/hashes/sha2.js'
import { concatBytes, utf8ToBytes } from '@noble/hashes/utils.js'
import { base64nopad } from '@scure/base'
import { Stanza } from 'age-encryption'
import { publicKeyOf } from './publicKey.ts'

/**
 * A file key wrapped for one recipient, as https://age-encryption.org/v1#the-x25519-recipient-type says. The library
 * does so only for a file key that it has just made itself.
 */
export function wrapFor(recipient: string, fileKey: Uint8Array): Stanza {
  const theirs = publicKeyOf(recipient)
  const ephemeral = x25519.keygen()
  const shared = x25519.getSharedSecret(ephemeral.secretKey, theirs)
  const salt = concatBytes(ephemeral.publicKey, theirs)
  const key = hkdf(sha256, shared, salt, utf8ToBytes('age-encryption.org/v1/X25519'), 32)
  // The key is used for this alone, so that the nonce may be fixed.
  const body = chacha20poly1305(key, new Uint8Array(12)).encrypt(fileKey)
  return new Stanza(['X25519', base64nopad.encode(ephemeral.publicKey)], body)
}
