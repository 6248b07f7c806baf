import { RLP, type RLPInput } from 'micro-eth-signer/core/rlp.js'
import { ChainError } from '../chainError.ts'

/** A decoded item of RLP, the encoding of Ethereum's consensus data (Yellow Paper, appendix B). */
export type RlpItem = Uint8Array | readonly RlpItem[]

/** Something to encode. A bigint is written without leading zeros, and zero as an empty string. */
export type RlpInput = Uint8Array | bigint | readonly RlpInput[]

export function encodeRlp(input: RlpInput): Uint8Array {
  return RLP.encode(input as RLPInput)
}

/** Decodes one item. Refuses trailing bytes and every encoding but the shortest, so that an item has exactly one encoding. */
export function decodeRlp(bytes: Uint8Array, name: string): RlpItem {
  try {
    // The decoder returns byte strings and lists only.
    return RLP.decode(bytes) as RlpItem
  } catch {
    throw new ChainError('invalid_rlp', `The ${name} is not valid RLP.`)
  }
}

export function listItem(item: RlpItem | undefined, name: string, length?: number): readonly RlpItem[] {
  if (item === undefined || item instanceof Uint8Array) {
    throw new ChainError('invalid_rlp', `The ${name} is not a list.`)
  }
  if (length !== undefined && item.length !== length) {
    throw new ChainError('invalid_rlp', `The ${name} has ${item.length} items instead of ${length}.`)
  }
  return item
}

export function requireBytes(item: RlpItem | undefined, name: string, length?: number): Uint8Array {
  if (!(item instanceof Uint8Array)) throw new ChainError('invalid_rlp', `The ${name} is not a byte string.`)
  if (length !== undefined && item.length !== length) {
    throw new ChainError('invalid_rlp', `The ${name} has ${item.length} bytes instead of ${length}.`)
  }
  return item
}

/** Reads an unsigned integer of up to 256 bits, without leading zeros. */
export function decodeQuantity(item: RlpItem | undefined, name: string): bigint {
  const bytes = requireBytes(item, name)
  if (bytes.length > 32 || bytes[0] === 0) {
    throw new ChainError('invalid_rlp', `The ${name} is not a number of up to 256 bits.`)
  }
  return decodeNumber(bytes)
}

/** The unsigned integer that these big-endian bytes write. */
export function decodeNumber(bytes: Uint8Array): bigint {
  let value = 0n
  for (const byte of bytes) value = (value << 8n) | BigInt(byte)
  return value
}
