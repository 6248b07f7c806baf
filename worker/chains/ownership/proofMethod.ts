import type { ProofMethod } from '../../../src/contract/console/wallets.ts'
import { getNetworkFacts, type Network } from '../../../src/contract/money/coins.ts'
import { isSignedByAccount } from './accountSignature.ts'
import { isLegacySigned } from './bip137.ts'
import { isGenericSigned } from './bip322.ts'
import { decodeBitcoinScript } from './bytes.ts'

/** A signature with the message and address that it claims to be for. */
export interface ClaimedSignature {
  readonly network: Network
  readonly address: string
  readonly message: string
  /** As wallets write it: base64 for Bitcoin, 65 bytes in hexadecimal for the others. */
  readonly signature: string
}

/**
 * The standard by which the signature proves control of this main-network address's key; null if it does not. All inputs
 * may be arbitrary text. Script and contract addresses cannot be proved this way.
 */
export function findProofMethod({
  network,
  address,
  message,
  signature,
}: ClaimedSignature): ProofMethod | null {
  const signed = { message, signature: signature.trim() }
  switch (getNetworkFacts(network).family) {
    case 'bitcoin': {
      const script = decodeBitcoinScript(address)
      if (script === null) return null
      if (isGenericSigned(script, signed)) return 'bip322'
      return isLegacySigned(script, signed) ? 'bip137' : null
    }
    case 'tron':
      return isSignedByAccount('tron', address, signed) ? 'tip191' : null
    case 'ethereum':
      return isSignedByAccount('ethereum', address, signed) ? 'eip191' : null
  }
}
