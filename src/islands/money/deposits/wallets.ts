import { COINS, type Coin, NETWORKS, type Network, networksOf } from '../../../contract/money/coins.ts'
import type { Wallet } from '../../../contract/money/wallets.ts'

/** Coins with a wallet, in the usual order. */
export function coinsOf(wallets: readonly Wallet[]): Coin[] {
  return COINS.filter((coin) => wallets.some(({ walletName }) => walletName === coin))
}

/** One wallet for each network, in the usual order: the newest, which the API lists first. */
export function walletsOf(coin: Coin | null, wallets: readonly Wallet[]): Wallet[] {
  return NETWORKS.flatMap(
    (network) => wallets.find((wallet) => wallet.walletName === coin && wallet.network === network) ?? [],
  )
}

/** The only choice, which needs no question. */
export function onlyOf<T>(choices: readonly T[]): T | undefined {
  return choices.length === 1 ? choices[0] : undefined
}

/** The coin in the form; null while none is chosen. */
export function coinNamed(value: unknown): Coin | null {
  return COINS.find((coin) => coin === value) ?? null
}

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

/** The network in the form; null while none is chosen. */
export function networkNamed(value: unknown): Network | null {
  return NETWORKS.find((network) => network === value) ?? null
}
