import { COIN_SYMBOLS, type Coin } from '../../contract/coins.ts'
import { formatUsd } from '../../contract/money.ts'
import type { Quote } from '../../contract/wallets.ts'

/** `0.02351485 BTC`: at most eight decimals, as quotes have. */
export function quantityWords(coin: Coin, { quantity }: Quote): string {
  return `${quantity.toLocaleString('en-US', { maximumFractionDigits: 8 })} ${COIN_SYMBOLS[coin]}`
}

/** The same for a wallet's field, which takes a plain number: `1500.25`. */
export function plainQuantity({ quantity }: Quote): string {
  return quantity.toLocaleString('en-US', { maximumFractionDigits: 8, useGrouping: false })
}

/** `$63,789.00 for 1 BTC`. */
export function rateWords(coin: Coin, { rate }: Quote): string {
  return `${formatUsd(rate)} for 1 ${COIN_SYMBOLS[coin]}`
}
