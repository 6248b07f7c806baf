import { type SQL, sql } from 'drizzle-orm'
import type { QueryOf } from '../../../src/contract/endpoint.ts'
import type { listTransactions as endpoint, Transaction } from '../../../src/contract/money/transactions.ts'
import { type ActorCall, type Answer, type CheckedCall, ok } from '../../http/call.ts'
import { openCursor, type Position, pageOf } from '../../http/paging.ts'
import { type Read, readTogether } from '../../lib/database.ts'
import { readTransactions, type TransactionRow, transactionOf } from './rows.ts'

type Filters = QueryOf<typeof endpoint>

/**
 * The actor's deposits and withdrawals, newest first. Each choice of filters is a range of one of the indexes
 * `requests_history…`, so that a page costs the same whatever the history's length.
 */
export async function listTransactions(
  call: CheckedCall<unknown, Filters> & ActorCall,
): Promise<Answer<Transaction[]>> {
  const { limit, cursor } = call.query
  const [rows] = await readTogether(call.db, readPage(call.actor.id, call.query, openCursor(cursor)))
  const page = pageOf(call, rows, limit, (row) => ({ at: row.created_at, seq: row.seq }))
  return ok(page.rows.map(transactionOf), page.headers)
}

/** Reads a page and one row more: whether there is a next one. */
export function readPage(
  investor: string,
  filters: Omit<Filters, 'cursor'>,
  after: Position | null,
): Read<TransactionRow> {
  return readTransactions(sql`
    WHERE ${conditions(investor, filters, after)}
    ORDER BY r.created_at DESC, r.seq DESC LIMIT ${filters.limit + 1}`)
}

function conditions(investor: string, filters: Omit<Filters, 'cursor'>, after: Position | null): SQL {
  const { kind, status, from, to } = filters
  const terms = [sql`r.investor = ${investor}`]
  if (kind !== undefined) terms.push(sql`r.kind = ${kind}`)
  if (status !== undefined) terms.push(sql`r.status = ${status}`)
  if (from !== undefined) terms.push(sql`r.created_at >= ${from}`)
  // One of the two upper bounds implies the other; with both SQLite would scan from the wrong one.
  if (after !== null && (to === undefined || after.at <= to))
    terms.push(sql`(r.created_at, r.seq) < (${after.at}, ${after.seq})`)
  else if (to !== undefined) terms.push(sql`r.created_at <= ${to}`)
  return sql.join(terms, sql` AND `)
}
