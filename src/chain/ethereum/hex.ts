import { hexToBytes } from '@noble/hashes/utils.js'
import { toHex as toDigits } from '../../contract/bytes.ts'
import { ChainError } from '../chainError.ts'

/** Bytes or a number as JSON-RPC writes them: `0x` and hexadecimal digits. */
export type Hex = `0x${string}`

export function toHex(bytes: Uint8Array): Hex {
  return `0x${toDigits(bytes)}`
}

/** Reads bytes ("DATA" of JSON-RPC). `name` names the value in the error; `length` is the only length allowed, in bytes. */
export function parseHex(value: unknown, name: string, length?: number): Uint8Array {
  if (typeof value !== 'string' || !value.startsWith('0x')) {
    throw new ChainError('invalid_hex', `The ${name} is not hexadecimal data that starts with 0x.`)
  }
  let bytes: Uint8Array
  try {
    bytes = hexToBytes(value.slice(2))
  } catch {
    throw new ChainError('invalid_hex', `The ${name} is not hexadecimal data.`)
  }
  if (length !== undefined && bytes.length !== length) {
    throw new ChainError('invalid_hex', `The ${name} has ${bytes.length} bytes instead of ${length}.`)
  }
  return bytes
}

/** Writes an unsigned integer ("QUANTITY" of JSON-RPC). */
export function encodeQuantity(value: bigint | number): Hex {
  return `0x${value.toString(16)}`
}

/** Reads an unsigned integer of up to 256 bits ("QUANTITY" of JSON-RPC). Leading zeros are allowed, because some servers write them. */
export function parseQuantity(value: unknown, name: string): bigint {
  if (typeof value !== 'string' || !/^0x[0-9a-fA-F]{1,64}$/.test(value)) {
    throw new ChainError('invalid_quantity', `The ${name} is not a hexadecimal number.`)
  }
  return BigInt(value)
}

/** Reads JSON that must be an object. */
export function parseObject(value: unknown, name: string): Readonly<Record<string, unknown>> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new ChainError('invalid_json', `The ${name} is not an object.`)
  }
  return value as Record<string, unknown>
}

/** Reads JSON that must be an array. */
export function parseArray(value: unknown, name: string): readonly unknown[] {
  if (!Array.isArray(value)) throw new ChainError('invalid_json', `The ${name} is not a list.`)
  return value
}

/** Reads JSON that must be a whole number from 0. */
export function parseWholeNumber(value: unknown, name: string): number {
  if (typeof value !== 'number' || !Number.isSafeInteger(value) || value < 0) {
    throw new ChainError('invalid_json', `The ${name} is not a whole number from 0.`)
  }
  return value
}
