import { type SQL, sql } from 'drizzle-orm'
import type { Statement } from '../lib/database.ts'

/** Why payouts are stopped: rows of `payout_stop_causes`, which has the words. */
export type StopCause =
  | 'password_reset'
  | 'account_locked'
  | 'factors_removed'
  | 'email_changed'
  | 'password_changed'
  | 'factor_changed'
  | 'session_ended'

/** Which withdrawals a stop concerns: all, all but those of one session, or those of one session. */
export type StopScope =
  | { readonly keptSession?: string; readonly endedSession?: undefined }
  | { readonly endedSession: string; readonly keptSession?: undefined }

/**
 * Stops an investor's payouts in one statement; for operators it has no effect. Approved withdrawals go back to a decision
 * and stay held. Every cause but a new address also cancels pending ones and releases their holds, and keeps the proceeds of
 * redemptions in the account; the redemptions themselves go on. A repeated lock has no effect: an investor cannot file requests
 * meanwhile, and a second stop would cancel the withdrawals whose approval the first one took back.
 */
export function stopPayouts(
  userId: string,
  cause: StopCause,
  nowMs: number,
  { keptSession, endedSession }: StopScope = {},
): Statement {
  return sql`
    INSERT INTO payout_stops (investor, cause, at, ended_session, kept_session)
    SELECT id, ${cause}, ${nowMs}, ${endedSession ?? null}, ${keptSession ?? null} FROM users
    WHERE id = ${userId} AND role = 'investor' AND (${cause} <> 'account_locked' OR locked_at IS NULL)`
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

/** The sentences about stopped payouts in a mail about a reset or a lock. */
export function describeStoppedPayouts(outgoing: number): string[] {
  if (outgoing === 0) return []
  return [
    'We cancelled your pending withdrawals, and their money is available again. Approved withdrawals need a new decision. Proceeds of redemptions stay in your account.',
  ]
}
