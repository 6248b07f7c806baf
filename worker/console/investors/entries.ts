import { type SQL, sql } from 'drizzle-orm'
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
import { buildQuery, type RowQuery, readTogether } from '../../lib/database.ts'
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

interface CausedEntry extends EntryRow {
  readonly causeId: string
  readonly kind: string | null
  readonly isProposal: 0 | 1
  readonly reason: string | null
  readonly actor: string
  readonly by: string | null
}

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

/** The cause of an entry. Without a request or a proposal it is a referral bonus. */
function deriveCause({ kind, isProposal }: CausedEntry): OperatorEntry['cause'] {
  if (kind === null) return isProposal === 1 ? 'proposal' : 'referral'
  return kind === 'deposit' ? 'deposit' : 'withdrawal'
}

function readAll(owner: string, before: Position | null, limit: number): RowQuery<CausedEntry> {
  return readCaused(sql`
    WHERE ${matchOwner(owner)} AND ${before === null ? sql`1` : sql`(t.at, t.seq) < (${before.at}, ${before.seq})`}
    ORDER BY t.at DESC, t.seq DESC LIMIT ${limit + 1}`)
}

// Each side has its own index: read one page of both and keep the newest.
function readAccountPage(
  owner: string,
  account: BookAccount,
  before: Position | null,
  limit: number,
): RowQuery<CausedEntry> {
  const selectSide = (column: 'from_account' | 'to_account') => sql`
    SELECT seq FROM (SELECT seq FROM transfers WHERE ${sql.raw(column)} = ${buildAccountId(owner, account)}
      AND ${before === null ? sql`1` : sql`seq < ${before.seq}`} ORDER BY seq DESC LIMIT ${limit + 1})`
  return readCaused(sql`
    WHERE t.seq IN (${selectSide('from_account')} UNION ALL ${selectSide('to_account')})
    ORDER BY t.seq DESC LIMIT ${limit + 1}`)
}

function readFrom(owner: string, after: Position | null): RowQuery<CausedEntry> {
  return readCaused(sql`
    WHERE ${matchOwner(owner)} AND ${after === null ? sql`1` : sql`(t.at, t.seq) > (${after.at}, ${after.seq})`}
    ORDER BY t.at, t.seq LIMIT ${PAGE}`)
}

// A reversal is posted under its request; the request's last step has its reason.
function readCaused(which: SQL): RowQuery<CausedEntry> {
  return buildQuery(sql`
    SELECT t.seq, t.at, t.code, t.amount, f.kind AS fromKind, o.kind AS toKind, t.ref AS causeId, t.actor,
      r.ref, r.kind, p.id IS NOT NULL AS isProposal,
      CASE WHEN t.code IN ('reverse_credit', 'reverse_payout') THEN (
        SELECT e.note FROM request_events e WHERE e.request = t.ref AND e.status = 'reversed') ELSE p.reason END AS reason,
      (SELECT display_name FROM users WHERE id = t.actor) AS by
    FROM transfers t JOIN accounts f ON f.id = t.from_account JOIN accounts o ON o.id = t.to_account
      LEFT JOIN requests r ON r.id = t.ref LEFT JOIN proposals p ON p.id = t.ref
    ${which}`)
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
