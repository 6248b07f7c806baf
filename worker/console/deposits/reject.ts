import type { OperatorDeposit } from '../../../src/contract/console/deposits.ts'
import { type ActorCall, type Answer, type CheckedCall, ok } from '../../http/call.ts'
import { refuse } from '../../lib/errors.ts'
import { type RequestEvent, recordEvent } from '../../money/requests/events.ts'
import { depositRejected } from '../cases/mails.ts'
import { afterEvent } from '../cases/requests.ts'
import { type Deposit, depositDetail } from './deposit.ts'

/** Rejects a pending deposit request, also one that awaits its second operator. The investor reads the reason. */
export async function rejectDeposit(
  call: CheckedCall<{ reason: string }, unknown> & ActorCall,
  deposit: Deposit,
): Promise<Answer<OperatorDeposit>> {
  const { db, env, actor, nowMs, body } = call
  if (deposit.status !== 'pending') refuse('already_decided')
  const event: RequestEvent = {
    request: deposit.id,
    investor: deposit.investor,
    status: 'rejected',
    actor: actor.id,
    atMs: nowMs,
    note: body.reason,
  }
  const answer = ok(depositDetail(afterEvent(deposit, event, actor)))
  await call.commit({
    statements: [recordEvent(db, event)],
    audit: [{ action: 'deposit.rejected', subject: deposit.id }],
    mails: [depositRejected(env, deposit, body.reason)],
    answer,
  })
  return answer
}
