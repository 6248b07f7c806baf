import { type SQL, sql } from 'drizzle-orm'
import { DAY_MS } from '../../../src/time.ts'
import { type StopCause, type StopScope, stopPayouts } from '../../ledger/stopPayouts.ts'
import type { Statement } from '../../lib/database.ts'

/** How long an intruder may have been in an account before its owner notices. A lock link works as long. */
const SUSPECT_DAYS = 7

/** Whose account is not to be trusted as it is, and why. */
export interface SuspectAccount {
  readonly userId: string
  readonly cause: StopCause
  /** The session that proved itself with the change. Its actions stay. */
  readonly keepSession?: string | undefined
  readonly nowMs: number
}

/**
 * Undoes what an intruder can leave behind in an account: `PLANTED` lists every place. Part of every reset of the password,
 * lock, change of password, factor or address, and recovery, in the same batch and after the change itself. It also counts as a
 * security change, after which withdrawals need extra proof.
 * @param sinceMs destinations that were paid before this time stay
 */
export function distrust(
  distrusted: SuspectAccount,
  sinceMs = distrusted.nowMs - SUSPECT_DAYS * DAY_MS,
): Statement[] {
  const at: Moment = { ...distrusted, keepSession: distrusted.keepSession ?? '', sinceMs }
  return Object.values(PLANTED).map((undo) => undo(at))
}

interface Moment {
  readonly userId: string
  readonly cause: StopCause
  readonly keepSession: string
  readonly nowMs: number
  readonly sinceMs: number
}

/**
 * Every table in which an intruder can plant something, and what undoes it. A test requires each table with a column for a
 * person here or in `NOT_PLANTED`.
 */
export const PLANTED: Readonly<Record<string, (at: Moment) => Statement>> = {
  // Cancels withdrawals and takes back approvals. A new address also takes back those of the session that asked for it.
  payout_stops: ({ userId, cause, keepSession, nowMs }) =>
    stopPayouts(
      userId,
      cause,
      nowMs,
      keepSession === '' || cause === 'email_changed' ? {} : { keptSession: keepSession },
    ),
  // The kept session's browser stays known.
  devices: ({ userId, keepSession }) =>
    sql`DELETE FROM devices
      WHERE user_id = ${userId} AND device_hash IS NOT (SELECT device_hash FROM sessions WHERE id = ${keepSession})`,
  sessions: ({ userId, keepSession, nowMs }) => endSessions(userId, nowMs, keepSession),
  // Also a plan that only invests: it takes the owner's money where the owner did not want it.
  plans: ({ userId, keepSession, sinceMs, nowMs }) =>
    endPlans(sql`investor = ${userId} AND changed_at >= ${sinceMs} AND session_id <> ${keepSession}`, nowMs),
  read_keys: ({ userId, nowMs }) => revokeKeys(userId, nowMs),
  // A planted entry would be paid by its owner later.
  saved_addresses: (at) =>
    sql`DELETE FROM saved_addresses WHERE investor = ${at.userId} AND NOT ${isBorneOut('saved_addresses', at)}`,
  known_destinations: (at) =>
    sql`DELETE FROM known_destinations WHERE investor = ${at.userId} AND NOT ${isBorneOut('known_destinations', at)}`,
  // Also if it is off by now: nobody but its owner shortens the 48 hours.
  destination_locks: ({ userId, keepSession, sinceMs }) =>
    sql`UPDATE destination_locks SET off_asked_at = NULL, off_session = NULL
      WHERE investor = ${userId} AND off_asked_at >= ${sinceMs} AND off_session <> ${keepSession}`,
  withdrawal_codes: ({ userId, nowMs }) =>
    sql`UPDATE withdrawal_codes SET expires_at = ${nowMs}
      WHERE investor = ${userId} AND used_at IS NULL AND expires_at > ${nowMs}`,
  email_tokens: ({ userId, nowMs }) =>
    sql`UPDATE email_tokens SET used_at = ${nowMs}
      WHERE user_id = ${userId} AND used_at IS NULL AND expires_at > ${nowMs}`,
  email_changes: ({ userId, nowMs }) => cancelPendingEmailChange(userId, nowMs),
  // An app that was set up and never confirmed. One that is on took the password and a mailed code.
  second_factors: ({ userId }) =>
    sql`DELETE FROM second_factors WHERE user_id = ${userId} AND enabled_at IS NULL`,
  passkey_challenges: ({ userId }) =>
    sql`DELETE FROM passkey_challenges WHERE user_id = ${userId} AND used_at IS NULL`,
  // A filed one ends. The code of one that is not filed runs out.
  factor_recoveries: ({ userId, nowMs }) =>
    sql`UPDATE factor_recoveries SET
        ended_at = CASE WHEN filed_at IS NOT NULL THEN ${nowMs} END,
        outcome = CASE WHEN filed_at IS NOT NULL THEN 'stopped' END,
        expires_at = CASE WHEN filed_at IS NULL THEN min(expires_at, ${nowMs}) END
      WHERE investor = ${userId} AND ended_at IS NULL`,
  preferences: ({ userId, sinceMs, nowMs }) =>
    sql`UPDATE preferences SET unusual_activity = 1, activity_log = 1, changed_at = ${nowMs}
      WHERE user_id = ${userId} AND changed_at >= ${sinceMs} AND (unusual_activity = 0 OR activity_log = 0)`,
  // Networks that were used before no longer keep a sign-in from being mailed, and withdrawals need extra proof.
  users: ({ userId, nowMs }) =>
    sql`UPDATE users SET security_changed_at = max(coalesce(security_changed_at, 0), ${nowMs}) WHERE id = ${userId}`,
}

const BOOKS = 'the books: what moves money out is stopped by payout_stops'
const OPERATORS = 'written by operators about their own work'
const BY_OTHERS = 'written by the platform or by operators, not by the account'

/** Tables with a column for a person that need no undoing, each with the reason. */
export const NOT_PLANTED: Readonly<Record<string, string>> = {
  tax_details: 'moves nothing, and its owner sees it in the profile',
  gain_years: 'decides how gains are reported and moves nothing',
  screenings: 'written by the platform alone',
  sanctions_hits: OPERATORS,
  accounts: BOOKS,
  balance_checkpoints: BOOKS,
  requests: BOOKS,
  request_events: BOOKS,
  credit_approvals: BOOKS,
  withdrawn_approvals: BOOKS,
  withdrawn_payout_approvals: BOOKS,
  unit_orders: BOOKS,
  position_stops: 'turns units into money of the same account, and its owner is mailed when it does',
  unit_movements: BOOKS,
  positions: BOOKS,
  position_history: BOOKS,
  transfers: BOOKS,
  payments: BOOKS,
  unknown_receipts: BOOKS,
  owner_proofs: 'a proof counts only after the last security change, which users has',
  deposit_addresses: 'addresses of the company, to which deposits may still arrive',
  liability_leaves: BOOKS,
  referral_bonuses: BOOKS,
  lock_liftings: OPERATORS,
  reviewer_keys: OPERATORS,
  operator_invitations: OPERATORS,
  notification_sends: OPERATORS,
  case_assignments: OPERATORS,
  case_holds: OPERATORS,
  handover_notes: OPERATORS,
  handover_reads: OPERATORS,
  investor_notes: OPERATORS,
  silent_freezes: OPERATORS,
  proposals: OPERATORS,
  notifications: BY_OTHERS,
  received_notifications: BY_OTHERS,
  activity: 'what happened, for its owner to read',
  code_failures: 'wrong codes keep counting against whoever guesses',
  recovery_codes:
    'issued with a factor, which took the password and a mailed code; a reset must not weaken the factor',
  passkeys:
    'added with the password and a mailed code; a reset must not let a reader of the mailbox remove a factor',
  kyc_looks: OPERATORS,
  kyc_submissions: 'a reviewer compares the document with the person before it counts',
  contact_messages: 'read by operators, who act on nothing without a decision of their own',
  thread_entries: 'read by operators, who act on nothing without a decision of their own',
  registrations: 'of an address that has no account yet: the link of one drops the others',
  newsletter_subscribers: 'has its own consent, and names an address, not an account',
  idempotency:
    'answers of calls that were made: without them, a repeated call could file a second withdrawal',
}

/** Ends the plans of a session that its owner ended as not their own, or of all sessions but the kept one. */
export function endPlansOfSessions(
  userId: string,
  { endedSession, keptSession }: StopScope,
  nowMs: number,
): Statement {
  const isEnded =
    endedSession === undefined ? sql`session_id <> ${keptSession ?? ''}` : sql`session_id = ${endedSession}`
  return endPlans(sql`investor = ${userId} AND ${isEnded}`, nowMs)
}

/** Ends the plans of a closed account. */
export function endAllPlans(userId: string, nowMs: number): Statement {
  return endPlans(sql`investor = ${userId}`, nowMs)
}

/** Ends plans; a trigger cancels their announced dates. */
function endPlans(where: SQL, nowMs: number): Statement {
  return sql`UPDATE plans SET status = 'ended', reason = 'ended_for_safety', status_at = ${nowMs}, destination = NULL
    WHERE status <> 'ended' AND ${where}`
}

/** Ends a user's live sessions, except `keep`. */
export function endSessions(userId: string, nowMs: number, keep = ''): Statement {
  return sql`UPDATE sessions SET ended_at = ${nowMs} WHERE user_id = ${userId} AND ended_at IS NULL AND id <> ${keep}`
}

/** Revokes every key for programs and every guest link of an investor. */
export function revokeKeys(userId: string, nowMs: number): Statement {
  return sql`UPDATE read_keys SET revoked_at = ${nowMs} WHERE investor = ${userId} AND revoked_at IS NULL`
}

/** Ends one session, if it is live. */
export function endSession(id: string, nowMs: number): Statement {
  return sql`UPDATE sessions SET ended_at = ${nowMs} WHERE id = ${id} AND ended_at IS NULL`
}

/** Cancels the user's pending change of e-mail address: its links stop working. */
export function cancelPendingEmailChange(userId: string, nowMs: number): Statement {
  return sql`UPDATE email_changes SET ended_at = ${nowMs} WHERE user_id = ${userId} AND ended_at IS NULL`
}

/** SQL: whether a destination was paid before `sinceMs`, or the kept session withdrew to it. */
function isBorneOut(table: string, { userId, keepSession, sinceMs }: Moment): SQL {
  return sql`EXISTS (
    SELECT 1 FROM requests r JOIN withdrawal_details d ON d.request = r.id
    WHERE r.investor = ${userId} AND r.queue = 'withdrawals' AND d.destination_hash = ${sql.raw(table)}.destination_hash
      AND (d.session_id = ${keepSession} OR (r.status = 'completed' AND EXISTS (
        SELECT 1 FROM request_events e WHERE e.request = r.id AND e.status = 'completed' AND e.at < ${sinceMs}))))`
}

/** The text of a mail about everything else that a change undid. */
export const DISTRUST_WORDS = `We also ended other sessions, revoked all keys for programs and guest links, forgot other browsers, cancelled withdrawals that other sessions requested, ended recurring plans that other sessions made or changed in the last ${SUSPECT_DAYS} days, and removed saved addresses and confirmed destinations to which nothing was paid more than ${SUSPECT_DAYS} days ago. Warnings that were turned off in these ${SUSPECT_DAYS} days are on again, and a request of these days to pay destinations that are not saved is cancelled.`
