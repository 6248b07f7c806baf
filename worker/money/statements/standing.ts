import { sql } from 'drizzle-orm'
import type { StatementStanding } from '../../../src/contract/money/statements.ts'
import { usdOf } from '../../../src/contract/money.ts'
import { LATEST_PRICE } from '../../ledger/balances.ts'
import { valueCents } from '../../ledger/units.ts'
import { type Read, reading } from '../../lib/database.ts'
import { DAY_MS } from '../../lib/days.ts'
import { type Balances, balanceOf } from './entries.ts'

/** Units of one strategy at a moment, what was paid for them in cents, and the price then in micro-USD. */
export interface UnitsRow {
  readonly units: number
  readonly cost: number
  readonly price: number | null
}

/** What an investor has in strategies now, at the price that the overview shows. */
export function readUnits(investor: string): Read<UnitsRow> {
  return reading(sql`
    SELECT units, cost, ${LATEST_PRICE} AS price FROM positions WHERE investor = ${investor}`)
}

/**
 * The same at the end of an earlier moment (epoch milliseconds): today's units less what moved since, at the newest valuation of that
 * time. A day's close counts from the day's last millisecond on.
 */
export function readUnitsAt(investor: string, atMs: number): Read<UnitsRow> {
  return reading(sql`
    SELECT p.units - coalesce(m.units, 0) AS units, p.cost - coalesce(m.cost, 0) AS cost, (
      SELECT v.unit_price FROM valuations v
      WHERE v.strategy = p.strategy AND v.day + iif(v.kind = 'close', ${DAY_MS} - 1, 0) <= ${atMs}
      ORDER BY v.day DESC, v.kind LIMIT 1) AS price
    FROM positions p LEFT JOIN (
      SELECT strategy, sum(units) AS units, sum(iif(code = 'issue', cost, -cost)) AS cost
      FROM unit_movements WHERE investor = ${investor} AND at > ${atMs} GROUP BY strategy) m ON m.strategy = p.strategy
    WHERE p.investor = ${investor}`)
}

/** What units are worth more, or less, than was paid for them, in cents. Each position is rounded down by itself, as it is shown. */
export function unrealisedOf(rows: readonly UnitsRow[]): number {
  return rows.reduce(
    // Bought and not yet valued: worth what was paid.
    (sum, { units, cost, price }) => sum + (price === null ? 0 : valueCents(units, price) - cost),
    0,
  )
}

/** An account at a moment, in USD. */
export function standingOf(balances: Balances, unrealised: number): StatementStanding {
  const balance = balanceOf(balances)
  return {
    available: usdOf(balances.available),
    held: usdOf(balances.held),
    allocating: usdOf(balances.allocating),
    invested: usdOf(balances.invested),
    owed: usdOf(balances.owed === 0 ? 0 : -balances.owed),
    balance: usdOf(balance),
    unrealised: usdOf(unrealised),
    totalBalance: usdOf(balance + unrealised),
  }
}
