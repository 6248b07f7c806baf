import { chacha20poly1305 } from '@noble/ciphers/chacha.js'
import { x25519 } from '@noble/curves/ed25519.js'
import { hkdf } from '@noble/hashes/hkdf.js'
import { hmac } from '@noble/hashes/hmac.js'
import { sha256 } from '@noble/hashes/sha2.js'
import { base64nopad, bech32 } from '@scure/base'
import { Decrypter } from 'age-encryption'

/**
 * The same encrypted bytes with a header for other recipients, as a reviewer's browser makes it (https://age-encryption.org/v1):
 * X25519 stanzas for the file key, and a MAC under HKDF of it.
 */
export async function withNewHeader(
  file: Uint8Array,
  identity: string,
  recipients: readonly { readonly recipient: string }[],
): Promise<Uint8Array<ArrayBuffer>> {
  const text = new TextDecoder('latin1').decode(file)
  const end = text.indexOf('\n', text.indexOf('\n--- ') + 1) + 1
  const decrypter = new Decrypter()
  decrypter.addIdentity(identity)
  const fileKey = await decrypter.decryptHeader(file.slice(0, end))
  const stanzas = recipients.map(({ recipient }) => stanzaFor(recipient, fileKey))
  const header = `age-encryption.org/v1\n${stanzas.join('')}---`
  const mac = hmac(sha256, hkdf(sha256, fileKey, undefined, utf8('header'), 32), utf8(header))
  return new Uint8Array([...utf8(`${header} ${base64nopad.encode(mac)}\n`), ...file.subarray(end)])
}

function stanzaFor(recipient: string, fileKey: Uint8Array): string {
  const theirs = bech32.decodeToBytes(recipient).bytes
  const { secretKey, publicKey } = x25519.keygen()
  const salt = new Uint8Array([...publicKey, ...theirs])
  const shared = x25519.getSharedSecret(secretKey, theirs)
  const key = hkdf(sha256, shared, salt, utf8('age-encryption.org/v1/X25519'), 32)
  const body = chacha20poly1305(key, new Uint8Array(12)).encrypt(fileKey)
  return `-> X25519 ${base64nopad.encode(publicKey)}\n${base64nopad.encode(body)}\n`
}

function utf8(text: string): Uint8Array {
  return new TextEncoder().encode(text)
}
