import type { BodyOf } from '../../../src/contract/endpoint.ts'
import {
  type redeem as endpoint,
  MAX_PENDING_ORDERS,
  type OrderFiled,
} from '../../../src/contract/investing/allocations.ts'
import { formatCents } from '../../../src/contract/money.ts'
import type { ActorCall, Answer, CheckedCall } from '../../http/call.ts'
import { submitRedemption } from '../../ledger/strategies.ts'
import { newId, newRef } from '../../lib/crypto/tokens.ts'
import type { Env } from '../../lib/env.ts'
import { refuse } from '../../lib/errors.ts'
import { getStrategyName } from '../../lib/strategyName.ts'
import { assertMayOpen } from '../../money/requests/limits.ts'
import { assertFields, assertUnlocked } from '../../money/withdrawals/decide.ts'
import { assertMayTry, type Facts, type NewWithdrawal, readFacts } from '../../money/withdrawals/facts.ts'
import { buildFiledMail } from '../../money/withdrawals/mails.ts'
import { confirm } from '../../money/withdrawals/proof.ts'
import { assertMayOrder } from '../trading/realMoney.ts'
import { buildOnwardWithdrawal, serializeOnward } from './onwardWithdrawals.ts'
import { buildFiledAnswer, computeNextValuation, countPending } from './orders.ts'
import { type PositionRow, valueCentsAtLastValuation, valueCentsAtLatestPrice } from './positions.ts'
import { loadOwnPosition } from './show.ts'

type Body = BodyOf<typeof endpoint>

export interface Redeemable {
  readonly position: PositionRow
  readonly pending: number
}

export async function loadRedeemablePosition(call: ActorCall): Promise<Redeemable> {
  const { position, others } = await loadOwnPosition(
    call,
    () => [countPending(call.actor.id, 'redeem')] as const,
  )
  return { position, pending: others[0][0]?.count ?? 0 }
}

/**
 * Files a redemption, to be priced at the next valuation, also from a suspended strategy. If the proceeds are to be
 * withdrawn, the proof for that is asked for now, for their value by the last valuation.
 */
export async function redeem(
  call: CheckedCall<Body, unknown> & ActorCall,
  { position, pending }: Redeemable,
): Promise<Answer<OrderFiled>> {
  const { db, env, actor, nowMs, body } = call
  if (body.thenWithdraw !== undefined && actor.kycRequired && actor.kyc !== 'approved') refuse('kyc_required')
  const planned = await planWithdrawal(call, position)
  const cents = body.amount === 'all' ? null : body.amount
  assertMayRedeem(env, { position, pending }, cents, planned?.facts)
  const order = { id: newId(), ref: newRef('RDM'), investor: actor.id, strategy: position.slug, cents }
  const then = planned && { ...planned, proof: await confirm(call, planned.withdrawal, planned.facts) }
  const what = `Redemption ${order.ref} of ${cents === null ? 'all units' : formatCents(cents)} from ${getStrategyName(position.slug)}`
  const answer = buildFiledAnswer(order, what, computeNextValuation(nowMs))
  await call.commit({
    statements: [
      ...(then?.proof.statements ?? []),
      submitRedemption(db, {
        ...order,
        atMs: nowMs,
        onward: then && serializeOnward(then.withdrawal, then.proof, actor.session.id),
      }),
    ],
    audit: [
      {
        action: 'redemption.requested',
        subject: order.id,
        detail: { strategy: order.strategy, amountCents: cents, withdraws: then !== null },
      },
    ],
    // Sent now, because the delay begins now, and an intruder can be stopped now.
    mails: then ? [await buildFiledMail(call, order.ref, then.withdrawal, then.proof.heldUntil)] : [],
    answer,
  })
  return answer
}

/** Refuses an order to redeem in the contract's order. `then` are the facts of a withdrawal that is to follow. */
export function assertMayRedeem(
  env: Env,
  { position, pending }: Redeemable,
  cents: number | null,
  then?: Pick<Facts, 'open'>,
): void {
  assertMayOrder(env, position)
  if (pending >= MAX_PENDING_ORDERS) refuse('too_many_open')
  if (then !== undefined) assertMayOpen(then.open)
  const left = computeRedeemableCents(position)
  if (position.units === 0 || position.isAllAsked === 1 || (cents ?? 0) > left)
    refuse('insufficient_funds', {
      msg: `You can redeem at most ${formatCents(left)} of this position now.`,
    })
}

/** The value of the position that is not already requested, at the newest price. */
export function computeRedeemableCents(position: PositionRow): number {
  return position.isAllAsked === 1 ? 0 : Math.max(0, valueCentsAtLatestPrice(position) - position.pendingOut)
}

interface PlannedWithdrawal {
  readonly withdrawal: NewWithdrawal
  /** As they will be once the proceeds arrive. */
  readonly facts: Facts
}

/** The withdrawal that is to follow, if any: its tries are counted and its fields checked like those of a filed one. */
async function planWithdrawal(
  call: CheckedCall<Body, unknown> & ActorCall,
  position: PositionRow,
): Promise<PlannedWithdrawal | null> {
  const { db, env, actor, nowMs } = call
  const { thenWithdraw, amount, ...given } = call.body
  if (thenWithdraw === undefined) return null
  const { code, passkey } = thenWithdraw
  const proof = { code: given.code ?? code, passkey: given.passkey ?? passkey }
  // By the last valuation: the displayed price changes while the code lives.
  const worth = Math.max(1, valueCentsAtLastValuation(position))
  const amountCents = amount === 'all' ? worth : amount
  const withdrawal = await buildOnwardWithdrawal(actor.id, thenWithdraw, amountCents, proof)
  const facts = await readFacts(db, env, withdrawal, nowMs)
  assertMayTry(facts.tries, nowMs)
  const then = { ...facts, availableCents: facts.availableCents + withdrawal.amountCents }
  assertFields(withdrawal, then)
  assertUnlocked(withdrawal, then, nowMs, 'thenWithdraw.')
  return { withdrawal, facts: then }
}
