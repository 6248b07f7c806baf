import { sql } from 'drizzle-orm'
import type { Message } from '../../../src/contract/common.ts'
import type { PositionStop, setStop as setEndpoint } from '../../../src/contract/investing/allocations.ts'
import { formatUsd } from '../../../src/contract/money.ts'
import { type ActorCall, type Answer, type CallOf, ok } from '../../http/call.ts'
import { newId } from '../../lib/crypto/tokens.ts'
import { refuse } from '../../lib/errors.ts'
import { getStrategyName } from '../../lib/strategyName.ts'
import { describeStop, type PositionRow } from '../allocations/positions.ts'
import { loadOwnPosition } from '../allocations/show.ts'
import { assertMayOrder } from '../trading/realMoney.ts'

export async function loadStoppablePosition(call: ActorCall): Promise<PositionRow> {
  return (await loadOwnPosition(call, () => [])).position
}

/**
 * Sets or changes the stop of the actor's position. Like a redemption into the account, it takes no proof. The database allows one
 * active stop for each investor and strategy.
 */
export async function setStop(
  call: CallOf<typeof setEndpoint>,
  position: PositionRow,
): Promise<Answer<{ msg: string; stop: PositionStop }>> {
  const { actor, env, nowMs, body } = call
  const { percent } = body
  assertMayOrder(env, position)
  const stop = describeStop({ ...position, stopPercent: percent, stopSetAt: nowMs, stopRefused: null })
  if (stop === null) return refuse('insufficient_funds', { msg: 'You have no units in this strategy.' })
  const name = getStrategyName(position.slug)
  const answer = ok({
    msg: `Your stop in ${name} is set: ${percent}% below the average cost of your units, now ${formatUsd(stop.price)} a unit.`,
    stop,
  })
  await call.commit({
    statements: [
      sql`INSERT INTO position_stops (id, investor, strategy, percent, created_at, changed_at)
        VALUES (${newId()}, ${actor.id}, ${position.slug}, ${percent}, ${nowMs}, ${nowMs})
        ON CONFLICT (strategy, investor) WHERE status = 'active'
        DO UPDATE SET percent = excluded.percent, changed_at = excluded.changed_at, refused = NULL, refused_at = NULL`,
    ],
    audit: [{ action: 'stop.set', subject: actor.id, detail: { strategy: position.slug, percent } }],
    answer,
  })
  return answer
}

/** Ends the stop of the actor's position. Refuses `already_decided` if there is none, or it fired a moment ago. */
export async function endStop(call: ActorCall, position: PositionRow): Promise<Answer<Message>> {
  const { actor, nowMs } = call
  const { slug } = position
  if (position.stopPercent === null) refuse('already_decided', { msg: 'This position has no stop.' })
  const answer = ok({ msg: `Your stop in ${getStrategyName(slug)} has ended.` })
  await call.commit({
    statements: [
      sql`UPDATE position_stops SET status = 'ended', ended_at = ${nowMs}
        WHERE investor = ${actor.id} AND strategy = ${slug} AND status = 'active'`,
    ],
    audit: [{ action: 'stop.ended', subject: actor.id, detail: { strategy: slug } }],
    answer,
  })
  return answer
}
