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
import { type Database, readTogether } from '../../lib/database.ts'
import type { Env } from '../../lib/env.ts'
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
  assertMayAllocate(env, await readAllocationFacts(db, actor.id, strategy), cents)
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

/** The facts about an order to invest, in one round trip. */
export async function readAllocationFacts(db: Database, investor: string, strategy: string) {
  const [[position], [pending], [cash]] = await readTogether(
    db,
    readPositions(investor, sql`s.slug = ${strategy}`),
    countPending(investor, 'allocate'),
    readCash(investor),
  )
  return { position, pending: pending?.count ?? 0, cash }
}

type AllocationFacts = Awaited<ReturnType<typeof readAllocationFacts>>

/** Refuses an order to invest in the contract's order. */
export function assertMayAllocate(
  env: Env,
  { position, pending, cash }: AllocationFacts,
  cents: number,
): void {
  assertStrategyTakes(env, position, cents)
  if (pending >= MAX_PENDING_ORDERS) refuse('too_many_open')
  if ((cash?.owedCents ?? 0) > 0) refuse('debt_outstanding')
  if ((cash?.availableCents ?? 0) < cents) refuse('insufficient_funds')
}

/** Refuses an unknown or suspended strategy, and less than its minimum. An unknown amount is null. */
export function assertStrategyTakes(
  env: Env,
  position: PositionRow | undefined,
  cents: number | null,
): asserts position is PositionRow {
  if (position === undefined) return refuseField('strategy', 'There is no such strategy')
  const least = getMinimumCents(position)
  if (cents !== null && cents < least)
    refuseField('amount', `The smallest investment is ${formatCents(least)}`)
  assertMayOrder(env, position)
  if (position.status !== 'active') refuse('strategy_suspended')
}

function getMinimumCents({ minimum, units }: PositionRow): number {
  return units > 0 ? LEAST_MORE_CENTS : minimum
}
