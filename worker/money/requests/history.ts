import { type SQL, sql } from 'drizzle-orm'
import type { BankDetails } from '../../../src/contract/console/withdrawals.ts'
import type { QueryOf } from '../../../src/contract/endpoint.ts'
import {
  listTransactions as endpoint,
  TRANSACTION_FEE,
  type Transaction,
  type TransactionDetail,
} from '../../../src/contract/money/transactions.ts'
import { toUsd } from '../../../src/contract/money.ts'
import { readWithdrawalPayout, toPayoutFigures } from '../../chains/payments/payouts.ts'
import { readPayments, toProvedPayment } from '../../chains/payments/show.ts'
import { type ActorCall, type Answer, createReadRoute, ok } from '../../http/call.ts'
import { assertCursor, type Position, parseCursor, takePage, toIso } from '../../http/paging.ts'
import { type RequestRow, STEP_ORDER, type Step, selectSteps } from '../../ledger/requestEvents.ts'
import { buildQuery, type RowQuery, readTogether } from '../../lib/database.ts'
import { refuse } from '../../lib/errors.ts'
import { readEntries, toLedgerEntry } from '../statements/entries.ts'

type Filters = QueryOf<typeof endpoint>

/**
 * The actor's deposits and withdrawals, newest first. Each combination of filters is a range of one of the indexes
 * `requests_history…`, so the cost of a page does not depend on the length of the history.
 */
export const listTransactions = createReadRoute(
  endpoint,
  ({ actorId, query }) => [readPage(actorId, query, parseCursor(query.cursor))],
  async (call, [rows]) => {
    assertCursor(call.query.cursor)
    const page = takePage(call, rows, call.query.limit, (row) => ({ at: row.created_at, seq: row.seq }))
    return ok(page.rows.map(toTransaction), page.headers)
  },
)

/** A page, and one more row to detect the next page. */
export function readPage(
  investor: string | SQL,
  filters: Omit<Filters, 'cursor'>,
  after: Position | null,
): RowQuery<TransactionRow> {
  return readTransactions(sql`
    WHERE ${buildConditions(investor, filters, after)}
    ORDER BY r.created_at DESC, r.seq DESC LIMIT ${filters.limit + 1}`)
}

function buildConditions(
  investor: string | SQL,
  filters: Omit<Filters, 'cursor'>,
  after: Position | null,
): SQL {
  const { kind, status, from, to } = filters
  const terms = [sql`r.investor = ${investor}`]
  if (kind !== undefined) terms.push(sql`r.kind = ${kind}`)
  if (status !== undefined) terms.push(sql`r.status = ${status}`)
  if (from !== undefined) terms.push(sql`r.created_at >= ${from}`)
  // One upper bound implies the other; with both, SQLite would scan from the wrong one.
  if (after !== null && (to === undefined || after.at <= to))
    terms.push(sql`(r.created_at, r.seq) < (${after.at}, ${after.seq})`)
  else if (to !== undefined) terms.push(sql`r.created_at <= ${to}`)
  return sql.join(terms, sql` AND `)
}

/** Tells a reference, which mails link to, from a request's id, a UUID. */
const REFERENCE = /^[A-Z]{3}-/

/** One of the actor's requests by id or reference, with its timeline and ledger entries. Refuses `not_found`. */
export async function getTransaction(call: ActorCall): Promise<Answer<TransactionDetail>> {
  const name = call.params.id ?? ''
  const column = REFERENCE.test(name) ? sql`ref` : sql`id`
  const id = sql`(SELECT id FROM requests WHERE ${column} = ${name} AND investor = ${call.actor.id})`
  const [[row], events, [deposit], entries, [payout], [payment]] = await readTogether(
    call.db,
    readTransactions(sql`WHERE r.id = ${id}`),
    buildQuery<Pick<Step, 'status' | 'at' | 'note' | 'reference'>>(sql`
      SELECT e.status, e.at, e.note, e.reference FROM ${selectSteps(sql`SELECT ${id}`)} ORDER BY ${STEP_ORDER}`),
    buildQuery<{ txid: string | null }>(sql`SELECT txid FROM deposit_details WHERE request = ${id}`),
    readEntries(sql`WHERE t.ref = ${id} ORDER BY t.seq`),
    readWithdrawalPayout(id),
    readPayments(sql`p.request = ${id}`, 1),
  )
  if (row === undefined) refuse('not_found')
  const timeline = events.map(({ at, status, note }) => ({
    at: toIso(at),
    status,
    ...(note !== null && { note }),
  }))
  const settled = events.find(({ reference }) => reference !== null)
  const reference = settled?.reference ?? deposit?.txid
  return ok({
    ...toTransaction(row),
    timeline,
    ...(reference && { reference }),
    ...(payout && { payout: toPayoutFigures(payout) }),
    ...(payment && { payment: toProvedPayment(call.env, payment) }),
    entries: entries.map((entry) => toLedgerEntry(entry)),
  })
}

/** A request with its details and, if it was rejected or reversed, the reason. */
export interface TransactionRow {
  readonly seq: number
  readonly id: string
  readonly ref: string
  readonly kind: RequestRow['kind']
  readonly status: RequestRow['status']
  readonly amount: number
  readonly created_at: number
  readonly coin: string | null
  readonly network: string | null
  readonly payment_to: string | null
  readonly address: string | null
  readonly bank: string | null
  readonly held_until: number | null
  readonly reason: string | null
}

/** Reads requests for the history. `which` filters, orders and limits by the columns of `r`. */
function readTransactions(which: SQL): RowQuery<TransactionRow> {
  return buildQuery<TransactionRow>(sql`
    SELECT r.seq, r.id, r.ref, r.kind, r.status, r.amount, r.created_at,
           coalesce(d.coin, w.coin) AS coin, coalesce(d.network, w.network) AS network,
           d.payment_to, w.address, w.bank, w.held_until,
           CASE WHEN r.status IN ('rejected', 'reversed') THEN
             (SELECT note FROM request_events e WHERE e.request = r.id AND e.status = r.status)
           END AS reason
    FROM requests r
    LEFT JOIN deposit_details d ON r.queue = 'deposits' AND d.request = r.id
    LEFT JOIN withdrawal_details w ON r.queue = 'withdrawals' AND w.request = r.id
    ${which}`)
}

/** A row as the investor sees it, with account numbers masked. */
export function toTransaction(row: TransactionRow): Transaction {
  const bank = row.bank === null ? null : parseBank(row.bank)
  return {
    _id: row.id,
    ref: row.ref,
    amount: toUsd(row.amount),
    createdAt: toIso(row.created_at),
    trxType: row.kind,
    status: row.status,
    fee: TRANSACTION_FEE,
    ...(row.coin !== null && { type: row.coin }),
    ...(row.network !== null && { network: row.network }),
    ...(row.payment_to !== null && { paymentTo: row.payment_to }),
    ...(row.address !== null && { address: row.address }),
    ...(bank !== null && {
      bankName: bank.bankName,
      accountNumber: formatMaskedNumber(bank.accountNumber),
      accountHolderName: bank.accountHolderName,
      ...(bank.withdrawalType !== null && { withdrawalType: bank.withdrawalType }),
    }),
    ...(row.reason !== null && { reason: row.reason }),
    ...(row.held_until !== null && { heldUntil: toIso(row.held_until) }),
  }
}

// The fields were validated against the contract before they were stored.
function parseBank(json: string): BankDetails {
  return JSON.parse(json) as BankDetails
}

/** The last four characters of an account number: `••••1234`. A number of four or fewer is hidden. */
export function formatMaskedNumber(accountNumber: string): string {
  const characters = Array.from(accountNumber.replace(/[\s-]/g, ''))
  return `••••${characters.length > 4 ? characters.slice(-4).join('') : ''}`
}
