import { and, eq } from 'drizzle-orm'
import { type ActorCall, type Answer, ok } from '../../http/call.ts'
import { release } from '../../ledger/post.ts'
import { type RequestRow, recordEvent } from '../../ledger/requestEvents.ts'
import type { Statement } from '../../lib/database.ts'
import { findDatabaseRefusal, refuse } from '../../lib/errors.ts'
import { requests } from '../../lib/tables/requests.ts'

const PAYMENT_SEEN =
  'We have seen the payment of this deposit, so it cannot be cancelled. It is credited once it is confirmed.'

/** Cancels a deposit. It was not credited, so no money moves. Refuses `not_pending` once its payment was seen. */
export function cancelDeposit(call: ActorCall, request: RequestRow): Promise<Answer<{ msg: string }>> {
  return cancelRequest(call, request, `Deposit ${request.ref} is cancelled.`)
}

/** Cancels a withdrawal and releases its hold in the same batch. */
export function cancelWithdrawal(call: ActorCall, request: RequestRow): Promise<Answer<{ msg: string }>> {
  const cause = { id: request.id, investor: request.investor, amountCents: request.amount }
  return cancelRequest(
    call,
    request,
    `Withdrawal ${request.ref} is cancelled. The amount is available again.`,
    [release(call.db, cause, { actor: call.actor.id, nowMs: call.nowMs })],
  )
}

/** Loads the actor's request `:id` from a queue. Refuses `not_found`. */
export function loadOwnRequest(queue: RequestRow['queue']): (call: ActorCall) => Promise<RequestRow> {
  return async (call) => {
    const [row] = await call.db
      .select()
      .from(requests)
      .where(
        and(
          eq(requests.id, call.params.id ?? ''),
          eq(requests.investor, call.actor.id),
          eq(requests.queue, queue),
        ),
      )
    return row ?? refuse('not_found')
  }
}

/** Cancels a pending request, with the statements of `after` in the same batch. Refuses `not_pending` once decided. */
async function cancelRequest(
  call: ActorCall,
  request: RequestRow,
  msg: string,
  after: readonly Statement[] = [],
): Promise<Answer<{ msg: string }>> {
  if (request.status !== 'pending') refuse('not_pending')
  const answer = ok({ msg })
  const cancelled = recordEvent(call.db, {
    request: request.id,
    investor: request.investor,
    status: 'cancelled',
    actor: call.actor.id,
    atMs: call.nowMs,
  })
  try {
    await call.commit({
      statements: [cancelled, ...after],
      audit: [
        {
          action: request.queue === 'deposits' ? 'deposit.cancelled' : 'withdrawal.cancelled',
          subject: request.id,
          detail: { amountCents: request.amount },
        },
      ],
      answer,
    })
  } catch (error) {
    const code = findDatabaseRefusal(error)?.code
    if (code === 'already_decided') refuse('not_pending')
    if (code === 'not_pending') refuse('not_pending', { msg: PAYMENT_SEEN })
    throw error
  }
  return answer
}
