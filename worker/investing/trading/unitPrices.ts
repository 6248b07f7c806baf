import type { Costs } from '../../../engine/definition.ts'
import { partOf, partOfAtLeast } from './amounts.ts'
import { sideCosts } from './broker.ts'

export interface UnitPrices {
  /** What one unit is worth, in micro-USD. */
  readonly unit: number
  /** What an investor who comes pays for one. */
  readonly issue: number
  /** What an investor who leaves gets for one. */
  readonly redeem: number
}

/**
 * The prices of an open valuation. An allocation pays for buying the invested share of it, a redemption for selling that share. What other
 * investors do on that day changes neither price: whoever has an order could otherwise compute their flows from their own price.
 * @param invested what the strategy has invested before the open, as a share
 */
export function unitPrices(unit: number, invested: number, costs: Costs): UnitPrices {
  const { buying } = sideCosts(costs)
  return {
    unit,
    issue: unit + partOfAtLeast(unit, buying * invested),
    redeem: soldPrice(unit, invested, costs),
  }
}

/** What a unit is worth once its invested share was sold, in micro-USD. */
export function soldPrice(unit: number, invested: number, costs: Costs): number {
  return Math.max(1, unit - partOfAtLeast(unit, sideCosts(costs).selling * invested))
}

/** What a unit is worth once a pool that was all cash has bought, so that this share is invested. In micro-USD. */
export function boughtPrice(unit: number, invested: number, costs: Costs): number {
  return movedPrice(unit, 1 + sideCosts(costs).buying * invested, 1)
}

/** A unit's price moved as the model moved, in whole micro-USD. */
export function movedPrice(price: number, before: number, after: number): number {
  return Math.max(1, partOf(price, after / before))
}

/**
 * A price, or as many ten-thousandths of it less as bring it down to what can be paid. The steps are coarse on purpose: the exact figure
 * would tell how much the pool holds for one unit.
 */
export function cappedPrice(price: number, payable: number): number {
  if (price <= payable) return price
  const steps = Math.ceil((1 - payable / price) * STEPS)
  return Math.max(1, Math.min(payable, partOf(price, 1 - steps / STEPS)))
}

const STEPS = 10_000
