import { type SQL, sql } from 'drizzle-orm'
import type { Statement } from '../lib/database.ts'

/** Why payouts are stopped: rows of `payout_stop_causes`, which has the words. */
export type StopCause = 'password_reset' | 'account_locked' | 'email_changed'

/**
 * Stops an investor's payouts in one statement; for operators it does nothing. Approved withdrawals go back to a decision
 * and stay held. A password reset and a lock also cancel pending ones and release their holds, and keep the proceeds of
 * redemptions in the account; the redemptions themselves go on. A repeated lock stops nothing more: nothing can be filed meanwhile,
 * and it would cancel the withdrawals whose approval the first one took back.
 */
export function stopPayouts(userId: string, cause: StopCause, nowMs: number): Statement {
  return sql`
    INSERT INTO payout_stops (investor, cause, at)
    SELECT id, ${cause}, ${nowMs} FROM users
    WHERE id = ${userId} AND role = 'investor' AND (${cause} <> 'account_locked' OR locked_at IS NULL)`
}

/**
 * Forgets the destinations to which nothing was ever paid, after a password reset or a lock: a thief may have confirmed them. A
 * withdrawal to one of them needs proof and its delay again.
 */
export function forgetUnpaidDestinations(userId: string): Statement {
  return sql`
    DELETE FROM known_destinations WHERE investor = ${userId} AND NOT EXISTS (
      SELECT 1 FROM requests r JOIN withdrawal_details d ON d.request = r.id
      WHERE r.investor = known_destinations.investor AND r.status = 'completed'
        AND d.destination_hash = known_destinations.destination_hash)`
}

/** SQL: how many withdrawals, and redemptions with a withdrawal to follow, a stop would affect. `userId` is a column. */
export function countOutgoing(userId: SQL): SQL<number> {
  return sql<number>`(
    (SELECT count(*) FROM requests WHERE investor = ${userId} AND queue = 'withdrawals'
      AND status IN ('pending', 'approved') AND NOT (queue = 'deposits' AND status = 'approved'))
    + (SELECT count(*) FROM unit_orders WHERE investor = ${userId} AND status = 'pending' AND +onward IS NOT NULL)
    + (SELECT count(*) FROM unit_orders WHERE +investor = ${userId} AND status = 'settled'
        AND onward IS NOT NULL AND onward_at IS NULL))`
}

/** What a mail about a reset or a lock says about stopped payouts. */
export function stoppedWords(outgoing: number): string[] {
  if (outgoing === 0) return []
  return [
    'We cancelled your pending withdrawals, and their money is available again. Approved withdrawals need a new decision. Proceeds of redemptions stay in your account.',
  ]
}
