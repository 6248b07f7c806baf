import { sha256 } from '@noble/hashes/sha2.js'
import { hex } from '@scure/base'
import { toHex } from '../../contract/bytes.ts'
import { ChainError } from '../chainError.ts'

/** Decodes lowercase hex. `what` names the value in the error. */
export function parseHex(text: string, what: string): Uint8Array {
  if (text.length % 2 !== 0 || !/^[0-9a-f]*$/.test(text)) {
    throw new ChainError('not_hex', `${what} must be lowercase hexadecimal.`)
  }
  return hex.decode(text)
}

/** Decodes a hash as explorers write it (bytes reversed) into the order that the protocol hashes. */
export function hashBytes(text: string, what: string): Uint8Array {
  const bytes = parseHex(text, what)
  if (bytes.length !== 32) throw new ChainError('not_a_hash', `${what} must have 64 hexadecimal digits.`)
  return bytes.reverse()
}

/** Writes a hash as explorers do. */
export function hashText(bytes: Uint8Array): string {
  return toHex(Uint8Array.from(bytes).reverse())
}

/** Double SHA-256, which names transactions and blocks. */
export function hash256(bytes: Uint8Array): Uint8Array {
  return sha256(sha256(bytes))
}

/** An integer of `size` bytes, least significant byte first. */
export function encodeLittleEndian(value: number | bigint, size: number): Uint8Array {
  const bytes = new Uint8Array(size)
  let rest = BigInt.asUintN(8 * size, BigInt(value))
  for (let i = 0; i < size; i++, rest >>= 8n) bytes[i] = Number(rest & 0xffn)
  return bytes
}

/** A length as the protocol writes it, in one to nine bytes. */
export function encodeCompactSize(value: number): Uint8Array {
  if (value < 0xfd) return Uint8Array.of(value)
  if (value <= 0xffff) return Uint8Array.of(0xfd, ...encodeLittleEndian(value, 2))
  return Uint8Array.of(0xfe, ...encodeLittleEndian(value, 4))
}

/** Reads a serialized structure from front to back. Throws `malformed` at its end. */
export class Reader {
  at = 0
  readonly #bytes: Uint8Array
  readonly #view: DataView
  readonly #what: string

  constructor(bytes: Uint8Array, what: string) {
    this.#bytes = bytes
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
    this.#what = what
  }

  get remaining(): number {
    return this.#bytes.length - this.at
  }

  take(size: number): Uint8Array {
    if (size > this.remaining) throw this.malformed('ends too early')
    this.at += size
    return this.#bytes.subarray(this.at - size, this.at)
  }

  uint8(): number {
    return this.#view.getUint8(this.#before(1))
  }

  int32(): number {
    return this.#view.getInt32(this.#before(4), true)
  }

  uint32(): number {
    return this.#view.getUint32(this.#before(4), true)
  }

  uint64(): bigint {
    return this.#view.getBigUint64(this.#before(8), true)
  }

  /** A length. Refuses a longer form than necessary, as nodes do, so that one content has one serialization. */
  compactSize(): number {
    const first = this.uint8()
    if (first < 0xfd) return first
    if (first === 0xff) throw this.malformed('has an impossible length')
    const value = first === 0xfd ? this.#view.getUint16(this.#before(2), true) : this.uint32()
    if (value < (first === 0xfd ? 0xfd : 0x10000)) throw this.malformed('writes a length in too many bytes')
    return value
  }

  /** Bytes that follow their length. */
  sized(): Uint8Array {
    return this.take(this.compactSize())
  }

  /** How many items follow. Refuses a number that cannot fit, so that bad input cannot make us loop. */
  count(leastBytesEach: number): number {
    const count = this.compactSize()
    if (count * leastBytesEach > this.remaining) throw this.malformed('ends too early')
    return count
  }

  malformed(problem: string): ChainError {
    return new ChainError('malformed', `${this.#what} ${problem}.`)
  }

  #before(size: number): number {
    this.take(size)
    return this.at - size
  }
}
