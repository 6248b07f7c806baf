import { eq, sql } from 'drizzle-orm'
import type { Database } from '../lib/database.ts'
import { requests } from '../requests/tables.ts'
import { accounts } from './tables.ts'

/** An investor's figures in integer cents, each from their own books. */
export interface Figures {
  readonly available: number
  readonly held: number
  /** Cash that waits to be invested. */
  readonly allocating: number
  /** Value of all positions. */
  readonly positions: number
  readonly owed: number
  readonly deposits: number
  readonly withdrawals: number
  readonly bonus: number
  readonly profits: number
  readonly pendingDeposits: number
  readonly pendingWithdrawals: number
  readonly totalBalance: number
}

/** The reads behind the figures, to ride in one batch: balances by key, and at most 20 open deposits. */
export function readBooks(db: Database, owner: string) {
  return [
    db
      .select({ kind: accounts.kind, balance: accounts.balance })
      .from(accounts)
      .where(eq(accounts.owner, owner)),
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
export function figuresOf(
  rows: readonly { kind: string; balance: number }[],
  pendingDeposits: number,
): Figures {
  const sumOf = (kind: string) => {
    let sum = 0
    for (const row of rows) if (row.kind === kind) sum += row.balance
    return sum
  }
  const deposits = cents(-sumOf('paid_in'))
  const bonus = cents(-sumOf('granted'))
  const withdrawals = sumOf('paid_out')
  // Positions are valued by the strategies; until an investor holds one, what was invested is zero.
  const positions = sumOf('invested')
  const profits = cents(positions - sumOf('invested') - sumOf('result') - sumOf('fees'))
  return {
    available: sumOf('available'),
    held: sumOf('held'),
    allocating: sumOf('allocating'),
    positions,
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
