import { COINS, type Coin, NETWORKS } from '../../../contract/money/coins.ts'
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

/** The only wallet: no choice is needed then. */
export function onlyOf(wallets: readonly Wallet[]): Wallet | undefined {
  return wallets.length === 1 ? wallets[0] : undefined
}

/** The coin in the form; null while none is chosen. */
export function coinNamed(value: unknown): Coin | null {
  return COINS.find((coin) => coin === value) ?? null
}
