import { none, noneSince, noneSinceTime, overdueMs, type Rules } from './rule.ts'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
/** A request records the time at which it began, and may take effect so much later. The clock may be set back so much. */
const SLOW_MS = 600_000
/** SQL: stops after which nothing that was planted before may work. A change of address comes from a session of its own. */
const DISTRUSTING = `(
  SELECT seq, investor, at, coalesce(kept_session, '') AS kept FROM payout_stops
  WHERE cause NOT IN ('session_ended', 'email_changed'))`
/** When the newest change before the audit line `l` stopped recoveries of its subject, or 0. */
const LAST_CHANGE = `coalesce((
  SELECT max(c.at) FROM audit_log c WHERE c.subject = l.subject AND c.seq < l.seq
    AND c.action IN ('password.changed', 'password.reset', 'email.changed', 'account.locked', 'factor_recovery.completed')), 0)`

/** Whether an investor had locked the account before the audit line `l`, and nobody had lifted that lock. */
function isLocked(investor: string): string {
  return `'account.locked' = (
    SELECT c.action FROM audit_log c
    WHERE c.subject = ${investor} AND c.seq < l.seq AND c.action IN ('account.locked', 'investor.unfrozen')
    ORDER BY c.seq DESC LIMIT 1)`
}

export const ACCOUNT_RULES: Rules = {
  /** For 72 hours after a change of what protects an account, every withdrawal needs proof, and a new destination waits a day. */
  changesDelayPayouts: noneSince(
    'requests',
    `SELECT r.ref, d.proof, d.held_until FROM requests r JOIN withdrawal_details d ON d.request = r.id
    JOIN audit_log l ON l.subject = r.id AND l.action = 'withdrawal.requested' AND l.actor = r.investor
    WHERE r.seq > ?1 AND EXISTS (
      SELECT 1 FROM audit_log c WHERE c.subject = r.investor AND c.seq < l.seq AND c.at > r.created_at - ${72 * HOUR_MS}
        AND c.action IN ('password.changed', 'password.reset', 'email.changed', 'two_factor.enabled', 'two_factor.disabled',
          'two_factor.recovery_codes_renewed', 'factor_recovery.completed'))
      AND (d.proof = 'none'
        OR (coalesce(d.held_until, 0) < r.created_at + ${24 * HOUR_MS} AND NOT EXISTS (
          SELECT 1 FROM requests e JOIN withdrawal_details f ON f.request = e.id
          WHERE e.investor = r.investor AND f.destination_hash = d.destination_hash AND e.seq < r.seq)))`,
  ),

  /** After a reset or a lock, a destination to which nothing was paid is new again: its withdrawal takes proof and a day. */
  stopsForgetDestinations: noneSince(
    'requests',
    `SELECT r.ref, d.proof, d.held_until FROM requests r JOIN withdrawal_details d ON d.request = r.id
    JOIN audit_log l ON l.subject = r.id AND l.action = 'withdrawal.requested' AND l.actor = r.investor
    JOIN audit_log c ON c.seq = (
      SELECT max(seq) FROM audit_log
      WHERE subject = r.investor AND seq < l.seq AND action IN ('password.reset', 'account.locked'))
    WHERE r.seq > ?1 AND d.proof IN ('none', 'email') AND (d.proof = 'none' OR d.held_until IS NULL) AND NOT EXISTS (
      SELECT 1 FROM requests e JOIN withdrawal_details f ON f.request = e.id
      JOIN audit_log m ON m.subject = e.id AND m.action = 'withdrawal.requested'
      WHERE e.investor = r.investor AND f.destination_hash = d.destination_hash AND e.seq < r.seq
        AND (m.seq > c.seq OR e.status IN ('completed', 'reversed')))`,
  ),

  /** What was approved before a stop of payouts is paid only after a new approval. */
  stopsTakeApprovalsBack: noneSinceTime(`
    SELECT e.request, s.cause FROM request_events e JOIN requests r ON r.id = e.request AND r.queue = 'withdrawals'
    JOIN payout_stops s ON s.investor = r.investor AND s.at BETWEEN r.created_at AND e.at
    WHERE e.at > ?1 AND e.status = 'completed' AND NOT EXISTS (
      SELECT 1 FROM request_events a WHERE a.request = e.request AND a.status = 'approved' AND a.at >= s.at)
      AND NOT EXISTS (
        SELECT 1 FROM withdrawal_details d
        WHERE d.request = e.request AND (d.session_id = s.kept_session OR d.session_id <> s.ended_session))`),

  /** A stop ends all sessions but the one that proved itself. */
  stopsEndSessions: none(`
    SELECT s.user_id, p.seq FROM sessions s JOIN ${DISTRUSTING} p ON p.investor = s.user_id
    WHERE s.ended_at IS NULL AND s.created_at < p.at - ${SLOW_MS} AND s.id <> p.kept`),

  /** A stop forgets all browsers but that of the session that proved itself. */
  stopsForgetBrowsers: none(`
    SELECT d.user_id, p.seq FROM devices d JOIN ${DISTRUSTING} p ON p.investor = d.user_id
    WHERE d.first_seen_at < p.at - ${SLOW_MS}
      -- Old sessions are deleted, and a restored backup has none.
      AND (p.kept = '' OR EXISTS (SELECT 1 FROM sessions s WHERE s.id = p.kept AND s.device_hash IS NOT d.device_hash))`),

  /** A stop removes saved addresses, unless one was paid a week before, or the session that proved itself withdrew to it. */
  stopsRemoveSavedAddresses: none(`
    SELECT s.investor, s.label, p.seq FROM saved_addresses s JOIN ${DISTRUSTING} p ON p.investor = s.investor
    WHERE s.created_at < p.at - ${SLOW_MS} AND NOT EXISTS (
      SELECT 1 FROM requests r JOIN withdrawal_details d ON d.request = r.id
      WHERE r.investor = s.investor AND d.destination_hash = s.destination_hash AND (d.session_id = p.kept OR EXISTS (
        SELECT 1 FROM request_events e WHERE e.request = r.id AND e.status = 'completed' AND e.at < p.at - ${7 * DAY_MS})))`),

  /** A stop that cancels leaves no withdrawal of other sessions pending. */
  stopsCancelWithdrawals: none(`
    SELECT r.ref, p.seq FROM requests r JOIN ${DISTRUSTING} p ON p.investor = r.investor AND p.at > r.created_at + ${SLOW_MS}
    WHERE r.queue = 'withdrawals' AND r.status = 'pending'
      AND NOT EXISTS (SELECT 1 FROM withdrawal_details d WHERE d.request = r.id AND d.session_id = p.kept)
      -- An approved one waits for a new decision.
      AND NOT EXISTS (SELECT 1 FROM withdrawn_payout_approvals w WHERE w.request = r.id AND w.stop >= p.seq)`),

  /** Nobody signs in to an account whose lock was not lifted. */
  lockedAccountsStayOut: noneSinceTime(`
    SELECT s.user_id, s.created_at FROM sessions s
    WHERE s.created_at > ?1 AND 'account.locked' = (
      SELECT c.action FROM audit_log c
      WHERE c.subject = s.user_id AND (
        (c.action = 'account.locked' AND c.at < s.created_at - ${SLOW_MS}) OR (c.action = 'investor.unfrozen' AND c.at <= s.created_at))
      ORDER BY c.seq DESC LIMIT 1)`),

  /** An account is opened by a link that is a day old at most, and has a mailbox from then on. */
  linksOpenAccountsForADay: none(`
    SELECT email FROM users
    WHERE role = 'investor' AND (email_verified_at IS NULL OR created_at - terms_accepted_at NOT BETWEEN 0 AND ${DAY_MS})`),

  /** A registration whose link was not opened is deleted. */
  registrationsEnd: async (at) => {
    const [kept] = await at.world.database.rows<{ email: string }>(
      'SELECT email FROM registrations WHERE created_at < ?1',
      overdueMs(at) - DAY_MS,
    )
    return kept === undefined ? null : `the registration of ${kept.email} is still there`
  },

  /** Lost second factors are removed 72 hours after two reviewers agreed, and not before. */
  recoveriesTakeThreeDays: noneSince(
    'audit_log',
    `SELECT l.subject FROM audit_log l
    WHERE l.seq > ?1 AND l.action = 'factor_recovery.completed' AND NOT EXISTS (
      SELECT 1 FROM proposals p
      WHERE p.kind = 'factor_recovery' AND p.investor = l.subject AND p.status = 'approved' AND p.decided_by <> p.proposed_by
        AND p.decided_at BETWEEN ${LAST_CHANGE} AND l.at - ${72 * HOUR_MS})`,
  ),

  /** After its owner locked an account, nothing is invested, asked for or paid until two operators lift the lock. */
  lockedAccountsMoveNothing: noneSince(
    'audit_log',
    `SELECT l.action, l.subject FROM audit_log l LEFT JOIN requests r ON r.id = l.subject
    WHERE l.seq > ?1 AND l.action IN ('withdrawal.completed', 'withdrawal.requested', 'allocation.requested', 'deposit.requested')
      AND ${isLocked('coalesce(r.investor, l.actor)')}`,
  ),

  /** A lock is lifted by two operators. */
  locksTakeTwoToLift: noneSince(
    'audit_log',
    `SELECT l.subject FROM audit_log l
    WHERE l.seq > ?1 AND l.action = 'investor.unfrozen' AND ${isLocked('l.subject')} AND NOT EXISTS (
      SELECT 1 FROM lock_liftings a JOIN lock_liftings b ON b.investor = a.investor AND b.locked_at = a.locked_at
      WHERE a.investor = l.subject AND a.step = 1 AND b.step = 2 AND a.operator <> b.operator
        AND b.operator = l.actor AND b.at = l.at)`,
  ),

  /** A withdrawal that its investor reported in time as filed by a thief is never paid. */
  thiefGetsNothing: async ({ world, model }) => {
    for (const [id, reportedAtMs] of model.reported) {
      // An owner who gets no mail for more than a day reports it too late.
      const [paid] = await world.database.rows<{ ref: string }>(
        `SELECT r.ref FROM requests r JOIN request_events e ON e.request = r.id AND e.status = 'completed'
         WHERE r.id = ?1 AND r.status = 'completed' AND (e.at >= ?2 OR e.at < r.created_at + ${DAY_MS})`,
        id,
        reportedAtMs,
      )
      if (paid !== undefined) return `${paid.ref} was paid to a thief`
    }
    return null
  },

  /** A closed account has no money, owes nothing and has nothing open. */
  closedAccountsAreEmpty: none(`
    SELECT u.email, a.kind, a.balance FROM users u JOIN accounts a ON a.owner = u.id
    WHERE u.closed_at IS NOT NULL AND a.balance <> 0
      AND a.kind IN ('available', 'held', 'allocating', 'invested', 'owed')
    UNION ALL
    SELECT u.email, r.ref, r.amount FROM users u JOIN requests r ON r.investor = u.id
    WHERE u.closed_at IS NOT NULL AND r.status IN ('pending', 'approved')
      AND NOT (r.queue = 'deposits' AND r.status = 'approved')
    UNION ALL
    SELECT u.email, 'session', 1 FROM users u JOIN sessions s ON s.user_id = u.id
    WHERE u.closed_at IS NOT NULL AND s.ended_at IS NULL`),
}
