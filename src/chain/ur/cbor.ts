import { ChainError } from '../chainError.ts'

/** An unsigned integer below 2^32 in the shortest form of CBOR (RFC 8949). */
export function encodeCborUnsigned(value: number): number[] {
  return encodeHead(0, value)
}

export function encodeCborBytes(bytes: Uint8Array): number[] {
  return [...encodeHead(2, bytes.length), ...bytes]
}

/** The head of an array, before its items. */
export function encodeCborArray(length: number): number[] {
  return encodeHead(4, length)
}

/** Reads the three kinds of CBOR that uniform resources need. Throws for others and at the end. */
export class CborReader {
  #at = 0
  readonly #bytes: Uint8Array

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes
  }

  unsigned(): number {
    return this.#head(0)
  }

  bytes(): Uint8Array {
    const length = this.#head(2)
    if (length > this.#bytes.length - this.#at) throw createDamagedError()
    this.#at += length
    return this.#bytes.slice(this.#at - length, this.#at)
  }

  arrayLength(): number {
    return this.#head(4)
  }

  end(): void {
    if (this.#at !== this.#bytes.length) throw createDamagedError()
  }

  #head(kind: number): number {
    const first = this.#byte()
    const size = [24, 25, 26].indexOf(first & 31)
    if (first >> 5 !== kind || (size < 0 && (first & 31) >= 24)) throw createDamagedError()
    if (size < 0) return first & 31
    let value = 0
    for (let i = 0; i < 2 ** size; i++) value = value * 256 + this.#byte()
    return value
  }

  #byte(): number {
    const byte = this.#bytes[this.#at++]
    if (byte === undefined) throw createDamagedError()
    return byte
  }
}

function encodeHead(kind: number, value: number): number[] {
  const top = kind << 5
  if (value < 24) return [top | value]
  if (value < 0x100) return [top | 24, value]
  if (value < 0x10000) return [top | 25, value >> 8, value & 0xff]
  return [top | 26, ...[24, 16, 8, 0].map((shift) => (value >>> shift) & 0xff)]
}

function createDamagedError(): ChainError {
  return new ChainError('bad_ur', 'This part of the animated QR code is damaged.')
}
