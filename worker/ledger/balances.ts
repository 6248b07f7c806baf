import { and, eq, gt, type SQL, sql } from 'drizzle-orm'
import { type Database, type Read, reading } from '../lib/database.ts'
import { accounts, positions } from '../lib/tables/ledger.ts'
import { requests } from '../lib/tables/requests.ts'
import { accountId } from './accounts.ts'
import { valueCents } from './units.ts'

/** An investor's figures in integer cents, each from their own books. */
export interface Figures {
  readonly available: number
  readonly held: number
  /** Cash that waits to be invested. */
  readonly allocating: number
  /** Value of all positions. */
  readonly positions: number
  /** What was paid for the units of all positions. */
  readonly invested: number
  /** Gain or loss on units that were not sold: positions − invested. */
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

/** An account's balance in cents; or, as `units`, what is held of a strategy, at the latest price for one. */
export interface BookRow {
  readonly kind: string
  readonly balance: number
  readonly price: number | null
}

/** Of a row of `positions`: its strategy's newest valuation, or what is shown since then. A close comes before an open in the order of letters. */
export const LATEST_PRICE = sql<number | null>`(
  SELECT CASE WHEN d.at >= v.day + iif(v.kind = 'close', 86400000, 0) THEN d.unit_price ELSE v.unit_price END
  FROM valuations v LEFT JOIN displays d ON d.strategy = v.strategy
  WHERE v.strategy = positions.strategy ORDER BY v.day DESC, v.kind LIMIT 1)`

/** The reads behind the figures, to ride in one batch: balances and positions by key, and at most 20 open deposits. */
export function readBooks(db: Database, owner: string) {
  return [
    db
      .select({
        kind: accounts.kind,
        balance: accounts.balance,
        price: sql<number | null>`NULL`.as('price'),
      })
      .from(accounts)
      .where(eq(accounts.owner, owner))
      .unionAll(
        db
          .select({
            kind: sql<string>`'units'`.as('kind'),
            balance: positions.units,
            price: LATEST_PRICE.as('price'),
          })
          .from(positions)
          .where(and(eq(positions.investor, owner), gt(positions.units, 0))),
      ),
    db
      .select({ pending: sql<number>`coalesce(sum(${requests.amount}), 0)` })
      .from(requests)
      .where(
        sql`${requests.investor} = ${owner} AND ${requests.queue} = 'deposits' AND ${requests.status} = 'pending' AND ${requests.status} IN ('pending', 'approved') AND NOT (${requests.queue} = 'deposits' AND ${requests.status} = 'approved')`,
      ),
  ] as const
}

/**
 * The figures of the contract. `totalBalance` is profits + deposits + bonus − withdrawals, which equals available +
 * held + waiting + positions − owed because an investor's books sum to zero.
 */
export function figuresOf(rows: readonly BookRow[], pendingDeposits: number): Figures {
  const sumOf = (kind: string) => {
    let sum = 0
    for (const row of rows) if (row.kind === kind) sum += row.balance
    return sum
  }
  const deposits = cents(-sumOf('paid_in'))
  const bonus = cents(-sumOf('granted'))
  const withdrawals = sumOf('paid_out')
  // Rounded down each by itself, as each is shown.
  const value = rows.reduce(
    (sum, { kind, balance, price }) => (kind === 'units' ? sum + valueCents(balance, price ?? 0) : sum),
    0,
  )
  const invested = sumOf('invested')
  const profits = cents(value - invested - sumOf('result') - sumOf('fees'))
  return {
    available: sumOf('available'),
    held: sumOf('held'),
    allocating: sumOf('allocating'),
    positions: value,
    invested,
    unrealised: cents(value - invested),
    owed: cents(-sumOf('owed')),
    deposits,
    withdrawals,
    bonus,
    profits,
    pendingDeposits,
    pendingWithdrawals: sumOf('held'),
    totalBalance: profits + deposits + bonus - withdrawals,
  }
}

// No minus zero: it would print as "-0".
function cents(value: number): number {
  return value === 0 ? 0 : value
}

/** What is available and what is owed, in cents: an investor has only one of the two. */
export function readCash(owner: string): Read<{ availableCents: number; owedCents: number }> {
  return reading(sql`
    SELECT a.balance AS availableCents, -o.balance AS owedCents FROM accounts a, accounts o
    WHERE a.id = ${accountId(owner, 'available')} AND o.id = ${accountId(owner, 'owed')}`)
}

/** In SQL, of a row of `positions` or `pools`: what a unit was worth at the newest valuation, open or close. Null before the first. */
export function lastValuation(strategy: SQL): SQL {
  return sql`(SELECT v.unit_price FROM valuations v WHERE v.strategy = ${strategy} ORDER BY v.day DESC, v.kind LIMIT 1)`
}
