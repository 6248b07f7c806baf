import { and, eq, isNotNull, isNull, sql } from 'drizzle-orm'
import type { OperatorRow } from '../../../src/contract/operator/operators.ts'
import { endTokens } from '../../auth/emailTokens.ts'
import { users } from '../../auth/tables.ts'
import { reviewerKeys } from '../../kyc/tables.ts'
import { type ActorCall, type Answer, type CheckedCall, ok } from '../../lib/call.ts'
import type { Database, Statement } from '../../lib/database.ts'
import { refuse } from '../../lib/errors.ts'
import { operatorDisabled } from './mails.ts'
import { type OperatorFacts, operatorRow, refuseOwn } from './operator.ts'

/**
 * Lets an operator in no more, at once: the database ends their sessions with it, and refuses the last administrator who
 * can act. Documents are encrypted to their key no more, unless it is the last one.
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
      retireKey(db, operator.id, actor.id, nowMs),
    ],
    audit: [{ action: 'operator.disabled', subject: operator.id }],
    mails: [operatorDisabled(operator)],
    answer,
  })
  return answer
}

function retireKey(db: Database, owner: string, by: string, nowMs: number): Statement {
  return db
    .update(reviewerKeys)
    .set({ retiredBy: by, retiredAt: nowMs })
    .where(
      and(
        eq(reviewerKeys.userId, owner),
        isNotNull(reviewerKeys.approvedAt),
        isNull(reviewerKeys.retiredAt),
        sql`EXISTS (
          SELECT 1 FROM reviewer_keys o
          WHERE o.user_id <> ${owner} AND o.approved_at IS NOT NULL AND o.retired_at IS NULL)`,
      ),
    )
}
