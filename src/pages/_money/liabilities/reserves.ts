import type { Coin } from '../../../contract/money/coins.ts'
import type { PublishedRoot } from '../../../contract/money/liabilities.ts'

/** The event of the document with the published roots, newest first; null if loading failed. */
export const LOADED = 'published-root'

declare global {
  interface DocumentEventMap {
    'published-root': CustomEvent<readonly PublishedRoot[] | null>
  }
}

// Written here, because the module of coins brings every network along, and this page has little room for scripts.
const COINS: Readonly<Record<Coin, readonly [label: string, symbol: string]>> = {
  bitcoin: ['Bitcoin', 'BTC'],
  ethereum: ['Ethereum', 'ETH'],
  usdt: ['USDT', 'USDT'],
  usdc: ['USDC', 'USDC'],
}

type Reserve = PublishedRoot['reserves'][number]

/** Whether the wallet balances matched the books, in one sentence. */
export function describeReserve({
  asset,
  difference,
  stopsPayouts,
}: Pick<Reserve, 'asset' | 'difference' | 'stopsPayouts'>): {
  title: string
  words: string
  isShort: boolean
} {
  const [title] = COINS[asset]
  const isShort = difference.startsWith('-')
  if (isShort) {
    const lacking = formatCoins(asset, difference.slice(1))
    const consequence = stopsPayouts ? ' No payout is sent until this is settled.' : ''
    return {
      title,
      words: `Shortfall: the wallets held ${lacking} less than our books say.${consequence}`,
      isShort,
    }
  }
  return /[1-9]/.test(difference)
    ? {
        title,
        words: `Surplus: the wallets held ${formatCoins(asset, difference)} more than our books say.`,
        isShort,
      }
    : { title, words: 'The wallets held exactly what our books say.', isShort }
}

const VENUES: Readonly<Record<string, string>> = { kraken: 'Kraken', coinbase: 'Coinbase' }

/** "Kraken: 1.5 BTC (simulated)": the quantity moved to an exchange. */
export function formatVenueHolding({
  venue,
  asset,
  quantity,
  isSimulated,
}: PublishedRoot['atVenues'][number]): string {
  const symbol = Object.hasOwn(COINS, asset) ? COINS[asset as Coin][1] : asset.toUpperCase()
  return `${VENUES[venue] ?? venue}: ${quantity.replace('-', '−')} ${symbol}${isSimulated ? ' (simulated)' : ''}`
}

/** "1.25 BTC", with a real minus sign. */
export function formatCoins(asset: Coin, quantity: string): string {
  return `${quantity.replace('-', '−')} ${COINS[asset][1]}`
}
