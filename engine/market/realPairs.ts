/** A coin with real daily prices: our id, and its pair at the venue where its bars begin. */
export interface RealPair {
  readonly asset: string
  readonly name: string
  /** The venue's own name of the pair, which names its files. */
  readonly pair: string
  /** The pair as people write it. */
  readonly label: string
}

/** In the order in which their markets began at the venue. */
export const REAL_PAIRS: readonly RealPair[] = [
  { asset: 'bitcoin', name: 'Bitcoin', pair: 'XBTUSD', label: 'BTC/USD' },
  { asset: 'ethereum', name: 'Ether', pair: 'ETHUSD', label: 'ETH/USD' },
  { asset: 'ripple', name: 'XRP', pair: 'XRPUSD', label: 'XRP/USD' },
  { asset: 'cardano', name: 'Cardano', pair: 'ADAUSD', label: 'ADA/USD' },
  { asset: 'solana', name: 'Solana', pair: 'SOLUSD', label: 'SOL/USD' },
]

/** A venue whose stored bars are part of each coin's series. */
export interface PriceVenue {
  /** Names its folder in `data`. */
  readonly id: 'kraken' | 'binance'
  readonly name: string
  /** The currency of its prices. */
  readonly quote: string
  /** One for each of `REAL_PAIRS`, in that order. */
  readonly pairs: readonly Pick<RealPair, 'asset' | 'pair' | 'label'>[]
}

/** A pair at the venue that has its bars. */
export type VenuePair = PriceVenue['pairs'][number]

/** A series begins with the bars of the first venue. The next one continues it from the day after the last of them. */
export const PRICE_VENUES: readonly [PriceVenue, ...PriceVenue[]] = [
  { id: 'kraken', name: 'Kraken', quote: 'USD', pairs: REAL_PAIRS },
  {
    id: 'binance',
    name: 'Binance',
    quote: 'USDT',
    pairs: REAL_PAIRS.map(({ asset, label }) => ({
      asset,
      pair: label.replace('/USD', 'USDT'),
      label: label.replace('/USD', '/USDT'),
    })),
  },
]
