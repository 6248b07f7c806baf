import { sha256 } from '@noble/hashes/sha2.js'
import { concatBytes } from '@noble/hashes/utils.js'
import { recoverKey } from './accountSignature.ts'
import {
  type BitcoinScript,
  bytesOfBase64,
  equalBytes,
  hash160,
  type Signed,
  utf8,
  wrappedKeyHash,
} from './bytes.ts'

/**
 * Whether a signature of the older kind (`signmessage`, BIP 137) is by the key of this address. Its first byte says which
 * kind of address signs: 27 to 30 a long key's, 31 to 34 a short key's, 35 to 38 a wrapped one's, 39 to 42 a segwit one's. Some
 * wallets write 31 to 34 for the last two as well.
 */
export function isLegacySigned({ kind, program }: BitcoinScript, { message, signature }: Signed): boolean {
  const bytes = bytesOfBase64(signature)
  const header = bytes?.[0] ?? 0
  if (bytes?.length !== 65 || header < FIRST || header > LAST) return false
  const form = FORMS[Math.floor((header - FIRST) / 4)]
  const key = recoverKey(bytes.subarray(1), (header - FIRST) % 4, legacyDigest(message))
  if (form === undefined || key === null || !SIGNS_FOR[kind].includes(form)) return false
  const publicKey = key.bytes(form !== 'long')
  return equalBytes(kind === 'p2sh' ? wrappedKeyHash(publicKey) : hash160(publicKey), program)
}

const FIRST = 27
const LAST = 42
const FORMS = ['long', 'short', 'wrapped', 'segwit'] as const

const SIGNS_FOR: Readonly<Record<BitcoinScript['kind'], readonly (typeof FORMS)[number][]>> = {
  p2pkh: ['long', 'short'],
  p2sh: ['short', 'wrapped'],
  p2wpkh: ['short', 'segwit'],
  // Its key is tweaked: only BIP 322 knows how it signs.
  p2tr: [],
}

/** What is signed: the message behind words of its own, so that it can never be a transaction. */
export function legacyDigest(message: string): Uint8Array {
  const text = utf8(message)
  const preamble = utf8('\x18Bitcoin Signed Message:\n')
  return sha256(sha256(concatBytes(preamble, compactSize(text.length), text)))
}

/** A length as Bitcoin writes it; longer messages than 65,535 bytes are none that we issue. */
function compactSize(length: number): Uint8Array {
  return length < 253 ? Uint8Array.of(length) : Uint8Array.of(253, length & 0xff, (length >> 8) & 0xff)
}
