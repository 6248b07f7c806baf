import { sql } from 'drizzle-orm'
import * as contract from '../../../src/contract/console/deposits.ts'
import { ok, routeOf } from '../../http/call.ts'
import { refuse } from '../../lib/errors.ts'
import { withdrawnApprovals } from '../../lib/tables/operators.ts'
import { recordEvent } from '../../money/requests/events.ts'
import { depositRejected } from '../cases/mails.ts'
import { afterEvent, stepBy } from '../cases/requests.ts'
import { depositDetail, type FirstApproval, loadDeposit } from './deposit.ts'

/** Rejects a pending deposit, also one with a first approval. The investor reads the reason. A trigger refuses a decided one. */
export const rejectDeposit = routeOf(contract.rejectDeposit, loadDeposit, async (call, deposit) => {
  const { reason } = call.body
  const event = stepBy(call, deposit, 'rejected', { note: reason })
  return call.commit({
    statements: [
      recordEvent(call.db, event),
      // Its payment has arrived. A person decides what happens to it.
      sql`UPDATE payments SET state = 'queued', reason = 'rejected' WHERE request = ${deposit.id} AND state = 'final'`,
    ],
    audit: [{ action: 'deposit.rejected', subject: deposit.id }],
    mails: [depositRejected(call.env, deposit, reason)],
    answer: ok(depositDetail(afterEvent(deposit, event, call.actor), call)),
  })
})

/**
 * Takes back the first of two approvals. Only the operator who gave it may, and only before the credit. The approval stays on
 * record, and the next one counts as a first again, so a credit still needs two people.
 */
export const revokeApproval = routeOf(contract.revokeApproval, loadDeposit, async (call, deposit) => {
  const { db, actor, nowMs } = call
  const { firstBy, firstReference, firstReferenceKey, firstAmount, firstAt } = deposit
  if (deposit.status !== 'pending') refuse('already_decided')
  if (firstBy === null || firstReference === null || firstReferenceKey === null)
    refuse('conflict', { msg: 'There is no first approval here. It may have been withdrawn already.' })
  if (firstAmount === null || firstAt === null) throw new Error('An approval names its amount and time.')
  if (firstBy !== actor.id)
    refuse('forbidden', {
      msg: 'Only the operator who approved this first can withdraw that approval. You can reject the deposit.',
    })
  return call.commit({
    // A trigger deletes the approval, and refuses a revocation that does not match it.
    statements: [
      db.insert(withdrawnApprovals).values({
        request: deposit.id,
        operator: actor.id,
        reference: firstReference,
        referenceKey: firstReferenceKey,
        amount: firstAmount,
        quantity: deposit.firstQuantity,
        note: deposit.firstNote,
        approvedAt: firstAt,
        at: nowMs,
      }),
    ],
    audit: [
      { action: 'deposit.approval_withdrawn', subject: deposit.id, detail: { amountCents: firstAmount } },
    ],
    answer: ok(depositDetail({ ...deposit, ...NO_APPROVAL }, call)),
  })
})

const NO_APPROVAL: FirstApproval = {
  firstBy: null,
  firstName: null,
  firstReference: null,
  firstReferenceKey: null,
  firstAmount: null,
  firstQuantity: null,
  firstUnits: null,
  firstNote: null,
  firstAt: null,
}
