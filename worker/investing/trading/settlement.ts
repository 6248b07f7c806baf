import type { Holding } from '../../ledger/strategies.ts'
import {
  averagedHighWater,
  costPart,
  MICRO_A_CENT,
  unitsFor,
  unitsToRedeem,
  valueCents,
} from '../../ledger/units.ts'
import type { UnitPrices } from './unitPrices.ts'

/** An order that waits, in the order of filing. */
export interface WaitingOrder {
  readonly id: string
  readonly investor: string
  readonly kind: 'allocate' | 'redeem'
  /** Null: all of it. */
  readonly cents: number | null
  /** The investor has a debt: nothing is invested for them until it is repaid. */
  readonly owes: 0 | 1
}

/** Units that move, at which price, with the part of the cost that goes with them and the high-water mark afterwards. */
export interface Movement {
  readonly ref: string
  readonly investor: string
  readonly code: 'issue' | 'redeem' | 'fee'
  /** Below 0 for what is sold. */
  readonly units: number
  readonly price: number
  readonly cents: number
  readonly cost: number
  readonly highWater: number
  /** What the investor held before it. */
  readonly held: Holding
}

/** The ids of a month's fees of one investor, and what is left of the subscription to take: null for one that was taken already. */
export interface MonthRefs {
  readonly performance: string | null
  readonly subscription: { readonly ref: string; readonly cents: number } | null
}

/** Follows what investors hold from one settlement to the next. */
export class Settling {
  readonly #prices: UnitPrices
  readonly #terms: FeeTerms
  readonly #holdings: Map<string, Holding>

  constructor(prices: UnitPrices, terms: FeeTerms, holdings: ReadonlyMap<string, Holding>) {
    this.#prices = prices
    this.#terms = terms
    this.#holdings = new Map(holdings)
  }

  /**
   * The month's fees of one investor: on profit above the high-water mark, which then is the unit's price, and what an account
   * costs. Each is taken once, for its `ref` is the month's.
   */
  chargeMonth(investor: string, refs: MonthRefs): Movement[] {
    const { unit, redeem } = this.#prices
    const movements: Movement[] = []
    if (refs.performance !== null) {
      const { units, highWater } = this.#holding(investor)
      const fee = feeOf(performanceFee(units, highWater, redeem, this.#terms), units, redeem)
      if (fee !== null) {
        movements.push(this.#sell(investor, refs.performance, 'fee', fee.units, Math.max(unit, highWater)))
      }
    }
    if (refs.subscription !== null) {
      const rest = this.#holding(investor)
      const { ref, cents } = refs.subscription
      const subscription = feeOf(cents, rest.units, redeem)
      if (subscription !== null) {
        movements.push(this.#sell(investor, ref, 'fee', subscription.units, rest.highWater))
      }
    }
    return movements
  }

  /** The movements by which an order is settled. None for units that are gone, and for an allocation of a debtor: it is cancelled. */
  settle(order: WaitingOrder): Movement[] {
    if (order.kind === 'allocate' && order.owes === 1) return []
    return order.kind === 'allocate' ? this.#issue(order) : this.#redeem(order)
  }

  #issue({ id, investor, cents }: WaitingOrder): Movement[] {
    const holding = this.#holding(investor)
    const price = this.#prices.issue
    const paid = cents ?? 0
    const units = unitsFor(paid, price)
    const highWater = averagedHighWater(holding.highWater, holding.units, price, units)
    this.#holdings.set(investor, { units: holding.units + units, cost: holding.cost + paid, highWater })
    return [
      { ref: id, investor, code: 'issue', units, price, cents: paid, cost: paid, highWater, held: holding },
    ]
  }

  /** The fee on what is redeemed is sold first; the rest is what was asked for, or all that is left. */
  #redeem({ id, investor, cents }: WaitingOrder): Movement[] {
    const { units, highWater } = this.#holding(investor)
    if (units === 0) return []
    const { redeem } = this.#prices
    const asked = cents === null ? units : Math.min(units, unitsToRedeem(cents, redeem))
    const fee: Fee | null = feeOf(performanceFee(asked, highWater, redeem, this.#terms), units, redeem)
    const movements = fee === null ? [] : [this.#sell(investor, `${id}:charge`, 'fee', fee.units, highWater)]
    const left = this.#holding(investor).units
    return [...movements, this.#sell(investor, id, 'redeem', Math.min(asked, left), highWater)]
  }

  #sell(investor: string, ref: string, code: 'redeem' | 'fee', units: number, highWater: number): Movement {
    const holding = this.#holding(investor)
    const price = this.#prices.redeem
    const cost = costPart(holding.cost, units, holding.units)
    this.#holdings.set(investor, { units: holding.units - units, cost: holding.cost - cost, highWater })
    return {
      ref,
      investor,
      code,
      units: -units,
      price,
      cents: valueCents(units, price),
      cost,
      highWater,
      held: holding,
    }
  }

  #holding(investor: string): Holding {
    return this.#holdings.get(investor) ?? { units: 0, cost: 0, highWater: 0 }
  }
}

/** What movements add to a pool's cash, in micro-USD. */
export function flowOf(movements: readonly Movement[]): number {
  return movements.reduce(
    (sum, { code, cents }) => sum + (code === 'issue' ? cents : -cents) * MICRO_A_CENT,
    0,
  )
}

/** What the settings charge: a share of profit, and cents a month. */
export interface FeeTerms {
  readonly performanceBasisPoints: number
  readonly subscriptionCents: number
}

/** Units that are sold to pay a fee, and what they bring, in cents. */
export interface Fee {
  readonly units: number
  readonly cents: number
}

/** Of the profit that selling so many units above the high-water mark would bring, the house's share, in cents rounded down. */
export function performanceFee(
  units: number,
  highWater: number,
  redeemPrice: number,
  { performanceBasisPoints }: FeeTerms,
): number {
  if (redeemPrice <= highWater) return 0
  // Counted by the difference in price, so that a cent's rounding is never taken for profit.
  const profit = valueCents(units, redeemPrice - highWater)
  return Number((BigInt(profit) * BigInt(performanceBasisPoints)) / 10_000n)
}

/** The units that pay so many cents; null where that is nothing. Whoever pays keeps a part: of a smaller position less is taken. */
function feeOf(cents: number, units: number, redeemPrice: number): Fee | null {
  const sold = Math.min(unitsToRedeem(cents, redeemPrice), units - 1)
  const paid = sold > 0 ? valueCents(sold, redeemPrice) : 0
  return cents > 0 && paid > 0 ? { units: sold, cents: paid } : null
}
