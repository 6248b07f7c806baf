import { sql } from 'drizzle-orm'
import {
  type allocate as endpoint,
  MAX_PENDING_ORDERS,
  type OrderFiled,
} from '../../../src/contract/investing/allocations.ts'
import { formatCents } from '../../../src/contract/money.ts'
import type { Answer, CallOf } from '../../http/call.ts'
import { readCash } from '../../ledger/balances.ts'
import { submitAllocation } from '../../ledger/strategies.ts'
import { newId, newRef } from '../../lib/crypto/tokens.ts'
import { readTogether } from '../../lib/database.ts'
import { refuse, refuseField } from '../../lib/errors.ts'
import { getStrategyName } from '../../lib/strategyName.ts'
import { assertMayOrder } from '../trading/realMoney.ts'
import { buildFiledAnswer, computeNextValuation, countPending } from './orders.ts'
import { type PositionRow, readPositions } from './positions.ts'

/** The least that an investor of a strategy may add, in cents. */
const LEAST_MORE_CENTS = 100

/**
 * Sets an amount aside for a strategy, to be priced at the next valuation. The database decides again in the batch; the
 * reads here only choose the words.
 */
export async function allocate(call: CallOf<typeof endpoint>): Promise<Answer<OrderFiled>> {
  const { db, env, actor, nowMs, body } = call
  const { strategy, amount: cents } = body
  const [[position], [pending], [cash]] = await readTogether(
    db,
    readPositions(actor.id, sql`s.slug = ${strategy}`),
    countPending(actor.id, 'allocate'),
    readCash(actor.id),
  )
  if (position === undefined) return refuseField('strategy', 'There is no such strategy')
  const least = getMinimumCents(position)
  if (cents < least) refuseField('amount', `The smallest investment is ${formatCents(least)}`)
  assertMayOrder(env, position)
  if (position.status !== 'active') refuse('strategy_suspended')
  if ((pending?.count ?? 0) >= MAX_PENDING_ORDERS) refuse('too_many_open')
  if ((cash?.owedCents ?? 0) > 0) refuse('debt_outstanding')
  if ((cash?.availableCents ?? 0) < cents) refuse('insufficient_funds')
  const order = { id: newId(), ref: newRef('ALC'), investor: actor.id, strategy, cents }
  const answer = buildFiledAnswer(
    order,
    `Investment ${order.ref} of ${formatCents(cents)} in ${getStrategyName(strategy)}`,
    computeNextValuation(nowMs),
  )
  await call.commit({
    statements: [submitAllocation(db, { ...order, atMs: nowMs })],
    audit: [{ action: 'allocation.requested', subject: order.id, detail: { strategy, amountCents: cents } }],
    answer,
  })
  return answer
}

function getMinimumCents({ minimum, units }: PositionRow): number {
  return units > 0 ? LEAST_MORE_CENTS : minimum
}
