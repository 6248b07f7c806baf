import { sql } from 'drizzle-orm'
import type { Database, Statement } from '../lib/database.ts'
import { unitMovements } from '../lib/tables/ledger.ts'
import { unitOrders } from '../lib/tables/strategies.ts'
import type { By } from './post.ts'
import { computeCostPart, computeHighWater, computeUnits, computeUnitsToRedeem, valueCents } from './units.ts'

/** The cause of a movement of units: a stored order, or a fee with its own id. */
export interface UnitsCause {
  readonly id: string
  readonly investor: string
  readonly strategy: string
}

/** An order to file. The investor sees its `ref`. */
interface OrderRequest extends UnitsCause {
  readonly ref: string
  readonly atMs: number
}

/** An investor's holding in a strategy before a movement, all zeros at first. */
export interface Holding {
  readonly units: number
  /** The cost of the units, in cents. */
  readonly cost: number
  readonly highWater: number
}
export const NO_HOLDING: Holding = { units: 0, cost: 0, highWater: 0 }

/** The open valuation that settles an order, with its price for this side, and the current time. */
export interface Settlement {
  /** 00:00 UTC of the day, epoch milliseconds. */
  readonly day: number
  readonly price: number
  readonly nowMs: number
}

/**
 * Files an order to allocate. The same statement reserves its amount, and opens the strategy's accounts for a first order. Aborts
 * with `insufficient_funds`, `too_many_open`, `account_frozen`, `strategy_suspended`. Aborts with `validation_failed` below the
 * strategy's minimum, and with `conflict` just at midnight, if the day's price was fixed meanwhile.
 */
export function submitAllocation(db: Database, asked: OrderRequest & { readonly cents: number }): Statement {
  return insertUnitOrder(db, 'allocate', asked, asked.cents, null)
}

/**
 * Files an order to redeem an amount, or all (null). `onward` is the withdrawal of the proceeds, as JSON. Aborts with
 * `insufficient_funds` if the investor has no units, and like `submitAllocation`.
 */
export function submitRedemption(
  db: Database,
  asked: OrderRequest & { readonly cents: number | null; readonly onward?: string | null },
): Statement {
  return insertUnitOrder(db, 'redeem', asked, asked.cents, asked.onward ?? null)
}

/**
 * Cancels an order. Its reserved money is available again, and the destination of its proceeds is deleted. Aborts with
 * `already_decided` once it is priced.
 */
export function cancelOrder(id: string, by: By): Statement {
  return sql`
    UPDATE unit_orders SET status = 'cancelled', decided_at = ${by.nowMs}, decided_by = ${by.actor}, onward = NULL
    WHERE id = ${id}`
}

/**
 * Buys units with an order's reserved money. This one statement settles the order, updates the pool and posts to the ledger. A
 * repetition aborts.
 */
export function settleAllocation(
  db: Database,
  order: UnitsCause & { readonly cents: number },
  holding: Holding,
  at: Settlement,
): UnitMovement {
  const { cents } = order
  const units = computeUnits(cents, at.price)
  const highWater = computeHighWater(holding.highWater, holding.units, at.price, units)
  return buildMovement(db, order, holding, at, { code: 'issue', units, cents, cost: cents, highWater })
}

/**
 * Sells what an order asks for, or all units if they are worth less. The cost of the units plus their gain or minus their loss is
 * available again, after repaying the investor's debt. Null if no units are left: such an order is cancelled.
 */
export function settleRedemption(
  db: Database,
  order: UnitsCause & { readonly cents: number | null },
  holding: Holding,
  at: Settlement,
): UnitMovement | null {
  if (holding.units === 0) return null
  const asked = order.cents === null ? holding.units : computeUnitsToRedeem(order.cents, at.price)
  const sold = computeSale(holding, Math.min(holding.units, asked), at.price)
  return buildMovement(db, order, holding, at, { ...sold, code: 'redeem', highWater: holding.highWater })
}

/**
 * Takes a fee by selling units for the company. The id of the cause names the fee, so that it is taken once. `highWater` is the
 * new mark: unchanged, or the day's unit price after a fee on profit. Some units must remain, and the fee must be at least a
 * cent.
 */
export function takeFee(
  db: Database,
  fee: UnitsCause & { readonly units: number; readonly highWater: number },
  holding: Holding,
  at: Settlement,
): UnitMovement {
  const sold = computeSale(holding, fee.units, at.price)
  return buildMovement(db, fee, holding, at, { ...sold, code: 'fee', highWater: fee.highWater })
}

export interface UnitMovement {
  readonly statement: Statement
  /** Positive for a purchase, negative for a sale. */
  readonly units: number
  /** Their cost or proceeds. */
  readonly cents: number
  /** The investor's holding afterwards. */
  readonly holding: Holding
}

type Movement = Pick<typeof unitMovements.$inferInsert, 'code' | 'units' | 'cents' | 'cost' | 'highWater'>

function computeSale(holding: Holding, units: number, price: number) {
  return {
    units: -units,
    cents: valueCents(units, price),
    cost: computeCostPart(holding.cost, units, holding.units),
  }
}

function buildMovement(
  db: Database,
  { id, investor, strategy }: UnitsCause,
  holding: Holding,
  { day, price, nowMs }: Settlement,
  movement: Movement,
): UnitMovement {
  const { units, cents, cost, highWater } = movement
  return {
    statement: db
      .insert(unitMovements)
      .values({ id: `${id}:units`, ref: id, investor, strategy, price, day, at: nowMs, ...movement }),
    units,
    cents,
    holding: { units: holding.units + units, cost: holding.cost + (units > 0 ? cost : -cost), highWater },
  }
}

function insertUnitOrder(
  db: Database,
  kind: 'allocate' | 'redeem',
  { id, ref, investor, strategy, atMs }: OrderRequest,
  cents: number | null,
  onward: string | null,
): Statement {
  return db.insert(unitOrders).values({ id, ref, investor, strategy, kind, cents, createdAt: atMs, onward })
}
