import type { OperatorWithdrawal } from '../../../src/contract/console/withdrawals.ts'
import { type ActorCall, type Answer, type CheckedCall, ok } from '../../http/call.ts'
import { release } from '../../ledger/post.ts'
import { refuse } from '../../lib/errors.ts'
import { type RequestEvent, recordEvent } from '../../money/requests/events.ts'
import { withdrawalRejected } from '../cases/mails.ts'
import { afterEvent } from '../cases/requests.ts'
import { type Withdrawal, withdrawalDetail } from './withdrawal.ts'

/** Rejects a pending or approved withdrawal: what was held is available again. The investor reads the reason. */
export async function rejectWithdrawal(
  call: CheckedCall<{ reason: string }, unknown> & ActorCall,
  withdrawal: Withdrawal,
): Promise<Answer<OperatorWithdrawal>> {
  const { db, env, actor, nowMs, body } = call
  const { id, investor, status, amount: amountCents } = withdrawal
  if (status !== 'pending' && status !== 'approved') refuse('already_decided')
  const event: RequestEvent = {
    request: id,
    investor,
    status: 'rejected',
    actor: actor.id,
    atMs: nowMs,
    note: body.reason,
  }
  const answer = ok(withdrawalDetail(afterEvent(withdrawal, event, actor)))
  await call.commit({
    statements: [
      recordEvent(db, event),
      release(db, { id, investor, amountCents }, { actor: actor.id, nowMs }),
    ],
    audit: [{ action: 'withdrawal.rejected', subject: id, detail: { amountCents } }],
    mails: [withdrawalRejected(env, withdrawal, body.reason)],
    answer,
  })
  return answer
}
