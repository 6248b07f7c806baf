/** Coins that can be deposited and withdrawn, in the order in which they are offered. */
export const COINS = ['bitcoin', 'ethereum', 'usdt'] as const
export type Coin = (typeof COINS)[number]

/** Networks on which they travel. USDT is issued on three, and an address of one is no address of another. */
export const NETWORKS = ['btc', 'eth', 'usdt-trc20', 'usdt-bsc', 'usdt-erc20'] as const
export type Network = (typeof NETWORKS)[number]

export const COIN_LABELS: Record<Coin, string> = { bitcoin: 'Bitcoin', ethereum: 'Ethereum', usdt: 'USDT' }

/** How a quantity of the coin is written behind a number. */
export const COIN_SYMBOLS: Record<Coin, string> = { bitcoin: 'BTC', ethereum: 'ETH', usdt: 'USDT' }

export const NETWORK_LABELS: Record<Network, string> = {
  btc: 'Bitcoin',
  eth: 'Ethereum',
  'usdt-trc20': 'TRON (TRC-20)',
  'usdt-bsc': 'BNB Smart Chain (BEP-20)',
  'usdt-erc20': 'Ethereum (ERC-20)',
}

/** The coin's id in the market service's lists. */
export const MARKET_IDS: Record<Coin, string> = { bitcoin: 'bitcoin', ethereum: 'ethereum', usdt: 'tether' }

const COIN_OF: Record<Network, Coin> = {
  btc: 'bitcoin',
  eth: 'ethereum',
  'usdt-trc20': 'usdt',
  'usdt-bsc': 'usdt',
  'usdt-erc20': 'usdt',
}

/** The networks that carry this coin, in the order in which they are offered. */
export function networksOf(coin: Coin): Network[] {
  return NETWORKS.filter((network) => COIN_OF[network] === coin)
}

export function coinOfNetwork(network: Network): Coin {
  return COIN_OF[network]
}
