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

/** A payment that is deep enough and proved. */
export interface Deep {
  readonly id: string
  readonly confirmations: number
  readonly proof: string
}

interface Pending {
  readonly id: string
  readonly network: ProvedNetwork
  readonly units: string
  readonly seenAt: number
  readonly closedAt: number | null
  readonly quoteUnits: string | null
  readonly quoteRate: string | null
  readonly quoteUntil: number | null
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
      SELECT p.id, p.network, CAST(p.units AS TEXT) AS units, p.seen_at AS seenAt, u.closed_at AS closedAt,
             CAST(q.units AS TEXT) AS quoteUnits, q.rate AS quoteRate, q.until AS quoteUntil
      FROM payments p JOIN users u ON u.id = p.investor
        LEFT JOIN deposit_quotes q ON q.request = coalesce(p.request, ${announcedDeposit()})
      WHERE p.id IN (SELECT value FROM json_each(${ids})) AND p.state = 'confirming' ORDER BY p.seq`),
    readRates(db),
  )
  const taken = new Set<string>()
  return rows.flatMap((row) => {
    const found = deep.find(({ id }) => id === row.id)
    if (found === undefined) return []
    const { proof, confirmations } = found
    const units = BigInt(row.units)
    // Two payments that become final together must not both take the one quote.
    const quote = quotedRate(row, units)
    const isQuoted = quote !== null && !taken.has(`${row.network} ${row.quoteUntil} ${row.quoteUnits}`)
    const rate = isQuoted ? quote : rateIn(market, coinOfNetwork(row.network), { env, nowMs })
    if (rate === null) return []
    if (isQuoted) taken.add(`${row.network} ${row.quoteUntil} ${row.quoteUnits}`)
    const cents = centsAt(coinOfNetwork(row.network), units, rate)
    const reason = queued(row, cents)
    if (reason !== null)
      return [
        sql`
          UPDATE payments SET state = 'queued', reason = ${reason}, proof = ${proof}, confirmations = ${confirmations},
            checked_at = ${nowMs}
          WHERE id = ${row.id} AND state = 'confirming'`,
      ]
    return [
      sql`
        UPDATE payments SET state = 'final', final_at = ${nowMs}, rate = ${rate}, amount = ${Number(cents)},
          rule = ${isQuoted ? 'quote' : 'price'}, proof = ${proof}, confirmations = ${confirmations}, checked_at = ${nowMs}
        WHERE id = ${row.id} AND state = 'confirming'`,
    ]
  })
}

/** SQL: the oldest pending announced deposit to the address and network of the payment `p` that has no payment yet. */
export function announcedDeposit() {
  return sql`(
    SELECT r.id FROM requests r JOIN deposit_details d ON d.request = r.id
    WHERE r.investor = p.investor AND r.queue = 'deposits' AND r.status = 'pending'
      AND d.network = p.network AND d.payment_to = p.address
      AND NOT EXISTS (SELECT 1 FROM payments o WHERE o.request = r.id)
    ORDER BY r.created_at, r.seq LIMIT 1)`
}

function quotedRate(row: Pending, units: bigint): string | null {
  if (row.quoteUnits === null || row.quoteUntil === null || row.seenAt >= row.quoteUntil) return null
  const quoted = BigInt(row.quoteUnits)
  const difference = units > quoted ? units - quoted : quoted - units
  return difference * QUOTE_TOLERANCE <= quoted ? row.quoteRate : null
}

function queued({ closedAt }: Pending, cents: bigint): QueueReason | null {
  if (closedAt !== null) return 'account_closed'
  if (cents < BigInt(LEAST_PAYMENT_CENTS)) return 'dust'
  return cents > MOST_CENTS ? 'too_large' : null
}
