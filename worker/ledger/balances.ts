import { eq, type SQL, sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/sqlite-core'
import * as z from 'zod/mini'
import { buildQuery, type RowQuery, selectRows } from '../lib/database.ts'
import { DAY_MS_SQL } from '../lib/days.ts'
import { accounts, positions } from '../lib/tables/ledger.ts'
import { buildAccountId } from './accounts.ts'
import { valueCents, valueCentsSql } from './units.ts'

/** An investor's figures in integer cents, each from their own books. */
export interface Figures {
  /** Without `undone`. */
  readonly available: number
  /** The part of the available account that is frozen, because its payments are no longer on their chain. */
  readonly undone: number
  readonly held: number
  /** Cash of pending allocations. */
  readonly allocating: number
  /** Value of all positions. */
  readonly positions: number
  /** The cost of the units of all positions. */
  readonly invested: number
  /** Unrealised gain or loss: positions − invested. */
  readonly unrealised: number
  readonly owed: number
  readonly deposits: number
  readonly withdrawals: number
  readonly bonus: number
  readonly profits: number
  readonly pendingDeposits: number
  readonly pendingWithdrawals: number
  readonly totalBalance: number
}

/**
 * The balance of an account in cents; as `units`, the units of a strategy with the latest price of one; or, as
 * `pending_deposits` and `undone`, cents.
 */
export const bookRow = z.object({ kind: z.string(), balance: z.number(), price: z.nullable(z.number()) })
export type BookRow = Readonly<z.output<typeof bookRow>>

/**
 * SQL for a row of `positions`: the strategy's newest valuation, or the displayed price since then. 'close' sorts before
 * 'open'.
 */
const LATEST_PRICE = sql<number | null>`(
  SELECT CASE WHEN d.at >= v.day + iif(v.kind = 'close', ${DAY_MS_SQL}, 0) THEN d.unit_price ELSE v.unit_price END
  FROM valuations v LEFT JOIN displays d ON d.strategy = v.strategy
  WHERE v.strategy = positions.strategy ORDER BY v.day DESC, v.kind LIMIT 1)`

/** Current units of an investor by strategy, their cost in cents, and the price in micro-USD that the overview shows. */
export function readHoldings(investor: string) {
  const { strategy, units, cost } = positions
  return selectRows({ strategy, units, cost, price: LATEST_PRICE })
    .from(positions)
    .where(eq(positions.investor, investor))
}

/** Reads the rows that the figures are computed from: balances and positions by key, and at most 20 open deposits. */
export function readBooks(owner: string | SQL): RowQuery<BookRow> {
  return buildQuery(sql`
    SELECT kind, balance, NULL AS price FROM accounts WHERE owner = ${owner}
    UNION ALL
    SELECT 'units', units, ${LATEST_PRICE} FROM positions WHERE investor = ${owner} AND units > 0
    UNION ALL
    SELECT 'pending_deposits', coalesce(sum(amount), 0), NULL FROM requests
    WHERE investor = ${owner} AND queue = 'deposits' AND status = 'pending'
      AND status IN ('pending', 'approved') AND NOT (queue = 'deposits' AND status = 'approved')
    UNION ALL SELECT 'undone', ${sumUndone(owner)}, NULL`)
}

/** SQL, on rows of `payments`: no longer on its chain, and its credit is not reversed. */
export const IS_UNDONE = sql`payments.state = 'undone' AND (SELECT status FROM requests WHERE id = payments.request) = 'approved'`

/** SQL: cents of an investor's credits whose payment is no longer on its chain. A credit that was reversed freezes nothing. */
export function sumUndone(investor: string | SQL): SQL<number> {
  return sql<number>`(
    SELECT coalesce(sum(payments.amount), 0) FROM payments WHERE payments.investor = ${investor} AND ${IS_UNDONE})`
}

/** SQL of an investor's total balance in cents, as `computeFigures` sums it up. */
export function sumTotalBalance(investor: SQL): SQL<number> {
  return sql<number>`(
    (SELECT coalesce(sum(balance), 0) FROM accounts
      WHERE owner = ${investor} AND kind IN ('available', 'held', 'allocating', 'owed'))
    + (SELECT coalesce(sum(${valueCentsSql(sql`units`, sql`coalesce(${LATEST_PRICE}, 0)`)}), 0)
      FROM positions WHERE investor = ${investor} AND units > 0))`
}

/**
 * The figures of the contract. `totalBalance` is profits + deposits + bonus − withdrawals, which equals available + undone +
 * held + waiting + positions − owed because an investor's books sum to zero.
 */
export function computeFigures(rows: readonly BookRow[]): Figures {
  const sumKind = (kind: string) => {
    let sum = 0
    for (const row of rows) if (row.kind === kind) sum += row.balance
    return sum
  }
  const deposits = normalizeZero(-sumKind('paid_in'))
  const bonus = normalizeZero(-sumKind('granted'))
  const withdrawals = sumKind('paid_out')
  // Each is rounded down on its own, because each is displayed.
  const value = rows.reduce(
    (sum, { kind, balance, price }) => (kind === 'units' ? sum + valueCents(balance, price ?? 0) : sum),
    0,
  )
  const invested = sumKind('invested')
  const undone = Math.min(sumKind('undone'), sumKind('available'))
  const profits = normalizeZero(value - invested - sumKind('result') - sumKind('fees'))
  return {
    available: sumKind('available') - undone,
    undone,
    held: sumKind('held'),
    allocating: sumKind('allocating'),
    positions: value,
    invested,
    unrealised: normalizeZero(value - invested),
    owed: normalizeZero(-sumKind('owed')),
    deposits,
    withdrawals,
    bonus,
    profits,
    pendingDeposits: sumKind('pending_deposits'),
    pendingWithdrawals: sumKind('held'),
    totalBalance: profits + deposits + bonus - withdrawals,
  }
}

// No minus zero: it would print as "-0".
function normalizeZero(value: number): number {
  return value === 0 ? 0 : value
}

/** The available amount, the part of it that a reorganisation froze, and the debt, in cents: the first or the last of them is 0. */
export function readCash(owner: string) {
  const [available, owed] = [alias(accounts, 'available'), alias(accounts, 'owed')]
  return selectRows({
    availableCents: available.balance,
    undoneCents: sumUndone(owner),
    owedCents: sql<number>`-${owed.balance}`,
  })
    .from(available)
    .innerJoin(owed, eq(owed.id, buildAccountId(owner, 'owed')))
    .where(eq(available.id, buildAccountId(owner, 'available')))
}

/**
 * SQL for a row of `positions` or `pools`: the unit price of the newest valuation, open or close. Null before the first.
 */
export function selectLastValuation(strategy: SQL): SQL {
  return sql`(SELECT v.unit_price FROM valuations v WHERE v.strategy = ${strategy} ORDER BY v.day DESC, v.kind LIMIT 1)`
}
