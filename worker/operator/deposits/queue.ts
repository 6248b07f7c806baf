import type { OperatorDeposit } from '../../../src/contract/operator/deposits.ts'
import type { RequestStatus } from '../../../src/contract/transactions.ts'
import { type ActorCall, type Answer, type CheckedCall, ok } from '../../lib/call.ts'
import { readTogether } from '../../lib/database.ts'
import { refuse } from '../../lib/errors.ts'
import { openCursor, pageOf } from '../../lib/paging.ts'
import { oneOfQueue, pageOfQueue, readEvents, withEvents } from '../requests.ts'
import { type Deposit, depositDetail, depositRow, readDeposits } from './deposit.ts'

interface QueueQuery {
  readonly status: RequestStatus | undefined
  readonly limit: number
  readonly cursor?: string | undefined
}

/** Deposit requests, newest first. */
export async function listDeposits(
  call: CheckedCall<unknown, QueueQuery> & ActorCall,
): Promise<Answer<OperatorDeposit[]>> {
  const { status, limit, cursor } = call.query
  const ids = pageOfQueue({ queue: 'deposits', status, after: openCursor(cursor), limit })
  const [facts, events] = await readTogether(call.db, readDeposits(ids), readEvents(ids))
  const { rows, headers } = pageOf(call, withEvents(facts, events), limit, ({ createdAt, seq }) => ({
    at: createdAt,
    seq,
  }))
  return ok(rows.map(depositRow), headers)
}

/** The deposit that `:id` names. */
export async function loadDeposit(call: ActorCall): Promise<Deposit> {
  const ids = oneOfQueue('deposits', call.params.id ?? '')
  const [facts, events] = await readTogether(call.db, readDeposits(ids), readEvents(ids))
  return withEvents(facts, events)[0] ?? refuse('not_found')
}

export async function showDeposit(_call: ActorCall, deposit: Deposit): Promise<Answer<OperatorDeposit>> {
  return ok(depositDetail(deposit))
}
