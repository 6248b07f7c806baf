import { exact } from '../../ledger/units.ts'

/**
 * What pools hold, in whole numbers beside those of `ledger/units.ts`: cash in micro-USD, holdings in 10⁻⁸ of an asset. Prices are
 * doubles, taken to 10⁻⁹ USD; products are BigInt.
 */
export const QUANTITY_SCALE = 100_000_000

const NANO = 1e9
/** A quantity in 10⁻⁸ times a price in 10⁻⁹ USD, down to micro-USD. */
const QUANTITY_PRICE = 100_000_000_000n
const SHARE = 1_000_000_000_000

/** What a quantity is worth at a price, in micro-USD, rounded down. */
export function worthOf(quantity: number, price: number): number {
  return exact((BigInt(quantity) * nano(price)) / QUANTITY_PRICE)
}

/** Likewise, rounded up: what is paid. */
export function paidFor(quantity: number, price: number): number {
  return exact((BigInt(quantity) * nano(price) + QUANTITY_PRICE - 1n) / QUANTITY_PRICE)
}

/** A part of a whole number, the share being a fraction to 10⁻¹², rounded down. */
export function partOf(whole: number, share: number): number {
  return exact((BigInt(whole) * BigInt(Math.round(share * SHARE))) / BigInt(SHARE))
}

/** Likewise, rounded up. */
export function partOfAtLeast(whole: number, share: number): number {
  return exact((BigInt(whole) * BigInt(Math.round(share * SHARE)) + BigInt(SHARE - 1)) / BigInt(SHARE))
}

function nano(price: number): bigint {
  return BigInt(Math.round(price * NANO))
}
