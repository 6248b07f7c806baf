import type { ActorCall, Answer } from '../../http/call.ts'
import { release } from '../../ledger/post.ts'
import { cancelRequest } from '../requests/cancel.ts'
import type { RequestRow } from '../requests/events.ts'

/** Takes back a withdrawal; its hold is released in the same batch. */
export function cancelWithdrawal(call: ActorCall, request: RequestRow): Promise<Answer<{ msg: string }>> {
  const cause = { id: request.id, investor: request.investor, amountCents: request.amount }
  return cancelRequest(
    call,
    request,
    `Withdrawal ${request.ref} is cancelled. The amount is available again.`,
    {
      statements: [release(call.db, cause, { actor: call.actor.id, nowMs: call.nowMs })],
    },
  )
}
