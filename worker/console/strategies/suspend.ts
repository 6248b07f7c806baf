import type { OperatorStrategy } from '../../../src/contract/console/strategies.ts'
import { type ActorCall, type Answer, type CheckedCall, ok } from '../../http/call.ts'
import { refuse } from '../../lib/errors.ts'
import { strategyEvents } from '../../lib/tables/strategies.ts'
import { type StrategyFacts, strategyRow } from './list.ts'

/** The kill switch: one operator is enough, since it only makes safer. The cron sells at the next open and tells the investors. */
export async function suspendStrategy(
  call: CheckedCall<{ reason: string }, unknown> & ActorCall,
  strategy: StrategyFacts,
): Promise<Answer<OperatorStrategy>> {
  const { db, actor, nowMs, body } = call
  const { slug, status } = strategy
  const { reason } = body
  if (status !== 'active') refuse('already_decided', { msg: `This strategy is ${status} already.` })
  const event = { since: nowMs, actor: actor.id, actorName: actor.displayName, reason }
  const answer = ok(strategyRow({ ...strategy, status: 'suspended', ...event }, nowMs))
  await call.commit({
    statements: [
      db
        .insert(strategyEvents)
        .values({ strategy: slug, at: nowMs, kind: 'suspended', reason, actor: actor.id }),
    ],
    audit: [{ action: 'strategy.suspended', subject: slug }],
    answer,
  })
  return answer
}
