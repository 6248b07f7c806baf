import { encodeAddress } from '../../../src/chain/bitcoin/addresses.ts'
import { deriveReceiveScript } from '../../../src/chain/bitcoin/derive.ts'
import { parseDescriptor } from '../../../src/chain/bitcoin/descriptor.ts'
import { depositAddress, parseAccountKey } from '../../../src/chain/ethereum/account.ts'
import type { Chain } from '../../../src/contract/money/payments.ts'
import type { Env } from '../../lib/env.ts'
import { getBitcoinConfiguration } from '../servers/configuration.ts'

/** An address of a watch-only wallet. `script` is the output's script in hexadecimal; empty on Ethereum. */
export interface DerivedAddress {
  readonly address: string
  readonly script: string
}

/** The receiving address at a position of a watch-only wallet. Needs public keys alone. */
export function deriveAddress(env: Env, chain: Chain, descriptor: string, position: number): DerivedAddress {
  if (chain === 'ethereum')
    return { address: depositAddress(parseAccountKey(descriptor), position), script: '' }
  const network = getBitcoinConfiguration(env)?.network ?? 'mainnet'
  const script = deriveReceiveScript(parseDescriptor(descriptor, network), position)
  const address = encodeAddress(script, network)
  if (address === null) throw new Error('A script of a descriptor has an address.')
  return { address, script }
}
