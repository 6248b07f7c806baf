import { getNetworkFacts, type Network } from '../../../contract/money/coins.ts'
import type { SavedAddress } from '../../../contract/money/destinations.ts'

export function onNetwork(saved: readonly SavedAddress[], network: Network): SavedAddress[] {
  return saved
    .filter((savedAddress) => savedAddress.network === network)
    .sort((left, right) => left.label.localeCompare(right.label))
}

/** The start and end of an address: enough to recognise a saved one, not to verify one. */
export function formatShortAddress(address: string): string {
  return address.length <= 16 ? address : `${address.slice(0, 8)}…${address.slice(-6)}`
}

/** The saved address that equals this destination. Bitcoin and 0x addresses ignore case. */
export function findSavedAddress(
  saved: readonly SavedAddress[],
  { network, address }: { network: Network; address: string },
): SavedAddress | undefined {
  const normalizeAddress = (text: string) => (/^(?:bc1|0x)/i.test(text) ? text.toLowerCase() : text)
  return saved.find(
    (savedAddress) =>
      savedAddress.network === network &&
      normalizeAddress(savedAddress.address) === normalizeAddress(address),
  )
}

/** How the holder of the key signs, in the words of wallet software. */
export function describeSigning(network: Network, address: string): string {
  const { family } = getNetworkFacts(network)
  if (family === 'tron') return 'In the wallet that holds the key: “Sign message”, version 2 (TIP-191).'
  if (family === 'ethereum')
    return 'In the wallet that holds the key: “Sign message” (personal_sign, EIP-191).'
  return /^(?:bc1|3)/i.test(address)
    ? 'In the wallet that holds the key: “Sign message”, as BIP 322 (“generic”, “simple”).'
    : 'In the wallet that holds the key: “Sign message”.'
}
