import * as contract from '../../../src/contract/console/withdrawals.ts'
import { ok } from '../../http/call.ts'
import { routeOf } from '../../http/route.ts'
import { assertFactor, commitWithFactor } from '../../identity/factors/actFactor.ts'
import { release } from '../../ledger/post.ts'
import { refuse } from '../../lib/errors.ts'
import { recordEvent } from '../../money/requests/events.ts'
import { withdrawalApproved, withdrawalRejected } from '../cases/mails.ts'
import { refuseDebtor, refuseFrozen } from '../cases/refusals.ts'
import { afterEvent, stepBy } from '../cases/requests.ts'
import { loadWithdrawal, withdrawalDetail } from './withdrawal.ts'

/** Approves a pending withdrawal, to be paid. The amount stays held until it is. Refuses a frozen account. */
export const approveWithdrawal = routeOf(contract.approveWithdrawal, loadWithdrawal, async (call, found) => {
  const { owedCents, ...withdrawal } = found
  const amountCents = withdrawal.amount
  refuseFrozen(withdrawal)
  if (withdrawal.status !== 'pending') refuse('already_decided')
  refuseDebtor(owedCents)
  await assertFactor(call, { amountCents })
  const event = stepBy(call, withdrawal, 'approved')
  return commitWithFactor(
    call,
    { amountCents },
    {
      statements: [recordEvent(call.db, event)],
      audit: [{ action: 'withdrawal.approved', subject: withdrawal.id, detail: { amountCents } }],
      mails: [withdrawalApproved(call.env, withdrawal)],
      answer: ok(withdrawalDetail(afterEvent(withdrawal, event, call.actor))),
    },
  )
})

/** Rejects a pending or approved withdrawal: its hold is released. The investor reads the reason. */
export const rejectWithdrawal = routeOf(contract.rejectWithdrawal, loadWithdrawal, async (call, found) => {
  const { db, env, actor, nowMs, body } = call
  const { id, investor, status, amount: amountCents } = found
  if (status !== 'pending' && status !== 'approved') refuse('already_decided')
  const event = stepBy(call, found, 'rejected', { note: body.reason })
  return call.commit({
    statements: [
      recordEvent(db, event),
      release(db, { id, investor, amountCents }, { actor: actor.id, nowMs }),
    ],
    audit: [{ action: 'withdrawal.rejected', subject: id, detail: { amountCents } }],
    mails: [withdrawalRejected(env, found, body.reason)],
    answer: ok(withdrawalDetail(afterEvent(found, event, actor))),
  })
})
