import type { Costs } from '../../../engine/definition.ts'
import { takeShare, takeShareAtLeast } from './amounts.ts'
import { computeSideCosts } from './broker.ts'

export interface UnitPrices {
  /** The value of one unit, in micro-USD. */
  readonly unit: number
  /** The price of an allocation. */
  readonly issue: number
  /** The price of a redemption. */
  readonly redeem: number
}

/**
 * The prices of an open valuation. An allocation pays the cost of buying its invested share, and a redemption the cost of selling
 * it. Other investors' orders of the day change neither price. Otherwise an investor could compute their flows from the price of
 * an order.
 * @param invested the strategy's invested share before the open
 */
export function computeUnitPrices(unit: number, invested: number, costs: Costs): UnitPrices {
  const { buying } = computeSideCosts(costs)
  return {
    unit,
    issue: unit + takeShareAtLeast(unit, buying * invested),
    redeem: computeSoldPrice(unit, invested, costs),
  }
}

/** The value of a unit after selling its invested share, in micro-USD. */
export function computeSoldPrice(unit: number, invested: number, costs: Costs): number {
  return Math.max(1, unit - takeShareAtLeast(unit, computeSideCosts(costs).selling * invested))
}

/** The value of a unit after a pool of cash has bought this invested share, in micro-USD. */
export function computeBoughtPrice(unit: number, invested: number, costs: Costs): number {
  return computeMovedPrice(unit, 1 + computeSideCosts(costs).buying * invested, 1)
}

/** A unit's price moved as the model moved, in whole micro-USD. */
export function computeMovedPrice(price: number, before: number, after: number): number {
  return Math.max(1, takeShare(price, after / before))
}

/**
 * A price, reduced in steps of a ten-thousandth until the pool can pay it. The steps are coarse on purpose: the exact figure
 * would reveal how much the pool holds for one unit.
 */
export function computeCappedPrice(price: number, payable: number): number {
  if (price <= payable) return price
  const steps = Math.ceil((1 - payable / price) * STEPS)
  return Math.max(1, Math.min(payable, takeShare(price, 1 - steps / STEPS)))
}

const STEPS = 10_000
