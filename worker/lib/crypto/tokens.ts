import { toHex } from '../../../src/contract/bytes.ts'
import { generateRandomBytes } from '../runtime.ts'

/** A random token of this many bytes, in base64url without padding. */
export function generateToken(bytes = 32): string {
  return encodeBase64url(generateRandomBytes(bytes))
}

/** SHA-256 as 64 lower-case hexadecimal digits; text is hashed as UTF-8. */
export async function sha256Hex(data: string | Uint8Array): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', toPlainBytes(data))
  return toHex(new Uint8Array(digest))
}

/** This many random bytes as lower-case hexadecimal digits. */
export function generateHex(bytes: number): string {
  return toHex(generateRandomBytes(bytes))
}

/** This many random decimal digits, each equally likely. */
export function generateDigits(count: number): string {
  return generateText(count, '0123456789')
}

/** A random id for a row: a UUID of version 4 (RFC 9562, section 5.4). */
export function newId(): string {
  const bytes = generateRandomBytes(16)
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x40
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80
  return toHex(bytes).replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-')
}

/**
 * A reference for people, such as `DEP-7K3M9Q2X`: 40 random bits in an alphabet without I, L, O and U (Crockford's
 * base 32), so that it can be read out. Unique only together with a UNIQUE column.
 */
export function newRef(prefix: string): string {
  return `${prefix}-${generateText(8, UNAMBIGUOUS.toUpperCase())}`
}

/** Crockford's base 32, without letters that look like digits or make words. */
export const UNAMBIGUOUS = '0123456789abcdefghjkmnpqrstvwxyz'

/** This many random characters of the alphabet, each equally likely. Bytes that would favour its beginning are drawn again. */
export function generateText(count: number, alphabet: string): string {
  const fair = 256 - (256 % alphabet.length)
  let text = ''
  while (text.length < count) {
    for (const byte of generateRandomBytes(count)) {
      if (byte < fair && text.length < count) text += alphabet[byte % alphabet.length]
    }
  }
  return text
}

/** Compares in a time that depends on the length alone. Text is compared as UTF-8. */
export function timingSafeEqual(a: string | Uint8Array, b: string | Uint8Array): boolean {
  const left = toPlainBytes(a)
  const right = toPlainBytes(b)
  let difference = left.length ^ right.length
  for (let i = 0; i < left.length; i++) difference |= (left[i] ?? 0) ^ (right[i] ?? 0)
  return difference === 0
}

/**
 * Bytes as WebCrypto takes them: text in UTF-8, anything else as a view, because a file may be 8 MiB. Memory shared with another
 * thread is copied.
 */
export function toPlainBytes(data: string | Uint8Array): Uint8Array<ArrayBuffer> {
  if (typeof data === 'string') return new TextEncoder().encode(data)
  const { buffer, byteOffset, byteLength } = data
  return buffer instanceof ArrayBuffer ? new Uint8Array(buffer, byteOffset, byteLength) : new Uint8Array(data)
}

/** Base64 for addresses and names, without padding (RFC 4648, section 5). */
export function encodeBase64url(bytes: Uint8Array): string {
  return btoa(String.fromCharCode(...bytes))
    .replace(/\+/g, '-')
    .replace(/\//g, '_')
    .replace(/=+$/, '')
}

/** Decodes such a text. Throws if it is malformed. */
export function decodeBase64url(text: string): Uint8Array<ArrayBuffer> {
  const base64 = text.replaceAll('-', '+').replaceAll('_', '/')
  return Uint8Array.from(atob(base64), (character) => character.charCodeAt(0))
}
