import { sql } from 'drizzle-orm'
import type { Database, Statement } from '../lib/database.ts'
import { unitMovements } from '../lib/tables/ledger.ts'
import { unitOrders } from '../lib/tables/strategies.ts'
import type { By } from './post.ts'
import { averagedHighWater, costPart, unitsFor, unitsToRedeem, valueCents } from './units.ts'

/** What causes units to move: an order on file, or a fee by a name of its own. */
export interface UnitsCause {
  readonly id: string
  readonly investor: string
  readonly strategy: string
}

/** What is asked to be filed. `ref` is what the investor sees. */
interface Asked extends UnitsCause {
  readonly ref: string
  readonly atMs: number
}

/** What an investor holds of a strategy before a movement: nothing at first. */
export interface Holding {
  readonly units: number
  /** What was paid for them, in cents. */
  readonly cost: number
  readonly highWater: number
}
export const NO_HOLDING: Holding = { units: 0, cost: 0, highWater: 0 }

/** By which open valuation, at its price for who comes or for who goes, and when that is written down. */
export interface Settlement {
  /** 00:00 UTC of the day, epoch milliseconds. */
  readonly day: number
  readonly price: number
  readonly nowMs: number
}

/**
 * Files an order to allocate. Its amount is set aside in the same statement, the accounts for the strategy are opened where it is
 * the first. Aborts with `insufficient_funds`, `too_many_open`, `account_frozen`, `strategy_suspended`; with `validation_failed` below
 * the strategy's minimum; and with `conflict` just at midnight, when the day that it belongs to has been priced meanwhile.
 */
export function fileAllocation(db: Database, asked: Asked & { readonly cents: number }): Statement {
  return file(db, 'allocate', asked, asked.cents, null)
}

/**
 * Files an order to redeem an amount, or all (null). `onward` is the withdrawal that the proceeds are for, as JSON. Aborts with
 * `insufficient_funds` where nothing is held, and like `fileAllocation`.
 */
export function fileRedemption(
  db: Database,
  asked: Asked & { readonly cents: number | null; readonly onward?: string | null },
): Statement {
  return file(db, 'redeem', asked, asked.cents, asked.onward ?? null)
}

/**
 * Cancels an order; what it had set aside is available again, and where its proceeds were to go is forgotten. Aborts with
 * `already_decided` once it is priced.
 */
export function cancelOrder(id: string, by: By): Statement {
  return sql`
    UPDATE unit_orders SET status = 'cancelled', decided_at = ${by.nowMs}, decided_by = ${by.actor}, onward = NULL
    WHERE id = ${id}`
}

/**
 * Buys units with what an order set aside. This one statement settles the order, moves the pool and posts to the ledger; done again
 * it aborts.
 */
export function settleAllocation(
  db: Database,
  order: UnitsCause & { readonly cents: number },
  held: Holding,
  at: Settlement,
): Moved {
  const { cents } = order
  const units = unitsFor(cents, at.price)
  const highWater = averagedHighWater(held.highWater, held.units, at.price, units)
  return move(db, order, held, at, { code: 'issue', units, cents, cost: cents, highWater })
}

/**
 * Sells what an order asks for, or all that there is where that is less: what the units had cost is available again, with what they
 * gained or without what they lost; what the investor owes is repaid from it first. Null where nothing is left to sell: such an order is
 * cancelled.
 */
export function settleRedemption(
  db: Database,
  order: UnitsCause & { readonly cents: number | null },
  held: Holding,
  at: Settlement,
): Moved | null {
  if (held.units === 0) return null
  const asked = order.cents === null ? held.units : unitsToRedeem(order.cents, at.price)
  const sold = sell(held, Math.min(held.units, asked), at.price)
  return move(db, order, held, at, { ...sold, code: 'redeem', highWater: held.highWater })
}

/**
 * Takes a fee: so many units are sold, and what they bring is the company's. The cause's id names the fee, so that it is taken once.
 * `highWater` is the mark from now on: as it was, or the day's unit price after a fee on profit. Some units must be left, and the fee be
 * worth a cent.
 */
export function takeFee(
  db: Database,
  fee: UnitsCause & { readonly units: number; readonly highWater: number },
  held: Holding,
  at: Settlement,
): Moved {
  const sold = sell(held, fee.units, at.price)
  return move(db, fee, held, at, { ...sold, code: 'fee', highWater: fee.highWater })
}

export interface Moved {
  readonly statement: Statement
  /** Bought above zero, sold below. */
  readonly units: number
  /** What they cost or brought. */
  readonly cents: number
  /** What the investor holds from now on. */
  readonly held: Holding
}

type Movement = Pick<typeof unitMovements.$inferInsert, 'code' | 'units' | 'cents' | 'cost' | 'highWater'>

function sell(held: Holding, units: number, price: number) {
  return { units: -units, cents: valueCents(units, price), cost: costPart(held.cost, units, held.units) }
}

function move(
  db: Database,
  { id, investor, strategy }: UnitsCause,
  held: Holding,
  { day, price, nowMs }: Settlement,
  movement: Movement,
): Moved {
  const { units, cents, cost, highWater } = movement
  return {
    statement: db
      .insert(unitMovements)
      .values({ id: `${id}:units`, ref: id, investor, strategy, price, day, at: nowMs, ...movement }),
    units,
    cents,
    held: { units: held.units + units, cost: held.cost + (units > 0 ? cost : -cost), highWater },
  }
}

function file(
  db: Database,
  kind: 'allocate' | 'redeem',
  { id, ref, investor, strategy, atMs }: Asked,
  cents: number | null,
  onward: string | null,
): Statement {
  return db.insert(unitOrders).values({ id, ref, investor, strategy, kind, cents, createdAt: atMs, onward })
}
