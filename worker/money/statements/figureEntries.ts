import { desc, sql } from 'drizzle-orm'
import type {
  ExplainedFigure,
  listEntries as endpoint,
  LedgerEntry,
} from '../../../src/contract/money/statements.ts'
import { type Answer, type CallOf, ok } from '../../http/call.ts'
import { openCursor, takePage } from '../../http/paging.ts'
import { type BaseKind, buildAccountId } from '../../ledger/accounts.ts'
import { readTogether } from '../../lib/database.ts'
import { transfers } from '../../lib/tables/ledger.ts'
import { type EntryRow, readEntries, toLedgerEntry } from './entries.ts'

/** The account behind each figure, and the sign: -1 if the figure is the negated balance. */
const ACCOUNTS: Record<ExplainedFigure, { readonly kind: BaseKind; readonly sign: 1 | -1 }> = {
  deposits: { kind: 'paid_in', sign: -1 },
  withdrawals: { kind: 'paid_out', sign: 1 },
  bonus: { kind: 'granted', sign: -1 },
  pendingWithdrawals: { kind: 'held', sign: 1 },
}

/** The entries that add up to one of the actor's figures, newest first. */
export async function listEntries(call: CallOf<typeof endpoint>): Promise<Answer<LedgerEntry[]>> {
  const { figure, limit, cursor, from = 0, to = Number.MAX_SAFE_INTEGER } = call.query
  const { kind, sign } = ACCOUNTS[figure]
  const before = openCursor(cursor)
  // Each side has its own index: read a page of both, then take the newest.
  const selectSide = (column: 'from_account' | 'to_account') => sql`
    SELECT seq FROM (SELECT seq FROM transfers WHERE ${sql.raw(column)} = ${buildAccountId(call.actor.id, kind)}
      AND at BETWEEN ${from} AND ${to} AND ${before === null ? sql`1` : sql`seq < ${before.seq}`} ORDER BY seq DESC LIMIT ${limit + 1})`
  const [rows] = await readTogether(
    call.db,
    readEntries(
      sql`${transfers.seq} IN (${selectSide('from_account')} UNION ALL ${selectSide('to_account')})`,
    )
      .orderBy(desc(transfers.seq))
      .limit(limit + 1),
  )
  const page = takePage(call, rows, limit, ({ seq }) => ({ at: 0, seq }))
  const computeFigureChange = (row: EntryRow) => (row.toKind === kind ? 1 : -1) * sign * row.amount
  return ok(
    page.rows.map((row) => toLedgerEntry(row, computeFigureChange(row))),
    page.headers,
  )
}
