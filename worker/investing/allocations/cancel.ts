import { sql } from 'drizzle-orm'
import type { Message } from '../../../src/contract/common.ts'
import { type ActorCall, type Answer, ok } from '../../http/call.ts'
import { cancelOrder } from '../../ledger/strategies.ts'
import { findDatabaseRefusal, refuse } from '../../lib/errors.ts'
import { isCancellable, readCancellable } from './orders.ts'
import { findPositionStrategy } from './positions.ts'

type CancellableOrder = Awaited<ReturnType<typeof readCancellable>>[number]

const TOO_LATE = { msg: 'This order was already cancelled, or its price is fixed.' }

/**
 * The actor's order that an id names, or the orders of the position that it names, as far as they can be cancelled: at most
 * 20, and none if all are decided or priced. Refuses `not_found`.
 */
export async function loadOwnOrders({
  db,
  actor,
  params,
  nowMs,
}: ActorCall): Promise<readonly CancellableOrder[]> {
  const id = params.id ?? ''
  const strategy = await findPositionStrategy(actor.id, id)
  const isNamed = strategy === null ? sql`o.id = ${id}` : sql`o.strategy = ${strategy}`
  const orders = await readCancellable(db, sql`o.investor = ${actor.id} AND ${isNamed}`)
  return orders.length > 0 ? orders.filter((order) => isCancellable(order, nowMs)) : refuse('not_found')
}

/** Cancels orders before they are priced; the amounts set aside are available again. Refuses `already_decided` afterwards. */
export async function cancelOrders(
  call: ActorCall,
  orders: readonly CancellableOrder[],
): Promise<Answer<Message>> {
  const { actor, nowMs } = call
  if (orders.length === 0) refuse('already_decided', TOO_LATE)
  const answer = ok({ msg: describeCancelledOrders(orders) })
  try {
    await call.commit({
      statements: orders.map(({ id }) => cancelOrder(id, { actor: actor.id, nowMs })),
      audit: orders.map(({ id, kind, cents }) => ({
        action: 'order.cancelled',
        subject: id,
        detail: { kind, amountCents: cents },
      })),
      answer,
    })
  } catch (error) {
    // It was priced or cancelled a moment earlier.
    if (findDatabaseRefusal(error)?.code === 'already_decided') refuse('already_decided', TOO_LATE)
    throw error
  }
  return answer
}

function describeCancelledOrders(orders: readonly CancellableOrder[]): string {
  const refs = orders.map(({ ref }) => ref)
  return refs.length === 1 ? `${refs[0]} is cancelled.` : `${refs.join(', ')} are cancelled.`
}
