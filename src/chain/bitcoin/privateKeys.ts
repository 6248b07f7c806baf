import { sha256 } from '@noble/hashes/sha2.js'
import { createBase58check } from '@scure/base'

/**
 * Says what kind of private key a text seems to contain, or null. Errs on the side of caution: mistyped keys count too, because
 * a reader can correct them. Never returns any part of the text.
 */
export function findPrivateKey(text: string): string | null {
  if (/(?<![0-9A-Za-z])[A-Za-z]prv/.test(text)) return 'an extended private key'
  const words = text.split(/[^0-9A-Za-z]+/)
  if (words.some((word) => /^(?:5[1-9A-HJ-NP-Za-km-z]{50}|[KLc9][1-9A-HJ-NP-Za-km-z]{50,51})$/.test(word))) {
    return 'a private key in wallet import format'
  }
  if (words.some((word) => /^(?:0x)?[0-9a-fA-F]{64}$/.test(word)))
    return '64 hexadecimal digits, which may be a private key'
  if (/(?:^|[^a-z])(?:[a-z]{3,8}[\s,]+){11,}[a-z]{3,8}(?![a-z])/i.test(text))
    return 'the words of a wallet backup'
  return words.some(isExtendedPrivateKey) ? 'an extended private key' : null
}

const base58check = createBase58check(sha256)

/** Whether an extended key holds a private key behind a public version. Byte 45 is 0 before a private key, else 2 or 3. */
function isExtendedPrivateKey(word: string): boolean {
  if (word.length < 100 || word.length > 120) return false
  try {
    const payload = base58check.decode(word)
    return payload.length === 78 && payload[45] === 0
  } catch {
    return false
  }
}
