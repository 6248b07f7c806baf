import { bech32 } from '@scure/base'
import { AGE_RECIPIENT } from '../../../src/contract/identity/kyc.ts'

/** The facts about an encrypted file that need no key: how many keys open it, and its encrypted bytes after the header. */
export interface AgeFile {
  readonly recipients: number
  readonly payload: Uint8Array<ArrayBuffer>
}

/** Whether the bytes begin like an `age` file. */
export function isAge(bytes: Uint8Array): boolean {
  return VERSION.every((byte, i) => bytes[i] === byte)
}

/**
 * Reads the header of a file that was encrypted to X25519 recipients (https://age-encryption.org/v1). Null for anything else.
 * Stricter than the format: another type of stanza could be for a person who is not a reviewer. So it refuses passphrases,
 * plugins, random stanzas that keep readers flexible, and an empty file. Without a private key it cannot know whose stanzas they
 * are, or whether the header's MAC is right.
 */
export function readAge(bytes: Uint8Array<ArrayBuffer>): AgeFile | null {
  const header = readHeader(bytes)
  if (header === null || header.stanzas.length === 0 || !header.stanzas.every(isX25519)) return null
  const payload = bytes.subarray(header.end)
  return isPayload(payload) ? { recipients: header.stanzas.length, payload } : null
}

/**
 * Whether this is a private key that only its owner can use: an armored `age` file with a single stanza, made by a passphrase
 * (`scrypt`, work between 2^17 and 2^20) or a passkey.
 */
export function isSealedIdentity(text: string, method: 'passphrase' | 'passkey'): boolean {
  const bytes = decodeArmor(text)
  const header = bytes && readHeader(bytes)
  if (!bytes || !header || header.stanzas.length !== 1 || !isPayload(bytes.subarray(header.end))) return false
  const [{ args } = { args: [] }] = header.stanzas
  if (method === 'passkey') return args[0] === PASSKEY && args.length === 2 && isBase64(args[1], 16)
  const [type, salt, work, ...more] = args
  return (
    type === 'scrypt' &&
    isBase64(salt, 16) &&
    /^(?:1[7-9]|20)$/.test(work ?? '') &&
    more.length === 0 &&
    header.stanzas[0]?.body === 32
  )
}

interface Stanza {
  readonly args: readonly string[]
  /** Length of the body in bytes. */
  readonly body: number
}

const VERSION = new TextEncoder().encode('age-encryption.org/v1\n')
// Enough for more than a hundred recipients. Longer headers are not read.
const MAX_HEADER_BYTES = 32 * 1024
const MAX_LINE = 1000
const PASSKEY = 'age-encryption.org/fido2prf'

function readHeader(bytes: Uint8Array): { stanzas: Stanza[]; end: number } | null {
  if (!isAge(bytes)) return null
  const lines = readLines(bytes, VERSION.length)
  const stanzas: Stanza[] = []
  for (;;) {
    const line = lines.next()
    if (line === null) return null
    const [, mac] = /^--- ([A-Za-z0-9+/]+)$/.exec(line) ?? []
    if (mac !== undefined) return isBase64(mac, 32) ? { stanzas, end: lines.end() } : null
    const [arrow, ...args] = line.split(' ')
    const body = readBodyLength(lines)
    if (arrow !== '->' || args.length === 0 || body === null) return null
    stanzas.push({ args, body })
  }
}

/** A stanza's body: lines of 64 base 64 characters. The last one is shorter or empty. */
function readBodyLength(lines: Lines): number | null {
  for (let body = 0; ; ) {
    const length = measureBase64(lines.next() ?? '?')
    if (length === null || length > 48) return null
    body += length
    if (length < 48) return body
  }
}

function isX25519({ args: [type, share, ...more], body }: Stanza): boolean {
  return type === 'X25519' && isBase64(share, 32) && more.length === 0 && body === 32
}

interface Lines {
  next(): string | null
  /** The end of the last returned line. */
  end(): number
}

function readLines(bytes: Uint8Array, start: number): Lines {
  let at = start
  return {
    next() {
      const end = bytes.subarray(0, MAX_HEADER_BYTES).indexOf(10, at)
      if (end < 0 || end - at > MAX_LINE) return null
      const line = String.fromCharCode(...bytes.subarray(at, end))
      at = end + 1
      return line
    },
    end: () => at,
  }
}

/** A nonce, then chunks of 64 KiB with a tag each. The last chunk may be shorter but not empty. */
function isPayload(payload: Uint8Array): boolean {
  const chunks = payload.length - 16
  const last = chunks % (64 * 1024 + 16)
  return chunks > 16 && (last === 0 || last > 16)
}

function isBase64(text: string | undefined, bytes: number): boolean {
  return text !== undefined && measureBase64(text) === bytes
}

/** The number of bytes in a text of canonical base 64 without padding (RFC 4648, section 3.5). Null if it is malformed. */
function measureBase64(text: string): number | null {
  if (!/^[A-Za-z0-9+/]*$/.test(text) || text.length % 4 === 1) return null
  try {
    return btoa(atob(text)).replace(/=+$/, '') === text ? Math.floor((text.length * 3) / 4) : null
  } catch {
    return null
  }
}

/** The bytes of an armored file: PEM with lines of 64 characters (RFC 7468), as strictly as the format requires. */
function decodeArmor(text: string): Uint8Array<ArrayBuffer> | null {
  const [, body = ''] =
    /^\s*-----BEGIN AGE ENCRYPTED FILE-----\n([A-Za-z0-9+/=\n]+)\n-----END AGE ENCRYPTED FILE-----\s*$/.exec(
      text,
    ) ?? []
  const lines = body.split('\n')
  if (!lines.slice(0, -1).every((line) => line.length === 64) || (lines.at(-1)?.length ?? 0) > 64) return null
  try {
    const decoded = atob(lines.join(''))
    return btoa(decoded) === lines.join('')
      ? Uint8Array.from(decoded, (character) => character.charCodeAt(0))
      : null
  } catch {
    return null
  }
}

/** Whether a text is an X25519 recipient of `age` with a right checksum: 32 bytes in Bech32 (BIP 173) with the prefix `age`. */
export function isAgeRecipient(text: string): boolean {
  if (!AGE_RECIPIENT.test(text)) return false
  try {
    const { prefix, bytes } = bech32.decodeToBytes(text)
    return prefix === 'age' && bytes.length === 32
  } catch {
    return false
  }
}
