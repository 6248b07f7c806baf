import { hex } from '@scure/base'
import { Address, OutScript } from '@scure/btc-signer'
import { findAddressProblem } from '../../contract/money/addresses.ts'
import { ChainError } from '../chainError.ts'
import { type BitcoinNetwork, type BitcoinNetworkName, getBitcoinNetwork } from './network.ts'

/** The address of a script (scriptPubKey, hex), or null if it has none. */
export function encodeAddress(script: string, network: BitcoinNetworkName): string | null {
  try {
    return Address(getBitcoinNetwork(network)).encode(OutScript.decode(hex.decode(script)))
  } catch {
    return null
  }
}

/**
 * The script (scriptPubKey, hex) that an address stands for. Refuses what `findAddressProblem` refuses, and unknown witness versions. On
 * regtest an address of the main network stands for the same script, because the forms for withdrawals take no others.
 */
export function decodeAddress(address: string, networkName: BitcoinNetworkName): string {
  const network = getBitcoinNetwork(networkName)
  const problem = networkName === 'mainnet' ? findAddressProblem('btc', address) : null
  if (problem !== null) throw new ChainError('bad_address', `${problem}.`)
  const script =
    decode(address, network) ??
    (networkName === 'regtest' ? decode(address, getBitcoinNetwork('mainnet')) : null)
  // Anyone can spend this kind of output.
  if (script?.type === 'p2a')
    throw new ChainError('bad_address', 'Anybody could take what is paid to this address.')
  if (script === null)
    throw new ChainError('bad_address', 'This is not an address of the network, or of an unknown kind.')
  return hex.encode(OutScript.encode(script))
}

function decode(address: string, network: BitcoinNetwork) {
  try {
    return Address(network).decode(address)
  } catch {
    return null
  }
}
