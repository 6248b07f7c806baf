import { at } from '../../../engine/at.ts'
import type { Costs } from '../../../engine/definition.ts'
import { QUANTITY_SCALE, valueQuantity } from './amounts.ts'
import { computeCashChange, computeSideCosts, simulateAffordableFill, simulatePaperFill } from './broker.ts'

/** A pool's cash in micro-USD, and its quantity of each asset in 10⁻⁸. */
export interface PoolBook {
  readonly cash: number
  readonly quantity: readonly number[]
}

/** The target holdings, in any scale. A pool takes as many multiples as it can pay. */
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
/** Without flows and without trades of the strategy, a pool ignores differences up to this share of it. */
const QUIET_SHARE = 0.001

/**
 * The orders that bring a pool to its target after `flow` (micro-USD, negative if more leaves than arrives), sales first. All
 * amounts use the expected prices and include trading costs, so that the cash suffices. A null target is cash alone.
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
    target === null
      ? pool.quantity.map(() => 0)
      : computeQuantities(pool.quantity, cash, prices, target, costs)
  const least = isQuiet ? Math.max(DUST, QUIET_SHARE * computeNetValue({ ...pool, cash }, prices)) : DUST
  const orders = wanted.flatMap((quantity, asset): PlannedOrder[] => {
    const owned = pool.quantity[asset] ?? 0
    const difference = quantity - owned
    // An asset that is no longer wanted is sold whole, even the smallest rest.
    if (difference === 0 || (quantity > 0 && valueQuantity(Math.abs(difference), at(prices, asset)) < least))
      return []
    return [{ asset, side: difference > 0 ? 'buy' : 'sell', quantity: Math.abs(difference) }]
  })
  const sales = planSales(pool, orders, cash, prices, costs)
  const isSold = (asset: number) => sales.some((sale) => sale.asset === asset)
  const purchases = orders.filter(({ side, asset }) => side === 'buy' && !isSold(asset))
  return [...sales, ...planPurchases(purchases, computeCashAfter(sales, cash, prices, costs), prices, costs)]
}

/** Cash and holdings at the given prices, in micro-USD. */
export function computeNetValue(pool: PoolBook, prices: Float64Array): number {
  return pool.quantity.reduce(
    (sum, quantity, asset) => sum + valueQuantity(quantity, at(prices, asset)),
    pool.cash,
  )
}

/** Each asset's share of the pool, in millionths. */
export function computeWeights(
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

/** The cash in micro-USD if all holdings were sold at these prices. A pool can never pay more. */
export function computeSoldValue(pool: PoolBook, prices: Float64Array, costs: Costs): number {
  const everything = pool.quantity.flatMap((quantity, asset): PlannedOrder[] =>
    quantity > 0 ? [{ asset, side: 'sell', quantity }] : [],
  )
  return computeCashAfter(everything, pool.cash, prices, costs)
}

/** The largest multiple of the target that cash and holdings can pay with trading costs, in 10⁻⁸ of each asset, rounded down. */
function computeQuantities(
  holdings: readonly number[],
  cash: number,
  prices: Float64Array,
  target: Target,
  costs: Costs,
): number[] {
  const { buying, selling } = computeSideCosts(costs)
  const cashUsd = cash / 1e6
  const quantities = holdings.map((quantity) => quantity / QUANTITY_SCALE)
  let worth = target.cash
  let equity = cashUsd
  for (const [asset, quantity] of quantities.entries()) {
    worth += at(target.quantity, asset) * at(prices, asset)
    equity += quantity * at(prices, asset)
  }
  if (!(worth > 0) || !(equity > 0)) return holdings.map(() => 0)
  // The cash left after a multiple of the target. It falls as the multiple grows, so bisection finds its zero.
  const computeCashLeft = (times: number) => {
    let rest = cashUsd - times * target.cash
    for (const [asset, quantity] of quantities.entries()) {
      const value = (times * at(target.quantity, asset) - quantity) * at(prices, asset)
      rest -= value > 0 ? value * (1 + buying) : value * (1 - selling)
    }
    return rest
  }
  let low = 0
  let high = equity / worth
  if (computeCashLeft(high) < 0) {
    for (let round = 0; round < 100 && high - low > high * 1e-15; round++) {
      const middle = (low + high) / 2
      if (computeCashLeft(middle) < 0) high = middle
      else low = middle
    }
  } else {
    low = high
  }
  return quantities.map((_, asset) => Math.floor(low * at(target.quantity, asset) * QUANTITY_SCALE))
}

/** The sales of a plan, increased if rounding or small trades would leave the cash below zero. */
function planSales(
  { quantity: holdings }: PoolBook,
  orders: readonly PlannedOrder[],
  cash: number,
  prices: Float64Array,
  costs: Costs,
): PlannedOrder[] {
  const sales = new Map(orders.flatMap((order) => (order.side === 'sell' ? [[order.asset, order]] : [])))
  const computeMissingCash = () => -computeCashAfter([...sales.values()], cash, prices, costs)
  for (const asset of new Set([...sales.keys(), ...holdings.keys()])) {
    const most = holdings[asset] ?? 0
    for (let missing = computeMissingCash(); missing > 0; missing = computeMissingCash()) {
      const sold = sales.get(asset)?.quantity ?? 0
      if (sold >= most) break
      const more = Math.max(1, Math.ceil((missing / 1e6 / at(prices, asset)) * QUANTITY_SCALE))
      sales.set(asset, { asset, side: 'sell', quantity: Math.min(most, sold + more) })
    }
  }
  return [...sales.values()]
}

/** The purchases of a plan, reduced if rounding would leave the cash below zero. */
function planPurchases(
  orders: readonly PlannedOrder[],
  cash: number,
  prices: Float64Array,
  costs: Costs,
): PlannedOrder[] {
  let left = cash
  return orders.flatMap((order) => {
    const fill = simulateAffordableFill(
      { ...order, seenPrice: at(prices, order.asset), mostPaid: left },
      costs,
    )
    if (fill === null) return []
    left += computeCashChange('buy', fill)
    return [{ ...order, quantity: fill.quantity }]
  })
}

function computeCashAfter(
  orders: readonly PlannedOrder[],
  cash: number,
  prices: Float64Array,
  costs: Costs,
): number {
  return orders.reduce((sum, order) => sum + computeOrderCash(order, prices, costs), cash)
}

/** The change of the cash by an order, in micro-USD. */
function computeOrderCash(
  { side, asset, quantity }: PlannedOrder,
  prices: Float64Array,
  costs: Costs,
): number {
  return computeCashChange(side, simulatePaperFill({ side, quantity, seenPrice: at(prices, asset) }, costs))
}
