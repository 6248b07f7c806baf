import { desc, sql } from 'drizzle-orm'
import type {
  listOrders as endpoint,
  Position,
  PositionDetail,
  UnitOrder,
} from '../../../src/contract/investing/allocations.ts'
import { type Answer, type CallOf, ok, type ReaderCall } from '../../http/call.ts'
import { openCursor, takePage } from '../../http/paging.ts'
import { type RowQuery, type RowsOf, readTogether, selectRows } from '../../lib/database.ts'
import { refuse } from '../../lib/errors.ts'
import { valuations } from '../../lib/tables/strategies.ts'
import { readOrders, toUnitOrder } from './orders.ts'
import { buildPositionHistory } from './performance.ts'
import {
  buildPosition,
  findPositionStrategy,
  listStrategyMovements,
  type PositionRow,
  readMovements,
  readPositions,
} from './positions.ts'

/** The actor's positions with units or orders, now or earlier. */
export async function listAllocations({ db, actor }: ReaderCall): Promise<Answer<Position[]>> {
  const [position, moved] = await readTogether(db, readPositions(actor.id), readMovements(actor.id))
  const own = position.filter(({ firstDay, pendingIn }) => firstDay !== null || pendingIn > 0)
  return ok(await Promise.all(own.map((row) => buildPosition(actor.id, row, moved))))
}

/** The actor's orders, newest first. */
export async function listOrders(call: CallOf<typeof endpoint>): Promise<Answer<UnitOrder[]>> {
  const { limit, cursor, strategy, kind, status, from, to } = call.query
  const after = openCursor(cursor)
  const terms = [sql`o.investor = ${call.actor.id}`]
  if (strategy) terms.push(sql`o.strategy = ${strategy}`)
  if (kind !== undefined) terms.push(sql`o.kind = ${kind}`)
  if (status !== undefined) terms.push(sql`o.status = ${status}`)
  if (from !== undefined) terms.push(sql`o.created_at >= ${from}`)
  if (to !== undefined) terms.push(sql`o.created_at <= ${to}`)
  if (after !== null) terms.push(sql`o.seq < ${after.seq}`)
  const [rows] = await readTogether(call.db, readOrders(sql.join(terms, sql` AND `), limit + 1))
  const page = takePage(call, rows, limit, ({ seq }) => ({ at: 0, seq }))
  return ok(
    page.rows.map((row) => toUnitOrder(row, call)),
    page.headers,
  )
}

const ORDERS = 20
const DAYS = 365

/** One position, with its latest orders and its value at each day's close: one round trip. */
export async function showPosition(call: ReaderCall): Promise<Answer<PositionDetail>> {
  const { id } = call.actor
  const {
    position,
    others: [orders, moved, closes],
  } = await loadOwnPosition(call, (strategy) => [
    readOrders(sql`o.investor = ${id} AND o.strategy = ${strategy}`, ORDERS),
    readMovements(id, sql`m.strategy = ${strategy}`),
    selectRows({ day: valuations.day, unitPrice: valuations.unitPrice })
      .from(valuations)
      .where(sql`strategy = ${strategy} AND kind = 'close'`)
      .orderBy(desc(valuations.day))
      .limit(DAYS),
  ])
  return ok({
    ...(await buildPosition(id, position, moved)),
    orders: orders.map((row) => toUnitOrder(row, call)),
    history: buildPositionHistory(closes.toReversed(), listStrategyMovements(moved, position.slug) ?? []),
  })
}

/** One of the actor's positions, by its own id or the id of one of its orders. */
export type Own<Reads extends readonly RowQuery<unknown>[]> = {
  readonly position: PositionRow
  readonly others: RowsOf<Reads>
}

/**
 * Finds the position. `others` adds reads to the same round trip and receives SQL of the strategy's slug. Refuses `not_found`,
 * also if the actor never had anything in that strategy.
 */
export async function loadOwnPosition<const Reads extends readonly RowQuery<unknown>[]>(
  { db, actor, params }: ReaderCall,
  others: (strategy: ReturnType<typeof sql>) => Reads,
): Promise<Own<Reads>> {
  const id = params.id ?? ''
  const named = await findPositionStrategy(actor.id, id)
  const strategy =
    named === null
      ? sql`(SELECT x.strategy FROM unit_orders x WHERE x.id = ${id} AND x.investor = ${actor.id})`
      : sql`${named}`
  const [rows, ...rest] = await readTogether(
    db,
    readPositions(actor.id, sql`s.slug = ${strategy}`),
    ...others(strategy),
  )
  const [position] = rows as PositionRow[]
  if (position === undefined || position.orders === 0) return refuse('not_found')
  return { position, others: rest as RowsOf<Reads> }
}
