/** A coin with real daily prices: our id, and its pair at the venue that provides its bars. */
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

/** The exchange whose prices are in `data/kraken`. */
export const VENUE = 'Kraken'
