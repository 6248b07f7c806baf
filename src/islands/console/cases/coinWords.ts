import { COIN_LABELS, COIN_SYMBOLS, NETWORK_LABELS } from '../../../contract/money/coins.ts'

/** "USDT on TRON (TRC-20)"; a coin whose network has the same name is just that. Unknown words stay as they are. */
export function coinOnNetwork(type: string, network: string): string {
  const coin = coinLabel(type)
  const carrier = labelIn(NETWORK_LABELS, network)
  return carrier === coin ? coin : `${coin} on ${carrier}`
}

/** "Bitcoin"; dollars are held as well, by the bank. */
export function coinLabel(asset: string): string {
  return labelIn({ ...COIN_LABELS, usd: 'US dollars' }, asset)
}

/** How a quantity of the coin is written: "BTC". */
export function coinSymbol(asset: string): string {
  return labelIn({ ...COIN_SYMBOLS, usd: 'USD' }, asset)
}

function labelIn(labels: Readonly<Record<string, string>>, word: string): string {
  return Object.hasOwn(labels, word) ? (labels[word] ?? word) : word
}
