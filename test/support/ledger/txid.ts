import { sha256 } from '@noble/hashes/sha2.js'
import { hex } from '@scure/base'

/** A transaction id for any network. The same words give the same id. */
export function txid(words: string): string {
  return hex.encode(sha256(new TextEncoder().encode(words)))
}

/** A transaction id that no other payment has. */
export function newTxid(): string {
  return txid(crypto.randomUUID())
}
