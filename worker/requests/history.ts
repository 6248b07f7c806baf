import { type SQL, sql } from 'drizzle-orm'
import type { QueryOf } from '../../src/contract/endpoint.ts'
import type { listTransactions as endpoint, Transaction } from '../../src/contract/transactions.ts'
import { type ActorCall, type Answer, type CheckedCall, ok } from '../lib/call.ts'
import { readTogether } from '../lib/database.ts'
import { openCursor, type Position, pageOf } from '../lib/paging.ts'
import { readTransactions, transactionOf } from './rows.ts'

type Filters = QueryOf<typeof endpoint>

/**
 * The actor's deposits and withdrawals, newest first. Each choice of filters is a range of one of the indexes
 * `requests_history…`, so that a page costs the same whatever the history's length.
 */
export async function listTransactions(
  call: CheckedCall<unknown, Filters> & ActorCall,
): Promise<Answer<Transaction[]>> {
  const { limit, cursor } = call.query
  const [rows] = await readTogether(
    call.db,
    readTransactions(sql`
      WHERE ${conditions(call.actor.id, call.query, openCursor(cursor))}
      ORDER BY r.created_at DESC, r.seq DESC LIMIT ${limit + 1}`),
  )
  const page = pageOf(call, rows, limit, (row) => ({ at: row.created_at, seq: row.seq }))
  return ok(page.rows.map(transactionOf), page.headers)
}

function conditions(investor: string, filters: Filters, after: Position | null): SQL {
  const { kind, status, from, to } = filters
  const terms = [sql`r.investor = ${investor}`]
  if (kind !== undefined) terms.push(sql`r.kind = ${kind}`)
  if (status !== undefined) terms.push(sql`r.status = ${status}`)
  if (from !== undefined) terms.push(sql`r.created_at >= ${from}`)
  if (to !== undefined) terms.push(sql`r.created_at <= ${to}`)
  if (after !== null) terms.push(sql`(r.created_at, r.seq) < (${after.at}, ${after.seq})`)
  return sql.join(terms, sql` AND `)
}
