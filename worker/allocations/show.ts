import { sql } from 'drizzle-orm'
import type { PositionDay, PositionDetail } from '../../src/contract/allocations.ts'
import { usdOf } from '../../src/contract/money.ts'
import { valueCents } from '../ledger/units.ts'
import { type ActorCall, type Answer, ok } from '../lib/call.ts'
import { reading } from '../lib/database.ts'
import { iso } from '../lib/paging.ts'
import { orderOf, readOrders } from './orders.ts'
import { ownPosition } from './own.ts'
import type { Moved } from './performance.ts'
import { positionOf, readMovements } from './standing.ts'

const ORDERS = 20
const DAYS = 365

interface Close {
  readonly day: number
  readonly unitPrice: number
}

/** One position, with its latest orders and its value at each day's close: one round trip. */
export async function showPosition(call: ActorCall): Promise<Answer<PositionDetail>> {
  const { id } = call.actor
  const {
    standing,
    others: [orders, moved, closes],
  } = await ownPosition(call, (strategy) => [
    readOrders(sql`
      WHERE o.investor = ${id} AND o.strategy = ${strategy} ORDER BY o.seq DESC LIMIT ${ORDERS}`),
    readMovements(id, sql`m.strategy = ${strategy}`),
    reading<Close>(sql`
      SELECT day, unit_price AS unitPrice FROM valuations
      WHERE strategy = ${strategy} AND kind = 'close' ORDER BY day DESC LIMIT ${DAYS}`),
  ])
  return ok({
    ...(await positionOf(id, standing, moved)),
    orders: orders.map(orderOf),
    history: historyOf(closes, moved, standing.units),
  })
}

/**
 * What was held at each close, oldest first, while units were held. Reckoned backwards from what is held now, so that it holds where
 * not every movement was read. Closes and movements come newest first.
 */
export function historyOf(
  closes: readonly Close[],
  moved: readonly Pick<Moved, 'day' | 'units'>[],
  unitsNow: number,
): PositionDay[] {
  const waiting = [...moved].reverse()
  let units = unitsNow
  const days: PositionDay[] = []
  for (const { day, unitPrice } of closes) {
    // What moved at the open of a later day was not there, or still there, at this close.
    for (let last = waiting.at(-1); last !== undefined && last.day > day; last = waiting.at(-1)) {
      units -= last.units
      waiting.pop()
    }
    if (waiting.length === 0) break
    days.push({
      day: iso(day).slice(0, 10),
      unitPrice: unitPrice / 1e6,
      units: units / 1e6,
      value: usdOf(valueCents(units, unitPrice)),
    })
  }
  return days.reverse()
}
