/** Coins for deposits and withdrawals, in display order. */
export const COINS = ['bitcoin', 'ethereum', 'usdt', 'usdc'] as const
export type Coin = (typeof COINS)[number]

/** Networks of these coins. USDT is accepted on three, and their addresses are not interchangeable. */
export const NETWORKS = ['btc', 'eth', 'usdt-trc20', 'usdt-bsc', 'usdt-erc20', 'usdc-erc20'] as const
export type Network = (typeof NETWORKS)[number]

/** Networks that write addresses and sign messages the same way. */
export type NetworkFamily = 'bitcoin' | 'ethereum' | 'tron'

interface NetworkFacts {
  readonly coin: Coin
  readonly label: string
  readonly family: NetworkFamily
  /** Describes its addresses, for errors. */
  readonly address: string
  /** Whether a transaction has numbered outputs (on ERC-20: logs), each a separate payment. */
  readonly hasOutputs: boolean
}

/**
 * Everything that differs between networks. A new network is a name above, an entry here and a row of the table `networks`;
 * a test compares both.
 */
const NETWORK_FACTS: Readonly<Record<Network, NetworkFacts>> = {
  btc: {
    coin: 'bitcoin',
    label: 'Bitcoin',
    family: 'bitcoin',
    address: 'a Bitcoin address, which starts with bc1, 1 or 3',
    hasOutputs: true,
  },
  eth: {
    coin: 'ethereum',
    label: 'Ethereum',
    family: 'ethereum',
    address: 'an Ethereum address, which is 0x and 40 characters from 0 to 9 and a to f',
    hasOutputs: false,
  },
  'usdt-trc20': {
    coin: 'usdt',
    label: 'TRON (TRC-20)',
    family: 'tron',
    address: 'a TRON address, which is a T and 33 more letters and digits',
    hasOutputs: false,
  },
  'usdt-bsc': {
    coin: 'usdt',
    label: 'BNB Smart Chain (BEP-20)',
    family: 'ethereum',
    address: 'a BNB Smart Chain address, which is 0x and 40 characters from 0 to 9 and a to f',
    hasOutputs: false,
  },
  'usdt-erc20': {
    coin: 'usdt',
    label: 'Ethereum (ERC-20)',
    family: 'ethereum',
    address: 'an Ethereum address, which is 0x and 40 characters from 0 to 9 and a to f',
    hasOutputs: true,
  },
  'usdc-erc20': {
    coin: 'usdc',
    label: 'Ethereum (ERC-20)',
    family: 'ethereum',
    address: 'an Ethereum address, which is 0x and 40 characters from 0 to 9 and a to f',
    hasOutputs: true,
  },
}

/**
 * The contracts of the tokens, as their issuer names them: Tether for USDT, Circle for USDC; Binance-Peg USDT on BNB Smart Chain.
 * Tokens that are sent to such an address are lost.
 */
export const TOKEN_CONTRACTS = {
  'usdt-trc20': 'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t',
  'usdt-bsc': '0x55d398326f99059fF775485246999027B3197955',
  'usdt-erc20': '0xdAC17F958D2ee523a2206206994597C13D831ec7',
  'usdc-erc20': '0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48',
} as const satisfies Partial<Record<Network, string>>

/** The facts of a network. Throws for an unknown one instead of guessing its rules. */
export function getNetworkFacts(network: Network): NetworkFacts {
  if (!Object.hasOwn(NETWORK_FACTS, network)) throw new Error(`There is no network ${network}.`)
  return NETWORK_FACTS[network]
}

export const COIN_LABELS: Record<Coin, string> = {
  bitcoin: 'Bitcoin',
  ethereum: 'Ethereum',
  usdt: 'USDT',
  usdc: 'USDC',
}

export const COIN_SYMBOLS: Record<Coin, string> = {
  bitcoin: 'BTC',
  ethereum: 'ETH',
  usdt: 'USDT',
  usdc: 'USDC',
}

/** The coins as running text names them, on every page: "bitcoin, ethereum, USDT or USDC". */
export const COIN_CHOICE = 'bitcoin, ethereum, USDT or USDC'

export const NETWORK_LABELS = Object.fromEntries(
  NETWORKS.map((network) => [network, NETWORK_FACTS[network].label]),
) as Record<Network, string>

/** The coin's id in the market service's lists. */
export const MARKET_IDS: Record<Coin, string> = {
  bitcoin: 'bitcoin',
  ethereum: 'ethereum',
  usdt: 'tether',
  usdc: 'usd-coin',
}

/** The networks of this coin, in display order. */
export function listNetworks(coin: Coin): Network[] {
  return NETWORKS.filter((network) => NETWORK_FACTS[network].coin === coin)
}

export function getCoinOfNetwork(network: Network): Coin {
  return getNetworkFacts(network).coin
}
