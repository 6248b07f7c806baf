import { type Amount, amount } from './decimal.ts'

/** A traded pair. Both exchanges list the same ones, each with its own names, precision and minimum sizes. */
export interface Pair {
  /** As people write it, `BTC/USD`. */
  readonly symbol: string
  readonly base: string
  readonly quote: string
  readonly priceDecimals: number
  readonly sizeDecimals: number
  readonly leastSize: Amount
  /** The least price times size. */
  readonly leastCost: Amount
  /** The price around which the simulated one moves. */
  readonly usualPrice: number
}

/** Rates by the volume of the last 30 days in USD, in rising order of volume. */
export type FeeTiers = readonly { readonly from: Amount; readonly maker: Amount; readonly taker: Amount }[]

const USUAL_PRICES = {
  BTC: 90_000,
  ETH: 3_200,
  SOL: 160,
  XRP: 2.2,
  ADA: 0.6,
  LTC: 95,
  DOGE: 0.18,
  LINK: 15,
} as const
export type Coin = keyof typeof USUAL_PRICES
export const COINS = Object.keys(USUAL_PRICES) as Coin[]

/** @param details by coin: decimals of the price and of the size, and the least size */
export function pairsOf(
  leastCost: string,
  details: Record<Coin, readonly [priceDecimals: number, sizeDecimals: number, leastSize: string]>,
): readonly Pair[] {
  return COINS.map((base) => {
    const [priceDecimals, sizeDecimals, leastSize] = details[base]
    return {
      symbol: `${base}/USD`,
      base,
      quote: 'USD',
      priceDecimals,
      sizeDecimals,
      leastSize: amount(leastSize),
      leastCost: amount(leastCost),
      usualPrice: USUAL_PRICES[base],
    }
  })
}

/** @param rows the least volume in USD, the maker's and the taker's rate in percent */
export function feeTiers(
  ...rows: readonly (readonly [from: number, maker: string, taker: string])[]
): FeeTiers {
  return rows.map(([from, maker, taker]) => ({
    from: amount(String(from)),
    maker: amount(maker) / 100n,
    taker: amount(taker) / 100n,
  }))
}
