import { secp256k1 } from '@noble/curves/secp256k1.js'
import { keccak_256 } from '@noble/hashes/sha3.js'
import { addr } from 'micro-eth-signer'
import { ChainError } from '../chainError.ts'
import { type Hex, hexOf } from './hex.ts'
import { encodeRlp, quantityItem } from './rlp.ts'
import { decodeFields } from './transaction.ts'
import { withType } from './types.ts'

/**
 * Recovers the sender of an encoded signed transaction from its signature, as an EIP-55 address. Refuses the high half of s, because a
 * third person can make such a signature from the owner's one (EIP-2).
 */
export function senderOf(transaction: Uint8Array): string {
  return signedOf(transaction).sender
}

/** The sender of a transaction as `senderOf` says, and what was signed, in hexadecimal. */
export function signedOf(transaction: Uint8Array): { readonly sender: string; readonly payload: Hex } {
  const { type, fields } = decodeFields(transaction)
  const [v, r, s] = fields.slice(-3).map((item) => quantityItem(item, 'signature'))
  const unsigned = fields.slice(0, -3)
  if (v === undefined || r === undefined || s === undefined) throw invalidSignature()
  if (type !== 0) return recover(withType(type, encodeRlp(unsigned)), v, r, s)
  if (v === 27n || v === 28n) return recover(encodeRlp(unsigned), v - 27n, r, s)
  // EIP-155: v is 35 + 2 × chain id + parity, and the chain id was signed too.
  if (v < 35n) throw invalidSignature()
  const chainId = (v - 35n) / 2n
  return recover(encodeRlp([...unsigned, chainId, 0n, 0n]), (v - 35n) % 2n, r, s)
}

function recover(
  signed: Uint8Array,
  parity: bigint,
  r: bigint,
  s: bigint,
): { readonly sender: string; readonly payload: Hex } {
  if (parity > 1n) throw invalidSignature()
  try {
    const signature = new secp256k1.Signature(r, s, Number(parity))
    if (signature.hasHighS()) throw invalidSignature()
    const sender = addr.fromPublicKey(signature.recoverPublicKey(keccak_256(signed)).toBytes())
    return { sender, payload: hexOf(signed) }
  } catch {
    throw invalidSignature()
  }
}

function invalidSignature(): ChainError {
  return new ChainError('invalid_signature', 'The signature of the transaction is not valid.')
}
