import { secp256k1 } from '@noble/curves/secp256k1.js'
import { sha256 } from '@noble/hashes/sha2.js'
import { keccak_256 } from '@noble/hashes/sha3.js'
import { concatBytes } from '@noble/hashes/utils.js'
import { createBase58check } from '@scure/base'
import { decodeHex, encodeUtf8, isEqualBytes, type SignedMessage } from './bytes.ts'

type Chain = 'ethereum' | 'tron'

/**
 * Whether the account's key signed the message: EIP-191 (`personal_sign`) for Ethereum and BNB Smart Chain, TIP-191
 * (`signMessageV2`) for TRON, which differ in one word. A contract account has no key, so it cannot be proved this way.
 */
export function isSignedByAccount(
  chain: Chain,
  address: string,
  { message, signature }: SignedMessage,
): boolean {
  const account = decodeAccount(chain, address)
  const bytes = decodeHex(signature)
  if (account === null || bytes?.length !== 65) return false
  const v = bytes[64] ?? -1
  // Ethereum writes 27 and 28, some devices write 0 and 1.
  const recovery = v >= 27 ? v - 27 : v
  if (recovery !== 0 && recovery !== 1) return false
  const key = recoverKey(bytes.subarray(0, 64), recovery, computeAccountDigest(chain, message))
  return key !== null && isEqualBytes(keccak_256(key.bytes(false).subarray(1)).subarray(12), account)
}

const PREAMBLES: Readonly<Record<Chain, string>> = {
  ethereum: '\x19Ethereum Signed Message:\n',
  tron: '\x19TRON Signed Message:\n',
}

/**
 * The signed digest: a fixed prefix, the message's length in bytes, and the message. The prefix means that it can never be a
 * transaction.
 */
export function computeAccountDigest(chain: Chain, message: string): Uint8Array {
  const text = encodeUtf8(message)
  return keccak_256(concatBytes(encodeUtf8(`${PREAMBLES[chain]}${text.length}`), text))
}

const base58check = createBase58check(sha256)
const TRON_VERSION = 0x41

/** The account's 20 bytes, which both chains derive from a key in the same way. */
function decodeAccount(chain: Chain, address: string): Uint8Array | null {
  if (chain === 'ethereum') return /^0x[0-9a-fA-F]{40}$/.test(address) ? decodeHex(address) : null
  try {
    const payload = base58check.decode(address)
    return payload.length === 21 && payload[0] === TRON_VERSION ? payload.subarray(1) : null
  } catch {
    return null
  }
}

/**
 * Recovers the public key from 64 signature bytes; `recovery` (0 to 3) selects the candidate. Null if there is none. Refuses a
 * high S, which anyone can derive from a low one without the key.
 */
export function recoverKey(
  signature: Uint8Array,
  recovery: number,
  digest: Uint8Array,
): { bytes(isCompressed: boolean): Uint8Array } | null {
  try {
    const parsed = secp256k1.Signature.fromBytes(signature, 'compact')
    if (parsed.hasHighS()) return null
    const point = parsed.addRecoveryBit(recovery).recoverPublicKey(digest)
    return { bytes: (isCompressed) => point.toBytes(isCompressed) }
  } catch {
    return null
  }
}
