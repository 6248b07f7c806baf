/** Each byte in two digits. The Worker writes several ids and hashes for each request. */
const DIGITS = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'))

/** Bytes as lower-case hexadecimal digits. The helpers of `@noble/hashes` would take /liabilities beyond its 7 KB of scripts. */
export function toHex(bytes: Uint8Array): string {
  let text = ''
  for (const byte of bytes) text += DIGITS[byte]
  return text
}

/** All bytes of the parts, in their order. */
export function joinBytes(parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const whole = new Uint8Array(parts.reduce((length, part) => length + part.length, 0))
  let at = 0
  for (const part of parts) {
    whole.set(part, at)
    at += part.length
  }
  return whole
}
