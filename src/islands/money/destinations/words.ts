import type { Network } from '../../../contract/money/coins.ts'
import type { SavedAddress } from '../../../contract/money/destinations.ts'

/** The saved addresses of a network, by name. */
export function onNetwork(saved: readonly SavedAddress[], network: Network): SavedAddress[] {
  return saved
    .filter((each) => each.network === network)
    .sort((one, other) => one.label.localeCompare(other.label))
}

/** An address by its beginning and end, for telling one's own apart; never for checking one. */
export function addressShort(address: string): string {
  return address.length <= 16 ? address : `${address.slice(0, 8)}…${address.slice(-6)}`
}

/** The saved one that is this destination, as far as its writing tells; Bitcoin's and 0x addresses have no case of their own. */
export function savedAs(
  saved: readonly SavedAddress[],
  { network, address }: { network: Network; address: string },
): SavedAddress | undefined {
  const written = (text: string) => (/^(?:bc1|0x)/i.test(text) ? text.toLowerCase() : text)
  return saved.find((each) => each.network === network && written(each.address) === written(address))
}
