import { sql } from 'drizzle-orm'
import type { TransactionDetail } from '../../src/contract/transactions.ts'
import { type ActorCall, type Answer, ok } from '../lib/call.ts'
import { reading, readTogether } from '../lib/database.ts'
import { refuse } from '../lib/errors.ts'
import { iso } from '../lib/paging.ts'
import { EVENT_ORDER, type RequestStatus } from './events.ts'
import { readTransactions, transactionOf } from './rows.ts'

/** One of the actor's own requests with its timeline, from the first event on. Anybody else's is not found. */
export async function getTransaction(call: ActorCall): Promise<Answer<TransactionDetail>> {
  const id = call.params.id ?? ''
  const [[row], events] = await readTogether(
    call.db,
    readTransactions(sql`WHERE r.id = ${id} AND r.investor = ${call.actor.id}`),
    reading<{ status: RequestStatus; at: number; note: string | null }>(sql`
      SELECT e.status, e.at, e.note FROM request_events e
      WHERE e.request = ${id} AND e.investor = ${call.actor.id} ORDER BY ${EVENT_ORDER}`),
  )
  if (row === undefined) refuse('not_found')
  const timeline = events.map(({ at, status, note }) => ({
    at: iso(at),
    status,
    ...(note !== null && { note }),
  }))
  return ok({ ...transactionOf(row), timeline })
}
