import { sha256 } from '@noble/hashes/sha2.js'
import { concatBytes } from '@noble/hashes/utils.js'
import { recoverKey } from './accountSignature.ts'
import {
  type BitcoinScript,
  decodeBase64,
  encodeUtf8,
  hash160,
  hashWrappedKey,
  isEqualBytes,
  type SignedMessage,
} from './bytes.ts'

/**
 * Whether an older signature (`signmessage`, BIP 137) is by the key of this address. The first byte names the kind of address:
 * 27 to 30 uncompressed key, 31 to 34 compressed key, 35 to 38 P2SH-P2WPKH, 39 to 42 P2WPKH. Some wallets write 31 to 34 for
 * the last two as well.
 */
export function isLegacySigned(
  { kind, program }: BitcoinScript,
  { message, signature }: SignedMessage,
): boolean {
  const bytes = decodeBase64(signature)
  const header = bytes?.[0] ?? 0
  if (bytes?.length !== 65 || header < FIRST || header > LAST) return false
  const form = FORMS[Math.floor((header - FIRST) / 4)]
  const key = recoverKey(bytes.subarray(1), (header - FIRST) % 4, computeLegacyDigest(message))
  if (form === undefined || key === null || !SIGNS_FOR[kind].includes(form)) return false
  const publicKey = key.bytes(form !== 'long')
  return isEqualBytes(kind === 'p2sh' ? hashWrappedKey(publicKey) : hash160(publicKey), program)
}

const FIRST = 27
const LAST = 42
const FORMS = ['long', 'short', 'wrapped', 'segwit'] as const

const SIGNS_FOR: Readonly<Record<BitcoinScript['kind'], readonly (typeof FORMS)[number][]>> = {
  p2pkh: ['long', 'short'],
  p2sh: ['short', 'wrapped'],
  p2wpkh: ['short', 'segwit'],
  // The key is tweaked, so only BIP 322 can sign for it.
  p2tr: [],
}

/** The signed digest: a fixed prefix and the message. The prefix means that it can never be a transaction. */
export function computeLegacyDigest(message: string): Uint8Array {
  const text = encodeUtf8(message)
  const preamble = encodeUtf8('\x18Bitcoin Signed Message:\n')
  return sha256(sha256(concatBytes(preamble, encodeMessageLength(text.length), text)))
}

/** A Bitcoin compact size, up to 65,535: we issue no longer messages. */
function encodeMessageLength(length: number): Uint8Array {
  return length < 253 ? Uint8Array.of(length) : Uint8Array.of(253, length & 0xff, (length >> 8) & 0xff)
}
