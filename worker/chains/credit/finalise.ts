import { eq, sql } from 'drizzle-orm'
import { getCoinOfNetwork } from '../../../src/contract/money/coins.ts'
import {
  LEAST_PAYMENT_CENTS,
  type PAYMENT_RULES,
  type QueueReason,
} from '../../../src/contract/money/payments.ts'
import { computeCents } from '../../ledger/custody.ts'
import {
  type Database,
  type RowOf,
  readTogether,
  type Statement,
  selectRows,
  splitIntoJsonParts,
} from '../../lib/database.ts'
import type { Env } from '../../lib/env.ts'
import { creditPriceIn, readExchangePrices, readRates } from '../../lib/market/rates.ts'
import { depositQuotes, payments } from '../../lib/tables/payments.ts'
import { users } from '../../lib/tables/people.ts'

/** A payment that is deep enough and proved. */
export interface DeepPayment {
  readonly id: string
  readonly confirmations: number
  readonly proof: string
}

/** Confirming payments of these ids, as JSON, with the quotes that were filed before they were first seen. */
function readPending(ids: string) {
  const { id, network, units, quoteEnded, seq } = payments
  const { closedAt } = users
  return selectRows({
    ...{ id, network, closedAt, quoteEnded, quotedRate: depositQuotes.rate },
    units: sql<string>`CAST(${units} AS TEXT)`,
  })
    .from(payments)
    .innerJoin(users, eq(users.id, payments.investor))
    .leftJoin(depositQuotes, eq(depositQuotes.request, payments.quote))
    .where(sql`${id} IN (SELECT value FROM json_each(${ids})) AND ${payments.state} = 'confirming'`)
    .orderBy(seq)
}

type PendingPayment = RowOf<typeof readPending>

/** The most that one credit can hold, in cents. */
const MOST_CENTS = 1_000_000_000_000n

/**
 * Prices payments that are deep enough and proved, by their quote or else the believed price of this moment. Once the quote has ended,
 * the lower of both counts. The database decides which quote a payment has and when it ends (`fitting_quotes`, `payments_end_quote`).
 * A payment that needs a price waits for one. Dust, and payments to closed accounts, are queued.
 */
export async function priceFinalPayments(
  env: Env,
  db: Database,
  deep: readonly DeepPayment[],
  nowMs: number,
): Promise<Statement[]> {
  if (deep.length === 0) return []
  const ids = JSON.stringify(deep.map(({ id }) => id))
  const [rows, market, exchange] = await readTogether(
    db,
    readPending(ids),
    readRates(db),
    readExchangePrices(env),
  )
  const byId = new Map(deep.map((payment) => [payment.id, payment]))
  const priced = rows.flatMap((row) => {
    const found = byId.get(row.id)
    if (found === undefined) return []
    const { id, proof, confirmations } = found
    const coin = getCoinOfNetwork(row.network)
    const price = pickPrice(row, creditPriceIn(market, exchange, coin, { env, nowMs })?.rate ?? null)
    if (price === null) return []
    const cents = computeCents(coin, BigInt(row.units), price.rate)
    const reason = decideQueueReason(row, cents)
    const money =
      reason !== null
        ? { state: 'queued', rate: null, amount: null, rule: null, finalAt: null }
        : { state: 'final', ...price, amount: Number(cents), finalAt: nowMs }
    return [{ ...money, id, reason, proof, confirmations }]
  })
  return splitIntoJsonParts(priced).map(
    (part) => sql`
      UPDATE payments SET state = r.value ->> 'state', reason = r.value ->> 'reason', rate = r.value ->> 'rate',
        amount = r.value ->> 'amount', rule = r.value ->> 'rule', final_at = r.value ->> 'finalAt',
        proof = r.value ->> 'proof', confirmations = r.value ->> 'confirmations', checked_at = ${nowMs}
      FROM json_each(${part}) r WHERE payments.id = r.value ->> 'id' AND payments.state = 'confirming'`,
  )
}

interface Price {
  readonly rate: string
  readonly rule: (typeof PAYMENT_RULES)[number]
}

/** Null while the price is needed and none is believed. */
function pickPrice(
  { quotedRate, quoteEnded }: Pick<PendingPayment, 'quotedRate' | 'quoteEnded'>,
  believed: string | null,
): Price | null {
  if (quotedRate !== null && quoteEnded === 0) return { rate: quotedRate, rule: 'quote' }
  if (believed === null) return null
  return quotedRate !== null && Number(quotedRate) <= Number(believed)
    ? { rate: quotedRate, rule: 'quote' }
    : { rate: believed, rule: 'price' }
}

/**
 * SQL: the pending announced deposit that the payment `p` is credited to: the one whose quote it has, else the oldest to its address and
 * network that no other payment has or is quoted by.
 */
export function selectAnnouncedDeposit() {
  return sql`(
    SELECT r.id FROM requests r JOIN deposit_details d ON d.request = r.id
    WHERE r.investor = p.investor AND r.queue = 'deposits' AND r.status = 'pending'
      AND d.network = p.network AND d.payment_to = p.address
      AND NOT EXISTS (
        SELECT 1 FROM payments o WHERE o.request = r.id OR (o.quote = r.id AND o.id <> p.id AND o.state <> 'gone'))
    ORDER BY r.id IS p.quote DESC, r.created_at, r.seq LIMIT 1)`
}

function decideQueueReason(
  { closedAt }: Pick<PendingPayment, 'closedAt'>,
  cents: bigint,
): QueueReason | null {
  if (closedAt !== null) return 'account_closed'
  if (cents < BigInt(LEAST_PAYMENT_CENTS)) return 'dust'
  return cents > MOST_CENTS ? 'too_large' : null
}
