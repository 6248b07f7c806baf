import { secp256k1 } from '@noble/curves/secp256k1.js'

/**
 * The public key whose signature these 64 bytes are, from the one of its candidates that `recovery` (0 to 3) names; null
 * where there is none. A high S, which anybody can make of a low one without the key, is refused.
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
