import type { OperatorDeposit } from '../../../src/contract/console/deposits.ts'
import { type ActorCall, type Answer, ok } from '../../http/call.ts'
import { refuse } from '../../lib/errors.ts'
import { withdrawnApprovals } from '../../lib/tables/operators.ts'
import { type Deposit, depositDetail, type FirstApproval } from './deposit.ts'

/**
 * Takes the first of two approvals back: only whoever gave it, and only while nothing was credited. What was approved stays on
 * record. The next approval is a first one again, whoever gives it, so that a credit still takes two people.
 */
export async function revokeApproval(call: ActorCall, deposit: Deposit): Promise<Answer<OperatorDeposit>> {
  const { db, actor, nowMs } = call
  const { firstBy, firstReference, firstReferenceKey, firstAmount, firstAt } = deposit
  if (deposit.status !== 'pending') refuse('already_decided')
  if (firstBy === null || firstReference === null || firstReferenceKey === null)
    refuse('conflict', { msg: 'No first approval waits here. It may have been taken back already.' })
  if (firstAmount === null || firstAt === null) throw new Error('An approval names its amount and time.')
  if (firstBy !== actor.id)
    refuse('forbidden', { msg: 'Only whoever approved this first can take that back. You can reject it.' })
  const answer = ok(depositDetail({ ...deposit, ...NONE }))
  await call.commit({
    // A trigger takes the approval away, and refuses whatever is not taken back just as it was given.
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
    answer,
  })
  return answer
}

const NONE: FirstApproval = {
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
