import { sql } from 'drizzle-orm'
import type { Costs } from '../../../engine/definition.ts'
import { deriveTerms } from '../../../engine/execution.ts'
import { type Database, readTogether, selectValues } from '../../lib/database.ts'
import { QUANTITY_SCALE, takeShareAtLeast, valueQuantity, valueQuantityAtLeast } from './amounts.ts'

/**
 * Trades for the pools. Orders are stored before a broker hears of them. No method moves money or coins away.
 */
export interface Broker {
  /**
   * Works on a stored order as far as that is possible now, and returns its state. It is called again, also after a failure, until the
   * order has ended, and must never trade it twice. No exchange can be trusted with that: Kraken compares client ids with open orders
   * only, so a repeated order that was filled at once is filled again (docs/decisions/0034).
   */
  work(order: BrokerOrder): Promise<OrderState>
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
  /** To be booked by the caller. */
  | { readonly state: 'filled'; readonly fill: BrokerFill }
  /** Its fills were booked as they came. `cash` is the change of the pool's cash by all of them, in micro-USD. */
  | { readonly state: 'ended'; readonly cash: number }

export interface BrokerFill {
  /** In 10⁻⁸ of the asset: at most the ordered quantity. */
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

  constructor(costs: Costs) {
    this.#costs = costs
  }

  async work(order: BrokerOrder): Promise<OrderState> {
    const fill = simulateAffordableFill(order, this.#costs)
    return fill === null ? { state: 'refused', reason: 'There is no cash for it' } : { state: 'filled', fill }
  }
}

/** The broker of pools that trade at an exchange. `processAccount` sends their orders and books their fills; this one waits for it. */
export class VenueBroker implements Broker {
  readonly #db: Database

  constructor(db: Database) {
    this.#db = db
  }

  async work({ clientId }: BrokerOrder): Promise<OrderState> {
    const [[order]] = await readTogether(
      this.#db,
      selectValues({
        hasEnded: sql<0 | 1>`EXISTS (SELECT 1 FROM pool_order_ends WHERE pool_order = ${clientId})`,
        cash: sql<number>`(SELECT coalesce(sum(cash), 0) FROM pool_fills WHERE pool_order = ${clientId})`,
      }),
    )
    return order?.hasEnded === 1 ? { state: 'ended', cash: order.cash } : { state: 'waiting' }
  }
}

/** How the paper broker fills an order. Payments are rounded up, proceeds down. */
export function simulatePaperFill(
  { side, quantity, seenPrice }: Pick<BrokerOrder, 'side' | 'quantity' | 'seenPrice'>,
  costs: Costs,
): BrokerFill {
  const terms = deriveTerms(costs, {})
  const price = seenPrice * (side === 'buy' ? 1 + terms.slippage : 1 - terms.slippage)
  const value = side === 'buy' ? valueQuantityAtLeast(quantity, price) : valueQuantity(quantity, price)
  const seen = valueQuantity(quantity, seenPrice)
  const slippage = Math.max(0, side === 'buy' ? value - seen : seen - value)
  return { quantity, price, value, fee: takeShareAtLeast(value, terms.fee), slippage }
}

/** The same fill for the part of a purchase that its cash can pay with all costs. Null if it cannot pay any part. */
export function simulateAffordableFill(
  order: Pick<BrokerOrder, 'side' | 'quantity' | 'seenPrice' | 'mostPaid'>,
  costs: Costs,
): BrokerFill | null {
  const mostPaid = order.mostPaid ?? Number.POSITIVE_INFINITY
  let { quantity } = order
  while (quantity > 0) {
    const fill = simulatePaperFill({ ...order, quantity }, costs)
    const missing = order.side === 'buy' ? -computeCashChange('buy', fill) - mostPaid : 0
    if (missing <= 0) return fill
    quantity -= Math.max(1, Math.ceil((missing / 1e6 / order.seenPrice) * QUANTITY_SCALE))
  }
  return null
}

/** The change of a pool's cash by a fill, in micro-USD. Negative for a purchase. */
export function computeCashChange(
  side: 'buy' | 'sell',
  { value, fee }: Pick<BrokerFill, 'value' | 'fee'>,
): number {
  return side === 'buy' ? -(value + fee) : value - fee
}

/** The costs of buying and selling as shares of the value at the expected price: fee and slippage. */
export function computeSideCosts(costs: Costs): { readonly buying: number; readonly selling: number } {
  const { fee, slippage } = deriveTerms(costs, {})
  return { buying: (1 + slippage) * (1 + fee) - 1, selling: 1 - (1 - slippage) * (1 - fee) }
}
