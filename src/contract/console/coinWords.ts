import { COIN_LABELS, COIN_SYMBOLS, NETWORK_LABELS } from '../money/coins.ts'
import type { Chain } from '../money/payments.ts'

export const CHAIN_LABELS: Readonly<Record<Chain, string>> = { bitcoin: 'Bitcoin', ethereum: 'Ethereum' }

/** "USDT on TRON (TRC-20)", or just "Bitcoin" if the network has the same name. Unknown codes are returned unchanged. */
export function formatCoinOnNetwork(type: string, network: string): string {
  const coin = getCoinLabel(type)
  const networkLabel = getLabel(NETWORK_LABELS, network)
  return networkLabel === coin ? coin : `${coin} on ${networkLabel}`
}

/** The token standard in the name of a network: "TRC-20" of "TRON (TRC-20)". Networks of their own coin have none. */
export function findTokenStandard(network: string): string | undefined {
  return /\(([^)]+)\)/.exec(getLabel(NETWORK_LABELS, network))?.[1]
}

/** "Bitcoin". Custody also has US dollars, at the bank. */
export function getCoinLabel(asset: string): string {
  return getLabel({ ...COIN_LABELS, usd: 'US dollars' }, asset)
}

/** The unit of a quantity: "BTC". */
export function getCoinSymbol(asset: string): string {
  return getLabel({ ...COIN_SYMBOLS, usd: 'USD' }, asset)
}

/** "−1,500.25 BTC": an exact decimal of an asset, with commas and a real minus sign. */
export function formatAssetQuantity(quantity: string, asset: string): string {
  return `${formatDecimal(quantity)} ${getCoinSymbol(asset)}`
}

/** An exact decimal with commas and a real minus sign: "−1,500.25". */
export function formatDecimal(text: string): string {
  const [whole = '', fraction] = text.replace('-', '−').split('.')
  const grouped = whole.replace(/\B(?=(?:\d{3})+$)/g, ',')
  return fraction === undefined ? grouped : `${grouped}.${fraction}`
}

function getLabel(labels: Readonly<Record<string, string>>, code: string): string {
  return Object.hasOwn(labels, code) ? (labels[code] ?? code) : code
}
