import type { listInvestorRequests as endpoint } from '../../../src/contract/console/investorFile.ts'
import type { QueryOf } from '../../../src/contract/endpoint.ts'
import type { Transaction } from '../../../src/contract/money/transactions.ts'
import { type ActorCall, type Answer, type CheckedCall, ok } from '../../http/call.ts'
import { openCursor, pageOf } from '../../http/paging.ts'
import { readPage, transactionOf } from '../../money/requests/history.ts'
import { readFile } from './file.ts'

/** An investor's deposits and withdrawals as they see them themselves, newest first. */
export async function listInvestorRequests(
  call: CheckedCall<unknown, QueryOf<typeof endpoint>> & ActorCall,
): Promise<Answer<Transaction[]>> {
  const { cursor, limit, kind, status } = call.query
  const filters = { limit, kind, status, from: undefined, to: undefined }
  const { rows } = await readFile(call, readPage(call.params.id ?? '', filters, openCursor(cursor)))
  const page = pageOf(call, rows[0], limit, (row) => ({ at: row.created_at, seq: row.seq }))
  return ok(page.rows.map(transactionOf), page.headers)
}
