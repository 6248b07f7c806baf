import { sql } from 'drizzle-orm'
import type { Database, Statement } from '../lib/database.ts'
import { transfers } from '../lib/tables/ledger.ts'
import { type BaseKind, buildAccountId } from './accounts.ts'

/** The record that causes a transfer: a request or an approved proposal. The database refuses a transfer without one. */
export interface Cause {
  readonly id: string
  readonly investor: string
  readonly amountCents: number
}

/** Who posts, and when (epoch milliseconds). */
export interface By {
  readonly actor: string
  readonly nowMs: number
}

// An id contains the cause and the code, so that UNIQUE keeps a transfer from happening twice.
function post(
  db: Database,
  code: string,
  from: BaseKind,
  to: BaseKind,
  cause: Cause,
  by: By,
  reverses?: string,
): Statement {
  return db.insert(transfers).values({
    id: `${cause.id}:${code}`,
    fromAccount: buildAccountId(cause.investor, from),
    toAccount: buildAccountId(cause.investor, to),
    amount: cause.amountCents,
    code,
    ref: cause.id,
    reverses: reverses ?? null,
    actor: by.actor,
    at: by.nowMs,
  })
}

/** Credits an approved deposit. Here and below: the database first repays a debt from every inflow. */
export function credit(db: Database, cause: Cause, by: By): Statement {
  return post(db, 'credit', 'paid_in', 'available', cause, by)
}

/** Holds the amount of a withdrawal that was filed. Aborts with `insufficient_funds`, or `debt_outstanding`. */
export function hold(db: Database, cause: Cause, by: By): Statement {
  return post(db, 'hold', 'available', 'held', cause, by)
}

/** Releases the hold of a cancelled or rejected withdrawal. */
export function release(db: Database, cause: Cause, by: By): Statement {
  return post(db, 'release', 'held', 'available', cause, by)
}

/** Pays a completed withdrawal from its hold. Aborts with `debt_outstanding`. */
export function payOut(db: Database, cause: Cause, by: By): Statement {
  return post(db, 'complete', 'held', 'paid_out', cause, by)
}

/** Grants a bonus that two operators decided. */
export function grantBonus(db: Database, cause: Cause, by: By): Statement {
  return post(db, 'bonus', 'granted', 'available', cause, by)
}

/** Reverses a credit. The part that was already spent becomes a debt. */
export function reverseCredit(db: Database, cause: Cause, by: By): Statement[] {
  return [
    insertDebt(cause, by),
    post(db, 'reverse_credit', 'available', 'paid_in', cause, by, `${cause.id}:credit`),
  ]
}

/** Reverses a payout: the amount is available again. */
export function reversePayout(db: Database, cause: Cause, by: By): Statement {
  return post(db, 'reverse_payout', 'paid_out', 'available', cause, by, `${cause.id}:complete`)
}

// The shortfall depends on a balance, so it is computed inside the batch.
function insertDebt(cause: Cause, by: By): Statement {
  return sql`
    INSERT INTO transfers (id, from_account, to_account, amount, code, ref, actor, at)
    SELECT ${`${cause.id}:overdraw`}, ${buildAccountId(cause.investor, 'owed')}, a.id,
           CAST(${cause.amountCents} - a.balance AS INTEGER), 'overdraw', ${cause.id}, ${by.actor}, ${by.nowMs}
    FROM accounts a
    WHERE a.id = ${buildAccountId(cause.investor, 'available')} AND a.balance < ${cause.amountCents}`
}
