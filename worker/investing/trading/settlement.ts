import type { Holding } from '../../ledger/strategies.ts'
import {
  computeCostPart,
  computeHighWater,
  computeUnits,
  computeUnitsToRedeem,
  MICRO_A_CENT,
  valueCents,
} from '../../ledger/units.ts'
import type { UnitPrices } from './unitPrices.ts'

/** A pending order. Orders are in the order of filing. */
export interface WaitingOrder {
  readonly id: string
  readonly investor: string
  readonly kind: 'allocate' | 'redeem'
  /** Null: all of it. */
  readonly cents: number | null
  /** The investor has a debt. No money is invested until it is repaid. */
  readonly owes: 0 | 1
}

/** A movement of units with its price, its part of the cost, and the high-water mark afterwards. */
export interface Movement {
  readonly ref: string
  readonly investor: string
  readonly code: 'issue' | 'redeem' | 'fee'
  /** Negative for a sale. */
  readonly units: number
  readonly price: number
  readonly cents: number
  readonly cost: number
  readonly highWater: number
  /** The investor's holding before it. */
  readonly holding: Holding
}

/** The ids of one investor's monthly fees, and the rest of the subscription fee. Null for a fee that was taken already. */
export interface MonthRefs {
  readonly performance: string | null
  readonly subscription: { readonly ref: string; readonly cents: number } | null
}

/** Tracks each investor's holding from one settlement to the next. */
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
   * One investor's monthly fees: a share of the profit above the high-water mark, which is then the unit price, and the account's
   * subscription. Its `ref` is the month's, so each is taken once.
   */
  chargeMonth(investor: string, refs: MonthRefs): Movement[] {
    const { unit, redeem } = this.#prices
    const movements: Movement[] = []
    if (refs.performance !== null) {
      const { units, highWater } = this.#holding(investor)
      const fee = computeFee(computePerformanceFee(units, highWater, redeem, this.#terms), units, redeem)
      if (fee !== null) {
        movements.push(this.#sell(investor, refs.performance, 'fee', fee.units, Math.max(unit, highWater)))
      }
    }
    if (refs.subscription !== null) {
      const rest = this.#holding(investor)
      const { ref, cents } = refs.subscription
      const subscription = computeFee(cents, rest.units, redeem)
      if (subscription !== null) {
        movements.push(this.#sell(investor, ref, 'fee', subscription.units, rest.highWater))
      }
    }
    return movements
  }

  /**
   * The movements that settle an order. A redemption without units left and a debtor's allocation have none: the order is
   * cancelled.
   */
  settle(order: WaitingOrder): Movement[] {
    if (order.kind === 'allocate' && order.owes === 1) return []
    return order.kind === 'allocate' ? this.#issue(order) : this.#redeem(order)
  }

  #issue({ id, investor, cents }: WaitingOrder): Movement[] {
    const holding = this.#holding(investor)
    const price = this.#prices.issue
    const paid = cents ?? 0
    const units = computeUnits(paid, price)
    const highWater = computeHighWater(holding.highWater, holding.units, price, units)
    this.#holdings.set(investor, { units: holding.units + units, cost: holding.cost + paid, highWater })
    return [{ ref: id, investor, code: 'issue', units, price, cents: paid, cost: paid, highWater, holding }]
  }

  /** Sells the fee on the redeemed units first, then the requested amount or all units that are left. */
  #redeem({ id, investor, cents }: WaitingOrder): Movement[] {
    const { units, highWater } = this.#holding(investor)
    if (units === 0) return []
    const { redeem } = this.#prices
    const asked = cents === null ? units : Math.min(units, computeUnitsToRedeem(cents, redeem))
    const fee: Fee | null = computeFee(
      computePerformanceFee(asked, highWater, redeem, this.#terms),
      units,
      redeem,
    )
    const movements = fee === null ? [] : [this.#sell(investor, `${id}:charge`, 'fee', fee.units, highWater)]
    const left = this.#holding(investor).units
    return [...movements, this.#sell(investor, id, 'redeem', Math.min(asked, left), highWater)]
  }

  #sell(investor: string, ref: string, code: 'redeem' | 'fee', units: number, highWater: number): Movement {
    const holding = this.#holding(investor)
    const price = this.#prices.redeem
    const cost = computeCostPart(holding.cost, units, holding.units)
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
      holding,
    }
  }

  #holding(investor: string): Holding {
    return this.#holdings.get(investor) ?? { units: 0, cost: 0, highWater: 0 }
  }
}

/** The change of a pool's cash by movements, in micro-USD. */
export function sumFlow(movements: readonly Movement[]): number {
  return movements.reduce(
    (sum, { code, cents }) => sum + (code === 'issue' ? cents : -cents) * MICRO_A_CENT,
    0,
  )
}

/** The fees in the settings: a share of profit, and cents a month. */
export interface FeeTerms {
  readonly performanceBasisPoints: number
  readonly subscriptionCents: number
}

/** Units sold to pay a fee, and their proceeds in cents. */
export interface Fee {
  readonly units: number
  readonly cents: number
}

/** The company's share, in cents rounded down, of the profit from selling this many units above the high-water mark. */
export function computePerformanceFee(
  units: number,
  highWater: number,
  redeemPrice: number,
  { performanceBasisPoints }: FeeTerms,
): number {
  if (redeemPrice <= highWater) return 0
  // Uses the difference in price, so that the rounding of a cent never counts as profit.
  const profit = valueCents(units, redeemPrice - highWater)
  return Number((BigInt(profit) * BigInt(performanceBasisPoints)) / 10_000n)
}

/** The units that pay this many cents. Null for none. The investor keeps a part, so a smaller position pays less. */
function computeFee(cents: number, units: number, redeemPrice: number): Fee | null {
  const sold = Math.min(computeUnitsToRedeem(cents, redeemPrice), units - 1)
  const paid = sold > 0 ? valueCents(sold, redeemPrice) : 0
  return paid > 0 ? { units: sold, cents: paid } : null
}
