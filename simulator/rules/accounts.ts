import { noneSince, noneSinceTime, type Rules } from './rule.ts'

const HOUR_MS = 3_600_000

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

  /** What was approved before a stop of payouts is paid only after a new approval. */
  stopsTakeApprovalsBack: noneSinceTime(`
    SELECT e.request, s.cause FROM request_events e JOIN requests r ON r.id = e.request AND r.queue = 'withdrawals'
    JOIN payout_stops s ON s.investor = r.investor AND s.at BETWEEN r.created_at AND e.at
    WHERE e.at > ?1 AND e.status = 'completed' AND NOT EXISTS (
      SELECT 1 FROM request_events a WHERE a.request = e.request AND a.status = 'approved' AND a.at >= s.at)`),

  /** Lost second factors are removed 72 hours after two reviewers agreed, and not before. */
  recoveriesTakeThreeDays: noneSince(
    'audit_log',
    `SELECT l.subject, p.proposed_by, p.decided_by FROM audit_log l
    LEFT JOIN factor_recoveries f ON f.investor = l.subject AND f.outcome = 'completed' AND f.ended_at = l.at
    LEFT JOIN proposals p ON p.id = f.proposal
    WHERE l.seq > ?1 AND l.action = 'factor_recovery.completed'
      AND (p.status IS NOT 'approved' OR p.decided_by = p.proposed_by OR l.at < p.decided_at + ${72 * HOUR_MS})`,
  ),
}
