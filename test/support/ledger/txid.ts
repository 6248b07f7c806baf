import { sha256 } from '@noble/hashes/sha2.js'
import { hex } from '@scure/base'

/** A transaction id, on any network: the same for the same words. */
export function txid(words: string): string {
  return hex.encode(sha256(new TextEncoder().encode(words)))
}

/** A transaction id that no other payment has. */
export function newTxid(): string {
  return txid(crypto.randomUUID())
}
