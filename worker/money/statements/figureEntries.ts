import { sql } from 'drizzle-orm'
import type {
  ExplainedFigure,
  listEntries as endpoint,
  LedgerEntry,
} from '../../../src/contract/money/statements.ts'
import { type Answer, type CallOf, ok } from '../../http/call.ts'
import { openCursor, pageOf } from '../../http/paging.ts'
import { accountId, type BaseKind } from '../../ledger/accounts.ts'
import { readTogether } from '../../lib/database.ts'
import { type EntryRow, entryOf, readEntries } from './entries.ts'

/** The account that a figure is the balance of, and whether the figure grows as it falls. */
const ACCOUNTS: Record<ExplainedFigure, { readonly kind: BaseKind; readonly sign: 1 | -1 }> = {
  deposits: { kind: 'paid_in', sign: -1 },
  withdrawals: { kind: 'paid_out', sign: 1 },
  bonus: { kind: 'granted', sign: -1 },
  pendingWithdrawals: { kind: 'held', sign: 1 },
}

/** The entries that a figure of the actor's is made of, newest first. All of their changes together are the figure. */
export async function listEntries(call: CallOf<typeof endpoint>): Promise<Answer<LedgerEntry[]>> {
  const { figure, limit, cursor } = call.query
  const { kind, sign } = ACCOUNTS[figure]
  const before = openCursor(cursor)
  // Either side has an index of its own: a page of both, and of them the newest.
  const side = (column: 'from_account' | 'to_account') => sql`
    SELECT seq FROM (SELECT seq FROM transfers WHERE ${sql.raw(column)} = ${accountId(call.actor.id, kind)}
      AND ${before === null ? sql`1` : sql`seq < ${before.seq}`} ORDER BY seq DESC LIMIT ${limit + 1})`
  const [rows] = await readTogether(
    call.db,
    readEntries(sql`
      WHERE t.seq IN (${side('from_account')} UNION ALL ${side('to_account')})
      ORDER BY t.seq DESC LIMIT ${limit + 1}`),
  )
  const page = pageOf(call, rows, limit, ({ seq }) => ({ at: 0, seq }))
  const change = (row: EntryRow) => (row.toKind === kind ? 1 : -1) * sign * row.amount
  return ok(
    page.rows.map((row) => entryOf(row, change(row))),
    page.headers,
  )
}
