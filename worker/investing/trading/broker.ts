import type { Costs } from '../../../engine/definition.ts'
import { termsOf } from '../../../engine/execution.ts'
import { paidFor, partOfAtLeast, QUANTITY_SCALE, worthOf } from './amounts.ts'

/**
 * Who trades for the pools. There is no method that moves money or coins away: for a real exchange its keys must be allowed to
 * trade and nothing else.
 *
 * An implementation keeps to this: `clientId` is handed to the exchange as the order's own id, and asking again with it never
 * orders twice, but answers what became of the first. An order is worth placing until its day ends. A fill is told once it is
 * final, with what was really paid, fee included; a part that can't be filled is left out of it.
 */
export interface Broker {
  /** Sees to it that there is such an order, and tells how it stands. */
  place(order: BrokerOrder): Promise<OrderState>
  /** How the order with this client id stands; `unknown` where there is none. */
  status(clientId: string): Promise<OrderState | { readonly state: 'unknown' }>
}

export interface BrokerOrder {
  /** `strategy:day:asset`, and `:exit` after it for what a stop sells within that day. */
  readonly clientId: string
  readonly asset: string
  readonly side: 'buy' | 'sell'
  /** In 10⁻⁸ of the asset. */
  readonly quantity: number
  /** What it is expected to be filled at before slippage: the day's open, or the price of a stop. */
  readonly seenPrice: number
  /**
   * What a purchase may take at the most, fee included, in micro-USD: a pool buys nothing on credit. Where all of the quantity would
   * cost more, less is bought. Null for a sale.
   */
  readonly mostPaid: number | null
}

export type OrderState =
  | { readonly state: 'waiting' }
  | { readonly state: 'refused'; readonly reason: string }
  | { readonly state: 'filled'; readonly fill: BrokerFill }

export interface BrokerFill {
  /** In 10⁻⁸ of the asset: at most what was ordered. */
  readonly quantity: number
  /** For one, slippage included, before the fee. */
  readonly price: number
  /** Micro-USD paid or got for all of it, before the fee. */
  readonly value: number
  readonly fee: number
  /** By how much the value is worse than at the price seen, in micro-USD. */
  readonly slippage: number
}

/**
 * The engine's own fills: at the price seen, worse by the slippage, with the fee, and never for more than there is. Everything
 * follows from the order, so that asking again gives the same.
 */
export class PaperBroker implements Broker {
  readonly #costs: Costs
  readonly #orders = new Map<string, OrderState>()

  constructor(costs: Costs) {
    this.#costs = costs
  }

  async place(order: BrokerOrder): Promise<OrderState> {
    const state = this.#orders.get(order.clientId) ?? stateOf(paperFillWithin(order, this.#costs))
    this.#orders.set(order.clientId, state)
    return state
  }

  async status(clientId: string): Promise<OrderState | { readonly state: 'unknown' }> {
    return this.#orders.get(clientId) ?? { state: 'unknown' }
  }
}

function stateOf(fill: BrokerFill | null): OrderState {
  return fill === null ? { state: 'refused', reason: 'There is no cash for it' } : { state: 'filled', fill }
}

/** What the paper broker fills an order at. What is paid is rounded up, what is got is rounded down. */
export function paperFill(
  { side, quantity, seenPrice }: Pick<BrokerOrder, 'side' | 'quantity' | 'seenPrice'>,
  costs: Costs,
): BrokerFill {
  const terms = termsOf(costs, {})
  const price = seenPrice * (side === 'buy' ? 1 + terms.slippage : 1 - terms.slippage)
  const value = side === 'buy' ? paidFor(quantity, price) : worthOf(quantity, price)
  const seen = worthOf(quantity, seenPrice)
  const slippage = Math.max(0, side === 'buy' ? value - seen : seen - value)
  return { quantity, price, value, fee: partOfAtLeast(value, terms.fee), slippage }
}

/** The same for as much of a purchase as its cash pays for with the costs; null where that is nothing. */
export function paperFillWithin(
  order: Pick<BrokerOrder, 'side' | 'quantity' | 'seenPrice' | 'mostPaid'>,
  costs: Costs,
): BrokerFill | null {
  const mostPaid = order.mostPaid ?? Number.POSITIVE_INFINITY
  let { quantity } = order
  while (quantity > 0) {
    const fill = paperFill({ ...order, quantity }, costs)
    const missing = order.side === 'buy' ? -cashOf('buy', fill) - mostPaid : 0
    if (missing <= 0) return fill
    quantity -= Math.max(1, Math.ceil((missing / 1e6 / order.seenPrice) * QUANTITY_SCALE))
  }
  return null
}

/** What a fill adds to a pool's cash, in micro-USD: below 0 for a purchase. */
export function cashOf(side: 'buy' | 'sell', { value, fee }: Pick<BrokerFill, 'value' | 'fee'>): number {
  return side === 'buy' ? -(value + fee) : value - fee
}

/** What buying and selling cost as shares of what is bought at the price seen: fee and slippage. */
export function sideCosts(costs: Costs): { readonly buying: number; readonly selling: number } {
  const { fee, slippage } = termsOf(costs, {})
  return { buying: (1 + slippage) * (1 + fee) - 1, selling: 1 - (1 - slippage) * (1 - fee) }
}
