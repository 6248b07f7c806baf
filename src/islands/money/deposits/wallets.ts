import { COINS, type Coin, NETWORKS, type Network, networksOf } from '../../../contract/money/coins.ts'
import type { Wallet } from '../../../contract/money/wallets.ts'

/** Coins with a wallet, in the usual order. */
export function coinsOf(wallets: readonly Wallet[]): Coin[] {
  return COINS.filter((coin) => wallets.some(({ walletName }) => walletName === coin))
}

/** The newest wallet for each network, in the usual order. The API lists the newest first. */
export function walletsOf(coin: Coin | null, wallets: readonly Wallet[]): Wallet[] {
  return NETWORKS.flatMap(
    (network) => wallets.find((wallet) => wallet.walletName === coin && wallet.network === network) ?? [],
  )
}

/** The only choice, if there is just one. */
export function onlyOf<T>(choices: readonly T[]): T | undefined {
  return choices.length === 1 ? choices[0] : undefined
}

/** Parses the form's value; null while no coin is chosen. */
export function coinNamed(value: unknown): Coin | null {
  return COINS.find((coin) => coin === value) ?? null
}

/** Coins of the operator's wallets, or all coins if the wallets are unknown. */
export function coinsFor(wallets: readonly Wallet[]): Coin[] {
  return wallets.length === 0 ? [...COINS] : coinsOf(wallets)
}

/** Networks of the operator's wallets, or all of the coin if the wallets are unknown. */
export function networksFor(coin: Coin | null, wallets: readonly Wallet[]): Network[] {
  if (coin === null) return []
  return wallets.length === 0 ? networksOf(coin) : walletsOf(coin, wallets).map(({ network }) => network)
}

/** Parses the form's value; null while no network is chosen. */
export function networkNamed(value: unknown): Network | null {
  return NETWORKS.find((network) => network === value) ?? null
}
