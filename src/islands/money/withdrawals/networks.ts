import { COINS, type Coin, NETWORKS, type Network, networksOf } from '../../../contract/money/coins.ts'
import type { Wallet } from '../../../contract/money/wallets.ts'

/** The coins that can be withdrawn: those of the operator's wallets; all of them while no wallet is known. */
export function coinsFor(wallets: readonly Wallet[]): Coin[] {
  if (wallets.length === 0) return [...COINS]
  return COINS.filter((coin) => wallets.some(({ walletName }) => walletName === coin))
}

/** The networks on which a coin can be withdrawn: those of the operator's wallets; its usual ones while none is known. */
export function networksFor(coin: Coin | null, wallets: readonly Wallet[]): Network[] {
  if (coin === null) return []
  if (wallets.length === 0) return networksOf(coin)
  return NETWORKS.filter((network) =>
    wallets.some((wallet) => wallet.walletName === coin && wallet.network === network),
  )
}

/** The network to have chosen already: where a coin has one, it is not asked for. Undefined clears it. */
export function onlyOf(networks: readonly Network[]): Network | undefined {
  return networks.length === 1 ? networks[0] : undefined
}

/** The network as the form holds it, null while none is chosen. */
export function networkNamed(value: unknown): Network | null {
  return NETWORKS.find((network) => network === value) ?? null
}
