import type { ProofMethod } from '../../../../src/contract/console/wallets.ts'
import { type Network, networkFacts } from '../../../../src/contract/money/coins.ts'
import { isSignedByAccount } from './accountSignature.ts'
import { isLegacySigned } from './bip137.ts'
import { isGenericSigned } from './bip322.ts'
import { bitcoinScript } from './bytes.ts'

/** What a wallet shows to somebody who asks for a signature. */
export interface Claimed {
  readonly network: Network
  readonly address: string
  readonly message: string
  /** As a wallet gives it: base64 for Bitcoin, 65 bytes in hexadecimal digits for the others. */
  readonly signature: string
}

/**
 * By which standard the signature shows that whoever made it holds the key of this main-network address; null where it
 * shows nothing. Each of the parts may be whatever text. Addresses of scripts and of contracts cannot be proved so.
 */
export function proofMethod({ network, address, message, signature }: Claimed): ProofMethod | null {
  const signed = { message, signature: signature.trim() }
  switch (networkFacts(network).family) {
    case 'bitcoin': {
      const script = bitcoinScript(address)
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
