import { type SQL, sql } from 'drizzle-orm'
import type { Statement } from '../lib/database.ts'

/** Why payouts are stopped: rows of `payout_stop_causes`, which has the words of each. */
export type StopCause = 'password_reset' | 'account_locked' | 'email_changed'

/**
 * Stops what is on its way out of an investor's account, in one statement; for anybody else it does nothing. Approved withdrawals
 * go back to a decision and stay held. A reset password and a lock also cancel the pending ones, whose holds are released, and
 * keep in the account what redemptions were to send on: the redemptions themselves go on.
 */
export function stopPayouts(userId: string, cause: StopCause, nowMs: number): Statement {
  return sql`
    INSERT INTO payout_stops (investor, cause, at)
    SELECT id, ${cause}, ${nowMs} FROM users WHERE id = ${userId} AND role = 'investor'`
}

/** SQL: how many withdrawals and redemptions with an onward withdrawal a stop would meet. `userId` is a column. */
export function countOutgoing(userId: SQL): SQL<number> {
  return sql<number>`(
    (SELECT count(*) FROM requests WHERE investor = ${userId} AND queue = 'withdrawals'
      AND status IN ('pending', 'approved') AND NOT (queue = 'deposits' AND status = 'approved'))
    + (SELECT count(*) FROM unit_orders WHERE investor = ${userId} AND status = 'pending' AND +onward IS NOT NULL)
    + (SELECT count(*) FROM unit_orders WHERE +investor = ${userId} AND status = 'settled'
        AND onward IS NOT NULL AND onward_at IS NULL))`
}

/** What a mail about a reset or a lock says of it, where anything was on its way out. */
export function stoppedWords(outgoing: number): string[] {
  if (outgoing === 0) return []
  return [
    'Withdrawals that were pending were cancelled, and their money is available again. Approved ones wait for a new decision. What a redemption was to send on stays in the account.',
  ]
}
