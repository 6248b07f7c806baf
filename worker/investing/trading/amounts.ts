import { toExactNumber } from '../../ledger/units.ts'

/**
 * A pool's amounts in whole numbers, besides those of `ledger/units.ts`: cash in micro-USD, holdings in 10⁻⁸ of an asset. Prices
 * are doubles, rounded to 10⁻⁹ USD. Products are BigInt.
 */
export const QUANTITY_SCALE = 100_000_000

const NANO = 1e9
/** A quantity in 10⁻⁸ times a price in 10⁻⁹ USD, in micro-USD. */
const QUANTITY_PRICE = 100_000_000_000n
const SHARE = 1_000_000_000_000

/** The value of a quantity at a price, in micro-USD, rounded down. */
export function valueQuantity(quantity: number, price: number): number {
  return toExactNumber((BigInt(quantity) * toNano(price)) / QUANTITY_PRICE)
}

/** The same rounded up, for payments. */
export function valueQuantityAtLeast(quantity: number, price: number): number {
  return toExactNumber((BigInt(quantity) * toNano(price) + QUANTITY_PRICE - 1n) / QUANTITY_PRICE)
}

/** A share of a whole number, rounded down. The share is used to 10⁻¹². */
export function takeShare(whole: number, share: number): number {
  return toExactNumber((BigInt(whole) * BigInt(Math.round(share * SHARE))) / BigInt(SHARE))
}

/** The same rounded up. */
export function takeShareAtLeast(whole: number, share: number): number {
  return toExactNumber(
    (BigInt(whole) * BigInt(Math.round(share * SHARE)) + BigInt(SHARE - 1)) / BigInt(SHARE),
  )
}

function toNano(price: number): bigint {
  return BigInt(Math.round(price * NANO))
}
