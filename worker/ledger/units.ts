import { type SQL, sql } from 'drizzle-orm'

/**
 * Units of strategies in whole numbers: money in cents, units in 10⁻⁶ of one, prices in micro-USD for one unit. Products pass what a
 * number holds, so they are BigInt; what a division leaves stays in the pool, and the database checks each result.
 */

/** Micro-USD of a cent. */
export const MICRO_A_CENT = 10_000
/** Micro-USD that one unit costs when a strategy starts. */
export const START_PRICE = 100_000_000

/** 10⁻⁶ of a unit, at so many micro-USD a unit, is so much of a cent. */
const A_CENT = 10_000_000_000n

/** What units are worth in cents, rounded down. */
export function valueCents(units: number, price: number): number {
  return exact((BigInt(units) * BigInt(price)) / A_CENT)
}

/** The same in SQL, of whole units and of what is left of them each by itself, so that no product passes 64 bits. */
export function valueCentsSql(units: SQL, price: SQL): SQL {
  return sql`((${units} / 1000000 * ${price} + ${units} % 1000000 * ${price} / 1000000) / 10000)`
}

/** As many units as an amount buys, rounded down. */
export function unitsFor(cents: number, price: number): number {
  return exact((BigInt(cents) * A_CENT) / BigInt(price))
}

/** The fewest units that bring an amount. They may bring more where a single one is worth more than a cent: never less. */
export function unitsToRedeem(cents: number, price: number): number {
  return exact(roundedUp(BigInt(cents) * A_CENT, BigInt(price)))
}

/** The part of what was paid for all units that goes with some of them: rounded down, all of it with the last one. */
export function costPart(cost: number, units: number, held: number): number {
  return exact((BigInt(cost) * BigInt(units)) / BigInt(held))
}

/** What one unit is worth where so many share a net value (micro-USD), rounded down. */
export function unitPrice(netValue: number, units: number): number {
  return exact((BigInt(netValue) * 1_000_000n) / BigInt(units))
}

/**
 * The high-water mark after units were bought at a price: the average of both by units, rounded up, so that a fee is taken only on
 * what is above what was paid. New units carry no gain of old ones and old ones none of the new.
 */
export function averagedHighWater(highWater: number, held: number, price: number, bought: number): number {
  const sum = BigInt(highWater) * BigInt(held) + BigInt(price) * BigInt(bought)
  return exact(roundedUp(sum, BigInt(held) + BigInt(bought)))
}

function roundedUp(dividend: bigint, divisor: bigint): bigint {
  return (dividend + divisor - 1n) / divisor
}

/** The number of an integer. Throws a RangeError beyond 2^53, where it is not exact: the database would take it all the same. */
export function exact(value: bigint): number {
  const number = Number(value)
  if (!Number.isSafeInteger(number)) throw new RangeError('An amount is too large to be exact.')
  return number
}
