import { type Coin, MARKET_IDS } from '../../src/contract/coins.ts'
import type { Market } from './snapshot.ts'

/** USD for one coin in the snapshot, as a plain decimal; null when the snapshot does not name the coin or its price. */
export function rateOf(market: Market, coin: Coin): string | null {
  const price = market.coins.rows.find((row) => row.id === MARKET_IDS[coin])?.current_price
  return price === undefined || !(price > 0) || !Number.isFinite(price) ? null : decimalOf(price)
}

/** A positive number without exponent: `1e-7` as `0.0000001`. Cut below the eighteenth decimal. */
export function decimalOf(value: number): string {
  const shortest = String(value)
  if (!shortest.includes('e')) return shortest
  return value >= 1 ? BigInt(value).toString() : value.toFixed(18).replace(/\.?0+$/, '')
}
