import { ripemd160 } from '@noble/hashes/legacy.js'
import { sha256 } from '@noble/hashes/sha2.js'
import { concatBytes } from '@noble/hashes/utils.js'
import { base64, bech32, bech32m, createBase58check, hex } from '@scure/base'

/** A message and its claimed signature, both as received. */
export interface SignedMessage {
  readonly message: string
  readonly signature: string
}

export function encodeUtf8(text: string): Uint8Array {
  return new TextEncoder().encode(text)
}

/** Decodes base64; null if the text is not base64. */
export function decodeBase64(text: string): Uint8Array | null {
  return tryDecode(() => base64.decode(text))
}

/** Decodes hexadecimal digits with or without `0x`; null if the text is anything else. */
export function decodeHex(text: string): Uint8Array | null {
  return tryDecode(() => hex.decode(text.replace(/^0x/i, '').toLowerCase()))
}

/** Compares public data, so constant time is not needed. */
export function isEqualBytes(left: Uint8Array, right: Uint8Array): boolean {
  return left.length === right.length && left.every((byte, i) => byte === right[i])
}

function tryDecode(decode: () => Uint8Array): Uint8Array | null {
  try {
    return decode()
  } catch {
    return null
  }
}

/** The output script of a Bitcoin main-network address that a single key can sign for. */
export interface BitcoinScript {
  readonly kind: 'p2pkh' | 'p2sh' | 'p2wpkh' | 'p2tr'
  /** The hash of the key or script; for `p2tr` the key itself. */
  readonly program: Uint8Array
  /** The scriptPubKey. */
  readonly script: Uint8Array
}

/** Decodes an address. Null for another network, a wrong checksum, or a kind that no single key signs for (P2WSH). */
export function decodeBitcoinScript(address: string): BitcoinScript | null {
  return /^bc1/i.test(address) ? decodeSegwitScript(address.toLowerCase()) : decodeBase58Script(address)
}

/** SHA-256, then RIPEMD-160: the hash of keys and scripts in addresses. */
export function hash160(bytes: Uint8Array): Uint8Array {
  return ripemd160(sha256(bytes))
}

/** The script hash in the address of a wrapped key (P2SH-P2WPKH, BIP 141). */
export function hashWrappedKey(publicKey: Uint8Array): Uint8Array {
  return hash160(concatBytes(Uint8Array.of(OP_0, 20), hash160(publicKey)))
}

const OP_0 = 0x00
const OP_1 = 0x51
const OP_DUP = 0x76
const OP_EQUAL = 0x87
const OP_EQUALVERIFY = 0x88
const OP_HASH160 = 0xa9
const OP_CHECKSIG = 0xac

/** The script that pays to a key's hash. In BIP 143 a P2WPKH input also signs for it. */
export function buildKeyHashScript(hash: Uint8Array): Uint8Array {
  return concatBytes(Uint8Array.of(OP_DUP, OP_HASH160, 20), hash, Uint8Array.of(OP_EQUALVERIFY, OP_CHECKSIG))
}

function decodeSegwitScript(address: string): BitcoinScript | null {
  const first = bech32.decodeUnsafe(address)
  if (first?.prefix === 'bc' && first.words[0] === 0) {
    const program = bech32.fromWordsUnsafe(first.words.slice(1))
    return program?.length === 20
      ? { kind: 'p2wpkh', program, script: concatBytes(Uint8Array.of(OP_0, 20), program) }
      : null
  }
  const later = bech32m.decodeUnsafe(address)
  if (later?.prefix !== 'bc' || later.words[0] !== 1) return null
  const program = bech32m.fromWordsUnsafe(later.words.slice(1))
  return program?.length === 32
    ? { kind: 'p2tr', program, script: concatBytes(Uint8Array.of(OP_1, 32), program) }
    : null
}

const base58check = createBase58check(sha256)

function decodeBase58Script(address: string): BitcoinScript | null {
  let payload: Uint8Array
  try {
    payload = base58check.decode(address)
  } catch {
    return null
  }
  const program = payload.subarray(1)
  if (program.length !== 20) return null
  if (payload[0] === 0x00) return { kind: 'p2pkh', program, script: buildKeyHashScript(program) }
  if (payload[0] !== 0x05) return null
  const script = concatBytes(Uint8Array.of(OP_HASH160, 20), program, Uint8Array.of(OP_EQUAL))
  return { kind: 'p2sh', program, script }
}
