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

/** What comes to a pool and what goes on one day, in micro-USD, units at their price without costs. */
export interface Flows {
  readonly coming: number
  readonly going: number
}

/**
 * The prices of a day on which some come and some go: what meets the other way needs no trade, so that the side of which more is
 * there shares the costs of the rest, and the other bears none. Otherwise whoever holds a little could raise its price, and with it the
 * strategy's record, by sending much in and out. `flows` tells what comes and goes at given prices, on which it depends
 * in turn: they are approached from the whole costs on, so that those who stay never pay.
 */
export function nettedPrices(whole: UnitPrices, flows: (prices: UnitPrices) => Flows): UnitPrices {
  let prices = whole
  for (let round = 0; round < ROUNDS; round++) {
    const next = netted(whole, flows(prices))
    if (next.issue === prices.issue && next.redeem === prices.redeem) break
    prices = next
  }
  return prices
}

/** Each brings the prices a hundred times nearer. */
const ROUNDS = 6

function netted(whole: UnitPrices, { coming, going }: Flows): UnitPrices {
  const { unit } = whole
  if (coming === 0 || going === 0) return whole
  const buying = whole.issue / unit - 1
  const selling = 1 - whole.redeem / unit
  const met = Math.min(1, going / coming)
  const paid = Math.min(1, coming / going)
  // Of what is left over a part is invested, costs taken off: the rest of the divisor is what is spent on them.
  return {
    unit,
    issue: Math.min(whole.issue, unit + partOfAtLeast(unit, (buying * (1 - met)) / (1 + buying * met))),
    redeem: Math.max(whole.redeem, unit - partOfAtLeast(unit, selling * (1 - paid))),
  }
}

/** A unit's price moved as the model moved, in whole micro-USD: what is recorded while nobody holds one. */
export function movedPrice(price: number, before: number, after: number): number {
  return Math.max(1, partOf(price, after / before))
}
