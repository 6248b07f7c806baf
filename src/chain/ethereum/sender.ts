import { secp256k1 } from '@noble/curves/secp256k1.js'
import { keccak_256 } from '@noble/hashes/sha3.js'
import { addr } from 'micro-eth-signer'
import { ChainError } from '../chainError.ts'
import { type Hex, toHex } from './hex.ts'
import { decodeQuantity, encodeRlp } from './rlp.ts'
import { decodeFields } from './transaction.ts'
import { withType } from './types.ts'

/**
 * Recovers the sender of an encoded signed transaction from its signature, as an EIP-55 address. Refuses the high half of s, because a
 * third person can make such a signature from the owner's one (EIP-2).
 */
export function deriveSender(transaction: Uint8Array): string {
  return deriveSignedPayload(transaction).sender
}

/** The sender of a transaction as `deriveSender` returns it, and the signed bytes in hexadecimal. */
export function deriveSignedPayload(transaction: Uint8Array): {
  readonly sender: string
  readonly payload: Hex
} {
  const { type, fields } = decodeFields(transaction)
  const [v, r, s] = fields.slice(-3).map((item) => decodeQuantity(item, 'signature'))
  const unsigned = fields.slice(0, -3)
  if (v === undefined || r === undefined || s === undefined) throw createSignatureError()
  if (type !== 0) return recover(withType(type, encodeRlp(unsigned)), v, r, s)
  if (v === 27n || v === 28n) return recover(encodeRlp(unsigned), v - 27n, r, s)
  // EIP-155: v is 35 + 2 × chain id + parity, and the chain id was signed too.
  if (v < 35n) throw createSignatureError()
  const chainId = (v - 35n) / 2n
  return recover(encodeRlp([...unsigned, chainId, 0n, 0n]), (v - 35n) % 2n, r, s)
}

function recover(
  signed: Uint8Array,
  parity: bigint,
  r: bigint,
  s: bigint,
): { readonly sender: string; readonly payload: Hex } {
  if (parity > 1n) throw createSignatureError()
  try {
    const signature = new secp256k1.Signature(r, s, Number(parity))
    if (signature.hasHighS()) throw createSignatureError()
    const sender = addr.fromPublicKey(signature.recoverPublicKey(keccak_256(signed)).toBytes())
    return { sender, payload: toHex(signed) }
  } catch {
    throw createSignatureError()
  }
}

function createSignatureError(): ChainError {
  return new ChainError('invalid_signature', 'The signature of the transaction is not valid.')
}
