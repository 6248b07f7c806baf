import { and, desc, eq, type SQL, sql } from 'drizzle-orm'
import * as z from 'zod/mini'
import type { QueryOf } from '../../../src/contract/endpoint.ts'
import type { Coin } from '../../../src/contract/money/coins.ts'
import {
  listTransactions as endpoint,
  TRANSACTION_FEE,
  type Transaction,
  type TransactionDetail,
} from '../../../src/contract/money/transactions.ts'
import { toUsd } from '../../../src/contract/money.ts'
import { readPayments, toProvedPayment } from '../../chains/payments/show.ts'
import { readWithdrawalPayout, toPayoutFigures } from '../../chains/payouts/withdrawalPayout.ts'
import { isKey } from '../../http/actor.ts'
import { type ActorCall, type Answer, createReadRoute, ok } from '../../http/call.ts'
import { assertCursor, type Position, parseCursor, takePage, toIso } from '../../http/paging.ts'
import { formatQuantity } from '../../ledger/custody.ts'
import { STEP_ORDER, type Step, selectSteps } from '../../ledger/requestEvents.ts'
import { buildQuery, parseStored, type RowOf, readTogether, selectRows } from '../../lib/database.ts'
import { refuse } from '../../lib/errors.ts'
import { transfers } from '../../lib/tables/ledger.ts'
import { depositQuotes } from '../../lib/tables/payments.ts'
import { depositDetails, requests, withdrawalDetails } from '../../lib/tables/requests.ts'
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
    const page = takePage(call, rows, call.query.limit, (row) => ({ at: row.createdAt, seq: row.seq }))
    const toRow = isKey(call.actor) ? toSharedTransaction : toTransaction
    return ok(page.rows.map(toRow), page.headers)
  },
)

/** A page, and one more row to detect the next page. */
export function readPage(investor: string | SQL, filters: Omit<Filters, 'cursor'>, after: Position | null) {
  return readTransactions(buildConditions(investor, filters, after))
    .orderBy(desc(requests.createdAt), desc(requests.seq))
    .limit(filters.limit + 1)
}

function buildConditions(
  investor: string | SQL,
  filters: Omit<Filters, 'cursor'>,
  after: Position | null,
): SQL {
  const { kind, status, from, to } = filters
  const terms = [sql`requests.investor = ${investor}`]
  if (kind !== undefined) terms.push(sql`requests.kind = ${kind}`)
  if (status !== undefined) terms.push(sql`requests.status = ${status}`)
  if (from !== undefined) terms.push(sql`requests.created_at >= ${from}`)
  // One upper bound implies the other; with both, SQLite would scan from the wrong one.
  if (after !== null && (to === undefined || after.at <= to))
    terms.push(sql`(requests.created_at, requests.seq) < (${after.at}, ${after.seq})`)
  else if (to !== undefined) terms.push(sql`requests.created_at <= ${to}`)
  return sql.join(terms, sql` AND `)
}

/** Tells a reference, which mails link to, from a request's id, a UUID. */
const REFERENCE = /^[A-Z]{3}-/

/** One of the actor's requests by id or reference, with its timeline and ledger entries. Refuses `not_found`. */
export async function getTransaction(call: ActorCall): Promise<Answer<TransactionDetail>> {
  const name = call.params.id ?? ''
  const column = REFERENCE.test(name) ? sql`ref` : sql`id`
  const id = sql`(SELECT id FROM requests WHERE ${column} = ${name} AND investor = ${call.actor.id})`
  const [[row], events, [deposit], entries, [payout], [payment], [filed]] = await readTogether(
    call.db,
    readTransactions(eq(requests.id, id)),
    buildQuery<Pick<Step, 'status' | 'at' | 'note' | 'reference'>>(sql`
      SELECT e.status, e.at, e.note, e.reference FROM ${selectSteps(sql`SELECT ${id}`)} ORDER BY ${STEP_ORDER}`),
    selectRows({ txid: depositDetails.txid, sample: depositDetails.sample })
      .from(depositDetails)
      .where(eq(depositDetails.request, id)),
    readEntries(eq(transfers.ref, id)).orderBy(transfers.seq),
    readWithdrawalPayout(id),
    readPayments(sql`p.request = ${id}`, 1),
    readPlanOfWithdrawal(id),
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
    ...(filed && { plan: filed.plan }),
    ...(deposit?.sample === 1 && { sample: true }),
    entries: entries.map((entry) => toLedgerEntry(entry)),
  })
}

/** The plan that filed a withdrawal, also after it redeemed first. At most one row. */
export function readPlanOfWithdrawal(request: SQL) {
  return buildQuery<{ plan: string }>(sql`
    SELECT plan FROM plan_runs WHERE withdrawal = ${request}
    UNION ALL SELECT d.plan FROM unit_orders o JOIN plan_runs d ON d.unit_order = o.id WHERE o.withdrawal = ${request}`)
}

/** Requests under a condition, with their details and, if they were rejected or reversed, the reason. */
function readTransactions(where: SQL) {
  const { seq, id, ref, kind, status, amount, createdAt, queue } = requests
  const { address, bank, heldUntil } = withdrawalDetails
  return selectRows({
    ...{ seq, id, ref, kind, status, amount, createdAt, address, bank, heldUntil },
    coin: sql<Coin | null>`coalesce(${depositDetails.coin}, ${withdrawalDetails.coin})`,
    network: sql<string | null>`coalesce(${depositDetails.network}, ${withdrawalDetails.network})`,
    paymentTo: depositDetails.paymentTo,
    awaitsPayment: selectAwaitsPayment(),
    quotedUnits: sql<string | null>`CAST(${depositQuotes.units} AS TEXT)`,
    quotedRate: depositQuotes.rate,
    quotedUntil: depositQuotes.until,
    reason: sql<string | null>`CASE WHEN ${status} IN ('rejected', 'reversed') THEN
      (SELECT note FROM request_events e WHERE e.request = ${id} AND e.status = ${status}) END`,
  })
    .from(requests)
    .leftJoin(depositDetails, and(eq(queue, 'deposits'), eq(depositDetails.request, id)))
    .leftJoin(withdrawalDetails, and(eq(queue, 'withdrawals'), eq(withdrawalDetails.request, id)))
    .leftJoin(depositQuotes, and(eq(queue, 'deposits'), eq(status, 'pending'), eq(depositQuotes.request, id)))
    .where(where)
}

/** For a pending deposit to an own address: whether no payment was seen there that is or may become its own. Null for others. */
function selectAwaitsPayment() {
  const { id, queue, status, investor } = requests
  const { paymentTo, network } = depositDetails
  return sql<0 | 1 | null>`CASE WHEN ${queue} = 'deposits' AND ${status} = 'pending'
    AND EXISTS (SELECT 1 FROM deposit_addresses WHERE address = ${paymentTo} AND investor = ${investor})
    THEN NOT EXISTS (
      SELECT 1 FROM payments p WHERE p.address = ${paymentTo} AND p.network = ${network} AND p.state <> 'gone'
        AND coalesce(p.request, p.quote, ${id}) = ${id}) END`
}

/** The fields of a stored bank account that an investor sees. */
const storedBank = z.object({
  bankName: z.string(),
  accountNumber: z.string(),
  accountHolderName: z.string(),
  withdrawalType: z.nullable(z.string()),
})

/** A row as the investor sees it, with account numbers masked. */
export function toTransaction(row: RowOf<typeof readTransactions>): Transaction {
  const bank = row.bank === null ? null : parseStored(storedBank, row.bank)
  return {
    _id: row.id,
    ref: row.ref,
    amount: toUsd(row.amount),
    createdAt: toIso(row.createdAt),
    trxType: row.kind,
    status: row.status,
    fee: TRANSACTION_FEE,
    ...(row.coin !== null && { type: row.coin }),
    ...(row.network !== null && { network: row.network }),
    ...(row.paymentTo !== null && { paymentTo: row.paymentTo }),
    ...(row.address !== null && { address: row.address }),
    ...(bank !== null && {
      bankName: bank.bankName,
      accountNumber: formatMaskedNumber(bank.accountNumber),
      accountHolderName: bank.accountHolderName,
      ...(bank.withdrawalType !== null && { withdrawalType: bank.withdrawalType }),
    }),
    ...(row.reason !== null && { reason: row.reason }),
    ...(row.heldUntil !== null && { heldUntil: toIso(row.heldUntil) }),
    ...(row.awaitsPayment !== null && { awaitsPayment: row.awaitsPayment === 1 }),
    ...(row.awaitsPayment === 1 && toQuote(row)),
  }
}

/** A row for the key of an investor: neither destinations nor notes. */
function toSharedTransaction(row: RowOf<typeof readTransactions>): Transaction {
  const { _id, ref, amount, createdAt, trxType, status, fee, type } = toTransaction(row)
  return { _id, ref, amount, createdAt, trxType, status, fee, ...(type !== undefined && { type }) }
}

function toQuote({ coin, quotedUnits, quotedRate, quotedUntil }: RowOf<typeof readTransactions>) {
  if (coin === null || quotedUnits === null || quotedRate === null || quotedUntil === null) return {}
  const quantity = formatQuantity(coin, BigInt(quotedUnits))
  return { quote: { quantity, rate: quotedRate, until: toIso(quotedUntil) } }
}

/** The last four characters of an account number: `••••1234`. A number of four or fewer is hidden. */
export function formatMaskedNumber(accountNumber: string): string {
  const characters = Array.from(accountNumber.replace(/[\s-]/g, ''))
  return `••••${characters.length > 4 ? characters.slice(-4).join('') : ''}`
}
