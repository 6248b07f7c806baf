/**
 * The integers of pools: unit prices in micro-USD, units in millionths, cash in micro-USD, holdings in 10⁻⁸ of an asset, money of
 * investors in cents. Products are BigInt; what division leaves over stays in the pool.
 */
export const START_PRICE = 100_000_000

const MICRO_A_CENT = 10_000n
const MILLIONTHS = 1_000_000n
/** A price, a double, is taken to 10⁻⁹ USD. */
const NANO = 1e9
/** A quantity in 10⁻⁸ times a price in 10⁻⁹ USD, down to micro-USD. */
const QUANTITY_PRICE = 100_000_000_000n
export const QUANTITY_SCALE = 100_000_000

/** Micro-USD of so many cents. */
export function microOf(cents: number): number {
  return safe(BigInt(cents) * MICRO_A_CENT)
}

/** Units that so many cents buy, rounded down. */
export function unitsFor(cents: number, price: number): number {
  return safe((BigInt(cents) * MICRO_A_CENT * MILLIONTHS) / BigInt(price))
}

/** What units are worth in cents, rounded down. */
export function centsOf(units: number, price: number): number {
  return safe((BigInt(units) * BigInt(price)) / (MILLIONTHS * MICRO_A_CENT))
}

/** The fewest units that are worth so many cents. */
export function unitsWorth(cents: number, price: number): number {
  return safe(ceilDivide(BigInt(cents) * MICRO_A_CENT * MILLIONTHS, BigInt(price)))
}

/** What one unit is worth where so many share a net value (micro-USD), rounded down. */
export function unitPrice(netValue: number, units: number): number {
  return safe((BigInt(netValue) * MILLIONTHS) / BigInt(units))
}

/** What a quantity is worth at a price, in micro-USD, rounded down. */
export function worthOf(quantity: number, price: number): number {
  return safe((BigInt(quantity) * nano(price)) / QUANTITY_PRICE)
}

/** Likewise, rounded up: what is paid. */
export function paidFor(quantity: number, price: number): number {
  return safe(ceilDivide(BigInt(quantity) * nano(price), QUANTITY_PRICE))
}

/** A part of a whole number, the share being a fraction to 10⁻¹², rounded down. */
export function partOf(whole: number, share: number): number {
  return safe((BigInt(whole) * BigInt(Math.round(share * 1e12))) / 1_000_000_000_000n)
}

/** Likewise, rounded up. */
export function partOfAtLeast(whole: number, share: number): number {
  return safe(ceilDivide(BigInt(whole) * BigInt(Math.round(share * 1e12)), 1_000_000_000_000n))
}

function nano(price: number): bigint {
  return BigInt(Math.round(price * NANO))
}

function ceilDivide(dividend: bigint, divisor: bigint): bigint {
  return (dividend + divisor - 1n) / divisor
}

// Beyond it a double is not exact, and the database would take it all the same.
function safe(value: bigint): number {
  const number = Number(value)
  if (!Number.isSafeInteger(number)) throw new RangeError('An amount is too large to be exact.')
  return number
}
