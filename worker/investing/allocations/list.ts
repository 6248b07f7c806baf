import { sql } from 'drizzle-orm'
import type { QueryOf } from '../../../src/contract/endpoint.ts'
import type {
  listOrders as endpoint,
  Position,
  UnitOrder,
} from '../../../src/contract/investing/allocations.ts'
import { type ActorCall, type Answer, type CheckedCall, ok } from '../../http/call.ts'
import { openCursor, pageOf } from '../../http/paging.ts'
import { readTogether } from '../../lib/database.ts'
import { orderOf, readOrders } from './orders.ts'
import { positionOf, readMovements, readPositions } from './positions.ts'

/** The positions that something is in, was in, or waits to be. */
export async function listAllocations({ db, actor }: ActorCall): Promise<Answer<Position[]>> {
  const [standing, moved] = await readTogether(db, readPositions(actor.id), readMovements(actor.id))
  const own = standing.filter(({ firstDay, pendingIn }) => firstDay !== null || pendingIn > 0)
  return ok(await Promise.all(own.map((row) => positionOf(actor.id, row, moved))))
}

/** The actor's orders, newest first. */
export async function listOrders(
  call: CheckedCall<unknown, QueryOf<typeof endpoint>> & ActorCall,
): Promise<Answer<UnitOrder[]>> {
  const { limit, cursor, strategy } = call.query
  const after = openCursor(cursor)
  const [rows] = await readTogether(
    call.db,
    readOrders(sql`
      WHERE o.investor = ${call.actor.id} ${strategy ? sql`AND o.strategy = ${strategy}` : sql``}
        ${after === null ? sql`` : sql`AND o.seq < ${after.seq}`}
      ORDER BY o.seq DESC LIMIT ${limit + 1}`),
  )
  const page = pageOf(call, rows, limit, ({ seq }) => ({ at: 0, seq }))
  return ok(
    page.rows.map((row) => orderOf(row, call.nowMs)),
    page.headers,
  )
}
