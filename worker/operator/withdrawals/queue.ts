import type { OperatorWithdrawal } from '../../../src/contract/operator/withdrawals.ts'
import type { RequestStatus } from '../../../src/contract/transactions.ts'
import { type ActorCall, type Answer, type CheckedCall, ok } from '../../lib/call.ts'
import { readTogether } from '../../lib/database.ts'
import { refuse } from '../../lib/errors.ts'
import { openCursor, pageOf } from '../../lib/paging.ts'
import { oneOfQueue, pageOfQueue, readEvents, withEvents } from '../requests.ts'
import { readWithdrawals, type Withdrawal, withdrawalDetail, withdrawalRow } from './withdrawal.ts'

interface QueueQuery {
  readonly status: RequestStatus | undefined
  readonly limit: number
  readonly cursor?: string | undefined
}

/** Withdrawal requests of both kinds, newest first. */
export async function listWithdrawals(
  call: CheckedCall<unknown, QueueQuery> & ActorCall,
): Promise<Answer<OperatorWithdrawal[]>> {
  const { status, limit, cursor } = call.query
  const ids = pageOfQueue({ queue: 'withdrawals', status, after: openCursor(cursor), limit })
  const [facts, events] = await readTogether(call.db, readWithdrawals(ids), readEvents(ids))
  const { rows, headers } = pageOf(call, withEvents(facts, events), limit, ({ createdAt, seq }) => ({
    at: createdAt,
    seq,
  }))
  return ok(rows.map(withdrawalRow), headers)
}

/** The withdrawal that `:id` names. */
export async function loadWithdrawal(call: ActorCall): Promise<Withdrawal> {
  const ids = oneOfQueue('withdrawals', call.params.id ?? '')
  const [facts, events] = await readTogether(call.db, readWithdrawals(ids), readEvents(ids))
  return withEvents(facts, events)[0] ?? refuse('not_found')
}

export async function showWithdrawal(
  _call: ActorCall,
  withdrawal: Withdrawal,
): Promise<Answer<OperatorWithdrawal>> {
  return ok(withdrawalDetail(withdrawal))
}
