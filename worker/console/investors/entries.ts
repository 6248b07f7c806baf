import { eq, type SQL, sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/sqlite-core'
import type {
  BookAccount,
  listInvestorEntries as endpoint,
  OperatorEntry,
} from '../../../src/contract/console/investorFile.ts'
import { ENTRY_WORDS } from '../../../src/contract/money/statements.ts'
import { site } from '../../../src/site.ts'
import { type CallOf, ok } from '../../http/call.ts'
import { BYTE_ORDER_MARK, createCsvResponse, formatCsvLine, formatDecimal } from '../../http/csv.ts'
import { openCursor, type Position, takePage, toIso } from '../../http/paging.ts'
import { buildAccountId } from '../../ledger/accounts.ts'
import { type RowOf, readTogether, selectRows } from '../../lib/database.ts'
import { accounts, transfers } from '../../lib/tables/ledger.ts'
import { proposals } from '../../lib/tables/operators.ts'
import { requests } from '../../lib/tables/requests.ts'
import { unitOrders } from '../../lib/tables/strategies.ts'
import {
  applyEntry,
  computeChange,
  type EntryRow,
  matchOwner,
  sumBalance,
  toLedgerEntry,
  ZERO_BALANCES,
} from '../../money/statements/entries.ts'
import { readFile } from './file.ts'

type CausedEntry = RowOf<typeof readCaused>

const PAGE = 1000

/**
 * An investor's ledger entries with their causes, newest first, optionally of one account. The CSV file holds all entries,
 * oldest first; it is streamed and audited.
 */
export async function listInvestorEntries(call: CallOf<typeof endpoint>) {
  const { account, limit, cursor, format } = call.query
  const owner = call.params.id ?? ''
  if (format === 'csv') {
    const { facts, rows } = await readFile(call, readFrom(owner, null))
    await call.commit({ audit: [{ action: 'investor.entries_exported', subject: facts.id }] })
    const readMore = async (last: Position) => (await readTogether(call.db, readFrom(owner, last)))[0]
    const name = `${site.slug}-entries-${facts.id}-${toIso(call.nowMs).slice(0, 10)}`
    return createCsvResponse(call, name, writeEntryLines(rows[0], readMore))
  }
  const before = openCursor(cursor)
  const { rows } = await readFile(
    call,
    account === undefined ? readAll(owner, before, limit) : readAccountPage(owner, account, before, limit),
  )
  const page = takePage(call, rows[0], limit, ({ at, seq }) => ({ at, seq }))
  return ok(page.rows.map(toOperatorEntry), page.headers)
}

function toOperatorEntry(row: CausedEntry): OperatorEntry {
  return {
    ...toLedgerEntry(row),
    from: row.fromKind,
    to: row.toKind,
    cause: deriveCause(row),
    causeId: row.causeId,
    reason: row.reason,
    by: row.by,
  }
}

/** The cause of an entry. Without a request, an order or a proposal it is a referral bonus. */
function deriveCause({ kind, isOrder, isProposal }: CausedEntry): OperatorEntry['cause'] {
  if (isOrder === 1) return 'order'
  if (kind === null) return isProposal === 1 ? 'proposal' : 'referral'
  return kind === 'deposit' ? 'deposit' : 'withdrawal'
}

function readAll(owner: string, before: Position | null, limit: number) {
  const isBefore = before === null ? sql`1` : sql`(t.at, t.seq) < (${before.at}, ${before.seq})`
  return readCaused(sql`${matchOwner(owner)} AND ${isBefore}`, sql`t.at DESC, t.seq DESC`, limit + 1)
}

// Each side has its own index: read one page of both and keep the newest.
function readAccountPage(owner: string, account: BookAccount, before: Position | null, limit: number) {
  const selectSide = (column: 'from_account' | 'to_account') => sql`
    SELECT seq FROM (SELECT seq FROM transfers WHERE ${sql.raw(column)} = ${buildAccountId(owner, account)}
      AND ${before === null ? sql`1` : sql`seq < ${before.seq}`} ORDER BY seq DESC LIMIT ${limit + 1})`
  const among = sql`t.seq IN (${selectSide('from_account')} UNION ALL ${selectSide('to_account')})`
  return readCaused(among, sql`t.seq DESC`, limit + 1)
}

function readFrom(owner: string, after: Position | null) {
  const isAfter = after === null ? sql`1` : sql`(t.at, t.seq) > (${after.at}, ${after.seq})`
  return readCaused(sql`${matchOwner(owner)} AND ${isAfter}`, sql`t.at, t.seq`, PAGE)
}

// A reversal is posted under its request; the request's last step has its reason.
function readCaused(which: SQL, order: SQL, limit: number) {
  const [t, f, o] = [alias(transfers, 't'), alias(accounts, 'f'), alias(accounts, 'o')]
  const [r, p, w] = [alias(requests, 'r'), alias(proposals, 'p'), alias(unitOrders, 'w')]
  return selectRows({
    ...{ seq: t.seq, at: t.at, code: sql<EntryRow['code']>`t.code`, amount: t.amount },
    ref: sql<string | null>`coalesce(r.ref, w.ref)`,
    ...{ fromKind: sql<EntryRow['fromKind']>`f.kind`, toKind: sql<EntryRow['toKind']>`o.kind` },
    ...{ causeId: sql<string>`t.ref`, kind: r.kind, actor: t.actor },
    isOrder: sql<0 | 1>`w.id IS NOT NULL`,
    isProposal: sql<0 | 1>`p.id IS NOT NULL`,
    reason: sql<string | null>`CASE WHEN t.code IN ('reverse_credit', 'reverse_payout') THEN (
      SELECT e.note FROM request_events e WHERE e.request = t.ref AND e.status = 'reversed') ELSE p.reason END`,
    by: sql<string | null>`(SELECT display_name FROM users WHERE id = t.actor)`,
  })
    .from(t)
    .innerJoin(f, eq(f.id, t.fromAccount))
    .innerJoin(o, eq(o.id, t.toAccount))
    .leftJoin(r, eq(r.id, t.ref))
    .leftJoin(w, eq(w.id, t.ref))
    .leftJoin(p, eq(p.id, t.ref))
    .where(which)
    .orderBy(order)
    .limit(limit)
}

const HEADER = [
  ...['Number', 'Time (UTC)', 'Entry', 'Reference', 'Amount', 'From', 'To', 'Change'],
  ...['Available', 'Held', 'Balance', 'Cause', 'Cause id', 'Reason', 'Posted by'],
]

/**
 * Entries as CSV (RFC 4180), oldest first, with the balances after each, in USD. Operators appear by id. `more` reads the rows
 * after an entry.
 */
async function* writeEntryLines(
  firstRows: readonly CausedEntry[],
  more: (last: Position) => Promise<readonly CausedEntry[]>,
): AsyncGenerator<string> {
  yield BYTE_ORDER_MARK + formatCsvLine(HEADER)
  let balances = ZERO_BALANCES
  for (let rows = firstRows; ; ) {
    let text = ''
    for (const row of rows) {
      balances = applyEntry(balances, row)
      text += formatCsvLine([
        ...[String(row.seq), toIso(row.at), ENTRY_WORDS[row.code], row.ref ?? '', formatDecimal(row.amount)],
        ...[row.fromKind, row.toKind, formatDecimal(computeChange(row))],
        ...[balances.available, balances.held, sumBalance(balances)].map(formatDecimal),
        ...[deriveCause(row), row.causeId, row.reason ?? '', row.actor],
      ])
    }
    yield text
    const last = rows.at(-1)
    if (last === undefined || rows.length < PAGE) return
    rows = await more(last)
  }
}
