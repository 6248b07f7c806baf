import { COIN_LABELS, COIN_SYMBOLS, type Coin, NETWORK_LABELS } from '../../../contract/money/coins.ts'
import type { Quote, Wallet } from '../../../contract/money/wallets.ts'
import { formatUsd } from '../../../contract/money.ts'
import { formatNumber } from '../../../contract/numbers.ts'

export function describeAcceptedCoin({
  walletName,
  network,
}: Pick<Wallet, 'walletName' | 'network'>): string {
  const coin = COIN_LABELS[walletName]
  return `Send only ${coin} on the ${NETWORK_LABELS[network]} network to this address. Anything else is lost.`
}

/** What the receipt is for, or why none is needed: the only text about receipts. */
export function describeReceipt({ own, simulated }: Pick<Wallet, 'own' | 'simulated'>): string {
  if (own) return 'You need no receipt: the network proves your payment to us.'
  if (simulated) return 'Any picture, or our sample. Please send no real receipt.'
  return 'A picture of your payment, such as a screenshot. An operator looks for the payment and credits it.'
}

/** `0.02351485 BTC`: at most eight decimals, as quotes have. */
export function formatQuantity(coin: Coin, { quantity }: Quote): string {
  return `${formatNumber(quantity, 8)} ${COIN_SYMBOLS[coin]}`
}

/** Without grouping, for a wallet's amount field: `1500.25`. */
export function formatPlainQuantity({ quantity }: Quote): string {
  return quantity.toLocaleString('en-US', { maximumFractionDigits: 8, useGrouping: false })
}

/** `$63,789.00 for 1 BTC`. */
export function formatRate(coin: Coin, { rate }: Quote): string {
  return `${formatUsd(rate)} for 1 ${COIN_SYMBOLS[coin]}`
}
