import type { OperatorWithdrawal } from '../../../src/contract/console/withdrawals.ts'
import { type ActorCall, type Answer, ok } from '../../http/call.ts'
import { assertFactor, commitWithFactor } from '../../identity/factors/actFactor.ts'
import { refuse } from '../../lib/errors.ts'
import { type RequestEvent, recordEvent } from '../../money/requests/events.ts'
import { refuseDebtor } from '../cases/debt.ts'
import { refuseFrozen } from '../cases/frozen.ts'
import { withdrawalApproved } from '../cases/mails.ts'
import { afterEvent } from '../cases/requests.ts'
import { type Withdrawal, withdrawalDetail } from './withdrawal.ts'

/** Approves a pending withdrawal, to be paid. The amount stays held until it is. Refuses one of a frozen account. */
export async function approveWithdrawal(
  call: ActorCall,
  withdrawal: Withdrawal & { readonly owedCents: number },
): Promise<Answer<OperatorWithdrawal>> {
  const { db, env, actor, nowMs } = call
  refuseFrozen(withdrawal)
  if (withdrawal.status !== 'pending') refuse('already_decided')
  refuseDebtor(withdrawal.owedCents)
  const act = { amountCents: withdrawal.amount }
  await assertFactor(call, act)
  const event: RequestEvent = {
    request: withdrawal.id,
    investor: withdrawal.investor,
    status: 'approved',
    actor: actor.id,
    atMs: nowMs,
  }
  const answer = ok(withdrawalDetail(afterEvent(withdrawal, event, actor)))
  await commitWithFactor(call, act, {
    statements: [recordEvent(db, event)],
    audit: [
      { action: 'withdrawal.approved', subject: withdrawal.id, detail: { amountCents: withdrawal.amount } },
    ],
    mails: [withdrawalApproved(env, withdrawal)],
    answer,
  })
  return answer
}
