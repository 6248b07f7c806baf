import { eq } from 'drizzle-orm'
import type { OperatorRow } from '../../../src/contract/console/operators.ts'
import { type ActorCall, type Answer, type CheckedCall, ok } from '../../http/call.ts'
import { endTokens } from '../../identity/credentials/emailTokens.ts'
import { refuse } from '../../lib/errors.ts'
import { users } from '../../lib/tables/people.ts'
import { operatorDisabled } from './mails.ts'
import { type OperatorFacts, operatorRow, refuseOwn } from './operator.ts'

/**
 * Lets an operator in no more, at once: the database ends their sessions with it, retires their document key unless it is the
 * last one, and refuses the last administrator who can act.
 */
export async function disableOperator(
  call: CheckedCall<{ reason: string }, unknown> & ActorCall,
  operator: OperatorFacts,
): Promise<Answer<OperatorRow>> {
  const { db, actor, nowMs, body } = call
  refuseOwn(call, operator.id)
  if (operator.disabledAt !== null) refuse('already_decided', { msg: 'This operator is disabled already.' })
  const disabled = { disabledAt: nowMs, disabledReason: body.reason }
  const answer = ok(operatorRow(actor.id, { ...operator, ...disabled }))
  await call.commit({
    statements: [
      db
        .update(users)
        .set({ ...disabled, disabledBy: actor.id })
        .where(eq(users.id, operator.id)),
      endTokens(db, operator.id, 'reset-password', nowMs),
    ],
    audit: [{ action: 'operator.disabled', subject: operator.id }],
    mails: [operatorDisabled(operator)],
    answer,
  })
  return answer
}
