import { at } from '../../../engine/at.ts'
import type { Costs } from '../../../engine/definition.ts'
import { QUANTITY_SCALE, worthOf } from './amounts.ts'
import { cashOf, paperFill, paperFillWithin, sideCosts } from './broker.ts'

/** What a pool has: cash in micro-USD, and of each asset of its market so many 10⁻⁸. */
export interface PoolBook {
  readonly cash: number
  readonly quantity: readonly number[]
}

/** What is to be held, in any proportion: a pool takes as many times of it as it can pay. */
export interface Target {
  readonly cash: number
  readonly quantity: Float64Array
}

export interface PlannedOrder {
  readonly asset: number
  readonly side: 'buy' | 'sell'
  /** In 10⁻⁸ of the asset. */
  readonly quantity: number
}

/** Orders worth less (micro-USD) are rounding. */
const DUST = 1000
/** Where nobody comes or goes and the strategy wants nothing, a pool is left alone up to this share of it. */
const QUIET_SHARE = 0.001

/**
 * The orders that bring a pool to its target once `flow` (micro-USD, below 0 where more goes than comes) has come in, sales first.
 * All is reckoned at the prices seen, with the costs of trading, so that cash suffices; null is a target of cash alone.
 */
export function planOrders(
  pool: PoolBook,
  flow: number,
  prices: Float64Array,
  target: Target | null,
  costs: Costs,
  isQuiet = false,
): readonly PlannedOrder[] {
  const cash = pool.cash + flow
  const wanted =
    target === null ? pool.quantity.map(() => 0) : quantitiesFor(pool.quantity, cash, prices, target, costs)
  const least = isQuiet ? Math.max(DUST, QUIET_SHARE * netValue({ ...pool, cash }, prices)) : DUST
  const orders = wanted.flatMap((quantity, asset): PlannedOrder[] => {
    const held = pool.quantity[asset] ?? 0
    const difference = quantity - held
    // What is to be nothing is sold whole, however little it is.
    if (difference === 0 || (quantity > 0 && worthOf(Math.abs(difference), at(prices, asset)) < least))
      return []
    return [{ asset, side: difference > 0 ? 'buy' : 'sell', quantity: Math.abs(difference) }]
  })
  const sales = sufficient(pool, orders, cash, prices, costs)
  const isSold = (asset: number) => sales.some((sale) => sale.asset === asset)
  const purchases = orders.filter(({ side, asset }) => side === 'buy' && !isSold(asset))
  return [...sales, ...affordable(purchases, cashAfter(sales, cash, prices, costs), prices, costs)]
}

/** Cash and holdings at the given prices, in micro-USD. */
export function netValue(pool: PoolBook, prices: Float64Array): number {
  return pool.quantity.reduce((sum, quantity, asset) => sum + worthOf(quantity, at(prices, asset)), pool.cash)
}

/** What each asset is of cash and holdings, in millionths. */
export function heldWeights(
  { quantity, equity }: { readonly quantity: Float64Array; readonly equity: number },
  prices: Float64Array,
  assets: readonly string[],
): Record<string, number> {
  return Object.fromEntries(
    assets.flatMap((asset, place) => {
      const part = Math.floor((at(quantity, place) * at(prices, place) * 1e6) / equity + 1e-6)
      return part > 0 ? [[asset, part]] : []
    }),
  )
}

/** What would be there in cash, in micro-USD, if all that a pool holds were sold at these prices: all that it can ever pay. */
export function soldValue(pool: PoolBook, prices: Float64Array, costs: Costs): number {
  const everything = pool.quantity.flatMap((quantity, asset): PlannedOrder[] =>
    quantity > 0 ? [{ asset, side: 'sell', quantity }] : [],
  )
  return cashAfter(everything, pool.cash, prices, costs)
}

/** How many times the target cash and holdings pay for, trading costs taken off; in 10⁻⁸ of each asset, rounded down. */
function quantitiesFor(
  held: readonly number[],
  cash: number,
  prices: Float64Array,
  target: Target,
  costs: Costs,
): number[] {
  const { buying, selling } = sideCosts(costs)
  const cashUsd = cash / 1e6
  const quantities = held.map((quantity) => quantity / QUANTITY_SCALE)
  let worth = target.cash
  let equity = cashUsd
  for (const [asset, quantity] of quantities.entries()) {
    worth += at(target.quantity, asset) * at(prices, asset)
    equity += quantity * at(prices, asset)
  }
  if (!(worth > 0) || !(equity > 0)) return held.map(() => 0)
  // Cash that would be left over after so many times the target: it falls as they grow, so that halving finds where it is none.
  const left = (times: number) => {
    let rest = cashUsd - times * target.cash
    for (const [asset, quantity] of quantities.entries()) {
      const value = (times * at(target.quantity, asset) - quantity) * at(prices, asset)
      rest -= value > 0 ? value * (1 + buying) : value * (1 - selling)
    }
    return rest
  }
  let low = 0
  let high = equity / worth
  if (left(high) < 0) {
    for (let round = 0; round < 100 && high - low > high * 1e-15; round++) {
      const middle = (low + high) / 2
      if (left(middle) < 0) high = middle
      else low = middle
    }
  } else {
    low = high
  }
  return quantities.map((_, asset) => Math.floor(low * at(target.quantity, asset) * QUANTITY_SCALE))
}

/** The sales of a plan, larger where what is rounded, or too little to trade, would leave the cash below nothing. */
function sufficient(
  { quantity: held }: PoolBook,
  orders: readonly PlannedOrder[],
  cash: number,
  prices: Float64Array,
  costs: Costs,
): PlannedOrder[] {
  const sales = new Map(orders.flatMap((order) => (order.side === 'sell' ? [[order.asset, order]] : [])))
  const missingNow = () => -cashAfter([...sales.values()], cash, prices, costs)
  for (const asset of new Set([...sales.keys(), ...held.keys()])) {
    const most = held[asset] ?? 0
    for (let missing = missingNow(); missing > 0; missing = missingNow()) {
      const sold = sales.get(asset)?.quantity ?? 0
      if (sold >= most) break
      const more = Math.max(1, Math.ceil((missing / 1e6 / at(prices, asset)) * QUANTITY_SCALE))
      sales.set(asset, { asset, side: 'sell', quantity: Math.min(most, sold + more) })
    }
  }
  return [...sales.values()]
}

/** The purchases of a plan, smaller where rounding would take the cash below nothing. */
function affordable(
  orders: readonly PlannedOrder[],
  cash: number,
  prices: Float64Array,
  costs: Costs,
): PlannedOrder[] {
  let left = cash
  return orders.flatMap((order) => {
    const fill = paperFillWithin({ ...order, seenPrice: at(prices, order.asset), mostPaid: left }, costs)
    if (fill === null) return []
    left += cashOf('buy', fill)
    return [{ ...order, quantity: fill.quantity }]
  })
}

function cashAfter(
  orders: readonly PlannedOrder[],
  cash: number,
  prices: Float64Array,
  costs: Costs,
): number {
  return orders.reduce((sum, order) => sum + cashFor(order, prices, costs), cash)
}

/** What an order adds to the cash, in micro-USD. */
function cashFor({ side, asset, quantity }: PlannedOrder, prices: Float64Array, costs: Costs): number {
  return cashOf(side, paperFill({ side, quantity, seenPrice: at(prices, asset) }, costs))
}
