import { COINS, type Coin, listNetworks, NETWORKS, type Network } from '../../../contract/money/coins.ts'
import type { Wallet } from '../../../contract/money/wallets.ts'

/** Coins with a wallet, in the usual order. */
export function listWalletCoins(wallets: readonly Wallet[]): Coin[] {
  return COINS.filter((coin) => wallets.some(({ walletName }) => walletName === coin))
}

/** The newest wallet for each network, in the usual order. The API lists the newest first. */
export function listCoinWallets(coin: Coin | null, wallets: readonly Wallet[]): Wallet[] {
  return NETWORKS.flatMap(
    (network) => wallets.find((wallet) => wallet.walletName === coin && wallet.network === network) ?? [],
  )
}

/** The only choice, if there is just one. */
export function pickOnly<T>(choices: readonly T[]): T | undefined {
  return choices.length === 1 ? choices[0] : undefined
}

/** Parses the form's value; null while no coin is chosen. */
export function parseCoin(value: unknown): Coin | null {
  return COINS.find((coin) => coin === value) ?? null
}

/** Coins of the operator's wallets, or all coins if the wallets are unknown. */
export function listOfferedCoins(wallets: readonly Wallet[]): Coin[] {
  return wallets.length === 0 ? [...COINS] : listWalletCoins(wallets)
}

/** Networks of the operator's wallets, or all of the coin if the wallets are unknown. */
export function listOfferedNetworks(coin: Coin | null, wallets: readonly Wallet[]): Network[] {
  if (coin === null) return []
  return wallets.length === 0
    ? listNetworks(coin)
    : listCoinWallets(coin, wallets).map(({ network }) => network)
}

/** Parses the form's value; null while no network is chosen. */
export function parseNetwork(value: unknown): Network | null {
  return NETWORKS.find((network) => network === value) ?? null
}
