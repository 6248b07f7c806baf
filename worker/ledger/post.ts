import { sql } from 'drizzle-orm'
import type { Database, Statement } from '../lib/database.ts'
import { accountId, type BaseKind } from './accounts.ts'
import { transfers } from './tables.ts'

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

// Ids say what they are for, so that UNIQUE keeps each from happening twice.
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
    fromAccount: accountId(cause.investor, from),
    toAccount: accountId(cause.investor, to),
    amount: cause.amountCents,
    code,
    ref: cause.id,
    reverses: reverses ?? null,
    actor: by.actor,
    at: by.nowMs,
  })
}

/** Credits an approved deposit. What the investor owes from an earlier reversal is repaid from it first. */
export function credit(db: Database, cause: Cause, by: By): Statement[] {
  return [
    post(db, 'credit', 'paid_in', 'available', cause, by),
    postComputed(
      db,
      'repay',
      'available',
      'owed',
      cause,
      by,
      sql`min(-o.balance, ${cause.amountCents})`,
      sql`o.balance < 0`,
    ),
  ]
}

/** Holds the amount of a withdrawal that was filed. Aborts with `insufficient_funds`. */
export function hold(db: Database, cause: Cause, by: By): Statement {
  return post(db, 'hold', 'available', 'held', cause, by)
}

/** Gives a hold back: the withdrawal was cancelled or rejected. */
export function release(db: Database, cause: Cause, by: By): Statement {
  return post(db, 'release', 'held', 'available', cause, by)
}

/** Pays a completed withdrawal out of what is held. */
export function payOut(db: Database, cause: Cause, by: By): Statement {
  return post(db, 'complete', 'held', 'paid_out', cause, by)
}

/** Grants a bonus that two operators decided. */
export function grantBonus(db: Database, cause: Cause, by: By): Statement {
  return post(db, 'bonus', 'granted', 'available', cause, by)
}

/** Reverses a credit. What was spent of it meanwhile is owed from now on. */
export function reverseCredit(db: Database, cause: Cause, by: By): Statement[] {
  return [
    postComputed(
      db,
      'overdraw',
      'owed',
      'available',
      cause,
      by,
      sql`${cause.amountCents} - a.balance`,
      sql`a.balance < ${cause.amountCents}`,
    ),
    post(db, 'reverse_credit', 'available', 'paid_in', cause, by, `${cause.id}:credit`),
  ]
}

/** Reverses a payout: it is available again. */
export function reversePayout(db: Database, cause: Cause, by: By): Statement {
  return post(db, 'reverse_payout', 'paid_out', 'available', cause, by, `${cause.id}:complete`)
}

// An amount that depends on a balance is computed where nothing can come between: inside the batch. `a` is what is
// available, `o` what is owed (below zero).
function postComputed(
  db: Database,
  code: string,
  from: BaseKind,
  to: BaseKind,
  cause: Cause,
  by: By,
  amount: ReturnType<typeof sql>,
  where: ReturnType<typeof sql>,
): Statement {
  return db.run(sql`
    INSERT INTO transfers (id, from_account, to_account, amount, code, ref, actor, at)
    SELECT ${`${cause.id}:${code}`}, ${accountId(cause.investor, from)}, ${accountId(cause.investor, to)},
           CAST(${amount} AS INTEGER), ${code}, ${cause.id}, ${by.actor}, ${by.nowMs}
    FROM accounts a JOIN accounts o ON o.id = ${accountId(cause.investor, 'owed')}
    WHERE a.id = ${accountId(cause.investor, 'available')} AND ${where}`)
}
