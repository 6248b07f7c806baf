import { COINS, type Coin, NETWORKS, type Network, networksOf } from '../../../contract/money/coins.ts'
import type { Wallet } from '../../../contract/money/wallets.ts'

/** Coins of the operator's wallets; all coins if no wallet is known. */
export function coinsFor(wallets: readonly Wallet[]): Coin[] {
  if (wallets.length === 0) return [...COINS]
  return COINS.filter((coin) => wallets.some(({ walletName }) => walletName === coin))
}

/** Networks of the operator's wallets; the coin's usual ones if no wallet is known. */
export function networksFor(coin: Coin | null, wallets: readonly Wallet[]): Network[] {
  if (coin === null) return []
  if (wallets.length === 0) return networksOf(coin)
  return NETWORKS.filter((network) =>
    wallets.some((wallet) => wallet.walletName === coin && wallet.network === network),
  )
}

/** The only network: no choice is needed then. Undefined clears the field. */
export function onlyOf(networks: readonly Network[]): Network | undefined {
  return networks.length === 1 ? networks[0] : undefined
}

/** The network in the form; null while none is chosen. */
export function networkNamed(value: unknown): Network | null {
  return NETWORKS.find((network) => network === value) ?? null
}
