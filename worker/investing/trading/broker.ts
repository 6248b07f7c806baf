import type { Costs } from '../../../engine/definition.ts'
import { termsOf } from '../../../engine/execution.ts'
import { paidFor, partOfAtLeast, QUANTITY_SCALE, worthOf } from './amounts.ts'

/**
 * Trades for the pools. No method moves money or coins away: keys at a real exchange must be allowed to trade and nothing else.
 * An implementation passes `clientId` to the exchange as the order's own id. Placing the same id again never orders twice, but
 * returns the first order's result. An order is valid until its day ends. A fill is returned once it is final, with the amounts
 * really paid, including the fee. It leaves out a part that could not be filled.
 */
export interface Broker {
  /** Places the order unless it exists, and returns its status. */
  place(order: BrokerOrder): Promise<OrderState>
  /** The status of the order with this client id, `unknown` if there is none. */
  status(clientId: string): Promise<OrderState | { readonly state: 'unknown' }>
}

export interface BrokerOrder {
  /** `strategy:day:asset`, with `:exit` added for a sale by a stop within that day. */
  readonly clientId: string
  readonly asset: string
  readonly side: 'buy' | 'sell'
  /** In 10⁻⁸ of the asset. */
  readonly quantity: number
  /** The expected price before slippage: the day's open, or the price of a stop. */
  readonly seenPrice: number
  /**
   * The most that a purchase may cost with its fee, in micro-USD, because a pool never buys on credit. If the whole quantity
   * would cost more, less is bought. Null for a sale.
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
  /** Price of one, with slippage, before the fee. */
  readonly price: number
  /** Micro-USD paid or received for all of it, before the fee. */
  readonly value: number
  readonly fee: number
  /** The loss compared with the expected price, in micro-USD. */
  readonly slippage: number
}

/**
 * Fills like the engine: at the expected price, worse by the slippage, with the fee, and never for more than is available. The
 * fill follows from the order alone, so asking again returns the same.
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

/** How the paper broker fills an order. Payments are rounded up, proceeds down. */
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

/** The same for the part of a purchase that its cash can pay with all costs. Null if that is nothing. */
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

/** The change of a pool's cash by a fill, in micro-USD. Negative for a purchase. */
export function cashOf(side: 'buy' | 'sell', { value, fee }: Pick<BrokerFill, 'value' | 'fee'>): number {
  return side === 'buy' ? -(value + fee) : value - fee
}

/** The costs of buying and selling as shares of the value at the expected price: fee and slippage. */
export function sideCosts(costs: Costs): { readonly buying: number; readonly selling: number } {
  const { fee, slippage } = termsOf(costs, {})
  return { buying: (1 + slippage) * (1 + fee) - 1, selling: 1 - (1 - slippage) * (1 - fee) }
}
