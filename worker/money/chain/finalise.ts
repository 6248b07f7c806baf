import { sql } from 'drizzle-orm'
import { coinOfNetwork } from '../../../src/contract/money/coins.ts'
import {
  LEAST_PAYMENT_CENTS,
  type ProvedNetwork,
  QUOTE_TOLERANCE,
  type QueueReason,
} from '../../../src/contract/money/payments.ts'
import { centsAt } from '../../ledger/custody.ts'
import { type Database, reading, readTogether, type Statement } from '../../lib/database.ts'
import type { Env } from '../../lib/env.ts'
import { rateIn, readRates } from '../../lib/market/rates.ts'
import { smallestPerUnit } from './record.ts'

/** A payment that is deep enough and proved. */
export interface Deep {
  readonly id: string
  readonly confirmations: number
  readonly proof: string
}

interface Pending {
  readonly id: string
  readonly network: ProvedNetwork
  readonly address: string
  /** In the network's smallest unit, so not rounded. */
  readonly quantity: string
  readonly units: string
  readonly seenAt: number
  readonly closedAt: number | null
  /** Its deposit, if it was final before. */
  readonly request: string | null
  /** JSON: the quotes of the deposits that it may pay, in the order in which payments take them. */
  readonly quotes: string
  /** Final payments to the same address that have no deposit yet. They take the first ones. */
  readonly earlier: number
}

/** What an announced deposit was quoted. Null without a price. */
interface Quote {
  readonly units: string | null
  readonly rate: string
  readonly until: number
}

/** The most that one credit can hold, in cents. */
const MOST_CENTS = 1_000_000_000_000n

/**
 * Prices payments that are deep enough and proved. The rate is that of the quote if the payment was seen in time and is within 1 % of it,
 * else the believed price of this moment. Without a price a payment waits. Dust, and payments to closed accounts, are queued.
 */
export async function finalisePayments(
  env: Env,
  db: Database,
  deep: readonly Deep[],
  nowMs: number,
): Promise<Statement[]> {
  if (deep.length === 0) return []
  const ids = JSON.stringify(deep.map(({ id }) => id))
  const [rows, market] = await readTogether(
    db,
    reading<Pending>(sql`
      SELECT p.id, p.network, p.address, p.quantity, CAST(p.units AS TEXT) AS units, p.seen_at AS seenAt, u.closed_at AS closedAt, p.request, (
          SELECT json_group_array(json_object('units', CAST(q.units AS TEXT), 'rate', q.rate, 'until', q.until)) FROM (
            SELECT p.request AS id WHERE p.request IS NOT NULL
            UNION ALL SELECT id FROM (${announcedDeposits()}) WHERE p.request IS NULL) d
          LEFT JOIN deposit_quotes q ON q.request = d.id) AS quotes, (
          SELECT count(*) FROM payments o
          WHERE o.address = p.address AND o.network = p.network AND o.state = 'final' AND o.request IS NULL) AS earlier
      FROM payments p JOIN users u ON u.id = p.investor
      WHERE p.id IN (SELECT value FROM json_each(${ids})) AND p.state = 'confirming' ORDER BY p.seq`),
    readRates(db),
  )
  const taken = new Map<string, number>()
  return rows.flatMap((row) => {
    const found = deep.find(({ id }) => id === row.id)
    if (found === undefined) return []
    const { proof, confirmations } = found
    const units = BigInt(row.units)
    // Each payment is credited to a deposit of its own, so each has that one's quote.
    const place = `${row.network} ${row.address}`
    const position = row.request === null ? (taken.get(place) ?? row.earlier) : 0
    const quoted = quotedRate(row, position)
    const rate = quoted ?? rateIn(market, coinOfNetwork(row.network), { env, nowMs })
    if (rate === null) return []
    const cents = centsAt(coinOfNetwork(row.network), units, rate)
    const reason = queued(row, cents)
    if (reason !== null)
      return [
        sql`
          UPDATE payments SET state = 'queued', reason = ${reason}, proof = ${proof}, confirmations = ${confirmations},
            checked_at = ${nowMs}
          WHERE id = ${row.id} AND state = 'confirming'`,
      ]
    if (row.request === null) taken.set(place, position + 1)
    return [
      sql`
        UPDATE payments SET state = 'final', final_at = ${nowMs}, rate = ${rate}, amount = ${Number(cents)},
          rule = ${quoted === null ? 'price' : 'quote'}, proof = ${proof}, confirmations = ${confirmations}, checked_at = ${nowMs}
        WHERE id = ${row.id} AND state = 'confirming'`,
    ]
  })
}

/** SQL: the pending announced deposits to the address and network of the payment `p` that have no payment yet, oldest first. */
function announcedDeposits() {
  return sql`
    SELECT r.id FROM requests r JOIN deposit_details d ON d.request = r.id
    WHERE r.investor = p.investor AND r.queue = 'deposits' AND r.status = 'pending'
      AND d.network = p.network AND d.payment_to = p.address
      AND NOT EXISTS (SELECT 1 FROM payments o WHERE o.request = r.id)
    ORDER BY r.created_at, r.seq`
}

/** SQL: the first of them. */
export function announcedDeposit() {
  return sql`(${announcedDeposits()} LIMIT 1)`
}

function quotedRate({ network, quantity, quotes, seenAt }: Pending, position: number): string | null {
  // Written by the query.
  const quote = (JSON.parse(quotes) as Quote[])[position]
  if (quote === undefined || quote.units === null || seenAt >= quote.until) return null
  // Compared in the network's smallest unit: rounded to custody, a payment at the edge would miss its quote.
  const asked = BigInt(quote.units) * smallestPerUnit(network)
  const paid = BigInt(quantity)
  const difference = paid > asked ? paid - asked : asked - paid
  return difference * QUOTE_TOLERANCE <= asked ? quote.rate : null
}

function queued({ closedAt }: Pending, cents: bigint): QueueReason | null {
  if (closedAt !== null) return 'account_closed'
  if (cents < BigInt(LEAST_PAYMENT_CENTS)) return 'dust'
  return cents > MOST_CENTS ? 'too_large' : null
}
