import type { Costs } from '../../engine/costs.ts'
import { partOf, partOfAtLeast } from './amounts.ts'
import { sideCosts } from './broker.ts'

export interface UnitPrices {
  /** What one unit is worth, in micro-USD. */
  readonly unit: number
  /** What whoever comes pays for one. */
  readonly issue: number
  /** What whoever goes gets for one. */
  readonly redeem: number
}

/**
 * The prices of an open valuation. Who comes or goes bears the trading that it causes: of each unit the invested share is bought or
 * sold, and that costs; so the price of a unit of those who stay doesn't move by it.
 * @param invested what is invested of the pool before it trades, as a share
 */
export function unitPrices(unit: number, invested: number, costs: Costs): UnitPrices {
  const { buying, selling } = sideCosts(costs)
  return {
    unit,
    issue: unit + partOfAtLeast(unit, buying * invested),
    redeem: unit - partOfAtLeast(unit, selling * invested),
  }
}

/** A unit's price moved as the model moved, in whole micro-USD: what is recorded while nobody holds one. */
export function movedPrice(price: number, before: number, after: number): number {
  return Math.max(1, partOf(price, after / before))
}
