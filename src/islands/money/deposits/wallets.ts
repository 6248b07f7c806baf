import { COINS, type Coin, NETWORKS } from '../../../contract/money/coins.ts'
import type { Wallet } from '../../../contract/money/wallets.ts'

/** The coins that can be paid in, in the usual order: those with a wallet to pay to. */
export function coinsOf(wallets: readonly Wallet[]): Coin[] {
  return COINS.filter((coin) => wallets.some(({ walletName }) => walletName === coin))
}

/** Where a coin can be paid to: one wallet for each network, the one opened last (the API lists it first), in the usual order of networks. */
export function walletsOf(coin: Coin | null, wallets: readonly Wallet[]): Wallet[] {
  return NETWORKS.flatMap(
    (network) => wallets.find((wallet) => wallet.walletName === coin && wallet.network === network) ?? [],
  )
}

/** The wallet to have chosen already: where there is one way to pay, it is not asked for. */
export function onlyOf(wallets: readonly Wallet[]): Wallet | undefined {
  return wallets.length === 1 ? wallets[0] : undefined
}

/** The coin as the form holds it, null while none is chosen. */
export function coinNamed(value: unknown): Coin | null {
  return COINS.find((coin) => coin === value) ?? null
}
