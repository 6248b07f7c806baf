import { and, eq } from 'drizzle-orm'
import { type ActorCall, type Answer, type Effect, ok } from '../../http/call.ts'
import { release } from '../../ledger/post.ts'
import { refusalOfDatabase, refuse } from '../../lib/errors.ts'
import { requests } from '../../lib/tables/requests.ts'
import { type RequestRow, recordEvent } from './events.ts'

/** Nothing was credited, so nothing moves. */
export function cancelDeposit(call: ActorCall, request: RequestRow): Promise<Answer<{ msg: string }>> {
  return cancelRequest(call, request, `Deposit ${request.ref} is cancelled.`)
}

/** Releases the hold in the same batch. */
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

type Queue = RequestRow['queue']

/** Finds the actor's own request in a queue. Refuses `not_found`. */
export function ownRequest(queue: Queue): (call: ActorCall) => Promise<RequestRow> {
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

/** Cancels a pending request together with what follows from it (`after`). Refuses `not_pending` once it was decided. */
async function cancelRequest(
  call: ActorCall,
  request: RequestRow,
  msg: string,
  after: Pick<Effect, 'statements'> = {},
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
      statements: [cancelled, ...(after.statements ?? [])],
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
    if (refusalOfDatabase(error)?.code === 'already_decided') refuse('not_pending')
    throw error
  }
  return answer
}
