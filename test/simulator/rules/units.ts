/** An investor's units of a pool, in 10⁻⁶, with their cost in cents and their high-water mark in micro-USD. */
export interface Holding {
  readonly units: bigint
  readonly cost: bigint
  readonly highWater: bigint
}

export const NOTHING: Holding = { units: 0n, cost: 0n, highWater: 0n }

/** A movement of units as it must be, and the holding after it. */
export interface Expected {
  /** Positive for a purchase. */
  readonly units: bigint
  readonly cents: bigint
  /** The part of the cost that moves with the units. */
  readonly cost: bigint
  readonly holding: Holding
}

/** 10⁻⁶ of a unit times a price in micro-USD is 10⁻¹² USD, and a cent is 10¹⁰ of those. */
export const A_CENT = 10_000_000_000n

/** Units bought for an amount: rounded down. The mark becomes the average price, rounded up. */
export function issued({ units, cost, highWater }: Holding, cents: bigint, price: bigint): Expected {
  const bought = (cents * A_CENT) / price
  const all = units + bought
  const mark = all === 0n ? price : (highWater * units + price * bought + all - 1n) / all
  return {
    units: bought,
    cents,
    cost: cents,
    holding: { units: all, cost: cost + cents, highWater: mark },
  }
}

/** Units sold: their value and their part of the cost, both rounded down. */
export function redeemed({ units, cost, highWater }: Holding, sold: bigint, price: bigint): Expected {
  const part = units === 0n ? 0n : (cost * sold) / units
  return {
    units: -sold,
    cents: (sold * price) / A_CENT,
    cost: part,
    holding: { units: units - sold, cost: cost - part, highWater },
  }
}
