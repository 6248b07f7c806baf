import { type SQL, sql } from 'drizzle-orm'

/**
 * Strategy units as whole numbers: money in cents, units in 10⁻⁶ of one, prices in micro-USD for one unit. Products exceed a
 * number's exact range, so they are BigInt. Remainders of divisions stay in the pool, and the database checks each result.
 */

/** Micro-USD of a cent. */
export const MICRO_A_CENT = 10_000
/** The price of one unit when a strategy starts, in micro-USD. */
export const START_PRICE = 100_000_000

/** Divides a quantity in 10⁻⁶ of a unit times a price in micro-USD into cents. */
const A_CENT = 10_000_000_000n

/** The value of units in cents, rounded down. */
export function valueCents(units: number, price: number): number {
  return toExactNumber((BigInt(units) * BigInt(price)) / A_CENT)
}

/** The same in SQL. Whole units and the fraction are multiplied separately, so that no product exceeds 64 bits. */
export function valueCentsSql(units: SQL, price: SQL): SQL {
  return sql`((${units} / 1000000 * ${price} + ${units} % 1000000 * ${price} / 1000000) / 10000)`
}

/** The units that an amount buys, rounded down. */
export function computeUnits(cents: number, price: number): number {
  return toExactNumber((BigInt(cents) * A_CENT) / BigInt(price))
}

/**
 * The fewest units that bring an amount. They may bring more if the smallest quantity is worth more than a cent, and never less.
 */
export function computeUnitsToRedeem(cents: number, price: number): number {
  return toExactNumber(roundUpQuotient(BigInt(cents) * A_CENT, BigInt(price)))
}

/** The share of the cost that belongs to some of the units, rounded down. All units take all of it. */
export function computeCostPart(cost: number, units: number, allUnits: number): number {
  return toExactNumber((BigInt(cost) * BigInt(units)) / BigInt(allUnits))
}

/** The average cost of units in micro-USD, rounded down. `percent` takes so much off: the price of a stop. */
export function computeAverageCost(cost: number, units: number, percent = 0): number {
  return toExactNumber((BigInt(cost) * (A_CENT / 100n) * BigInt(100 - percent)) / BigInt(units))
}

/** The price of a unit if this many share a net value (micro-USD), rounded down. */
export function computeUnitPrice(netValue: number, units: number): number {
  return toExactNumber((BigInt(netValue) * 1_000_000n) / BigInt(units))
}

/**
 * The high-water mark after buying units at a price: the average of both by units, rounded up, so that a fee is taken only on
 * value above the purchase price. New units get no gain of old ones, and old units none of new ones.
 */
export function computeHighWater(highWater: number, units: number, price: number, bought: number): number {
  const sum = BigInt(highWater) * BigInt(units) + BigInt(price) * BigInt(bought)
  return toExactNumber(roundUpQuotient(sum, BigInt(units) + BigInt(bought)))
}

function roundUpQuotient(dividend: bigint, divisor: bigint): bigint {
  return (dividend + divisor - 1n) / divisor
}

/**
 * Converts an integer to a number. Throws a RangeError beyond 2^53, where it would not be exact and the database would still
 * accept it.
 */
export function toExactNumber(value: bigint): number {
  const number = Number(value)
  if (!Number.isSafeInteger(number)) throw new RangeError('An amount is too large to be exact.')
  return number
}
