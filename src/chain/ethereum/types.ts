import { concatBytes } from '@noble/hashes/utils.js'
import { ChainError } from '../chainError.ts'
import { parseQuantity } from './hex.ts'

/**
 * The type of a transaction and of its receipt (EIP-2718): 0 legacy, 1 access list (EIP-2930), 2 dynamic fee (EIP-1559), 3 blob (EIP-4844),
 * 4 set code (EIP-7702).
 */
export type TransactionType = 0 | 1 | 2 | 3 | 4

/** Reads the type from JSON. Old servers write none for a legacy transaction. */
export function parseType(value: unknown, name: string): TransactionType {
  if (value === undefined || value === null) return 0
  const type = Number(parseQuantity(value, name))
  return requireKnownType(type, name)
}

/** The type that encoded bytes start with. A legacy item starts with the prefix of a list and has no type. */
export function decodeType(bytes: Uint8Array, name: string): TransactionType {
  const first = bytes[0] ?? 0
  if (first >= 0xc0) return 0
  if (first === 0) throw new ChainError('unknown_type', `The ${name} has no type.`)
  return requireKnownType(first, `type of the ${name}`)
}

/** The encoded item: the type, unless it is a legacy one, and the payload. */
export function withType(type: TransactionType, payload: Uint8Array): Uint8Array {
  return type === 0 ? payload : concatBytes(Uint8Array.of(type), payload)
}

function requireKnownType(type: number, name: string): TransactionType {
  if (type !== 0 && type !== 1 && type !== 2 && type !== 3 && type !== 4) {
    throw new ChainError('unknown_type', `The ${name} is ${type}, which is unknown.`)
  }
  return type
}
