import { base64, hex } from '@scure/base'

/** A text and what is said to sign it, both as they came. */
export interface Signed {
  readonly message: string
  readonly signature: string
}

export function utf8(text: string): Uint8Array {
  return new TextEncoder().encode(text)
}

/** Null for what is not base64. */
export function bytesOfBase64(text: string): Uint8Array | null {
  return decoded(() => base64.decode(text))
}

/** Null for what is not pairs of hexadecimal digits; a `0x` before them may be left out. */
export function bytesOfHex(text: string): Uint8Array | null {
  return decoded(() => hex.decode(text.replace(/^0x/i, '').toLowerCase()))
}

/** Of what everybody knows: the time it takes says nothing. */
export function equalBytes(one: Uint8Array, other: Uint8Array): boolean {
  return one.length === other.length && one.every((byte, i) => byte === other[i])
}

function decoded(decode: () => Uint8Array): Uint8Array | null {
  try {
    return decode()
  } catch {
    return null
  }
}
