import { COIN_LABELS, COIN_SYMBOLS, type Coin, NETWORK_LABELS, type Network } from '../../contract/coins.ts'

/** "USDT on TRON (TRC-20)"; a coin with one network of its own name is just that. Unknown words stay as they are. */
export function coinOnNetwork(type: string, network: string | null): string {
  const coin = labelIn(COIN_LABELS, type)
  const carrier = network === null ? coin : labelIn(NETWORK_LABELS, network)
  return carrier === coin ? coin : `${coin} on ${carrier}`
}

/** How a quantity of the coin is written: "BTC". */
export function coinSymbol(type: string): string {
  return labelIn(COIN_SYMBOLS, type)
}

function labelIn(labels: Record<Coin, string> | Record<Network, string>, word: string): string {
  return Object.entries(labels).find(([known]) => known === word)?.[1] ?? word
}
