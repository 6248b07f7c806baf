import { sql } from 'drizzle-orm'
import type { PositionDetail } from '../../../src/contract/investing/allocations.ts'
import { type ActorCall, type Answer, ok } from '../../http/call.ts'
import { reading } from '../../lib/database.ts'
import { type Close, historyOf } from './history.ts'
import { orderOf, readOrders } from './orders.ts'
import { ownPosition } from './own.ts'
import { movementsOf, positionOf, readMovements } from './positions.ts'

const ORDERS = 20
const DAYS = 365

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
    orders: orders.map((row) => orderOf(row, call.nowMs)),
    history: historyOf(closes.toReversed(), movementsOf(moved, standing.slug) ?? []),
  })
}
