import { atLast, none, noneSince, noneSinceTime, overdueMs, type Rule, type Rules } from './rule.ts'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
/** What else confirmed a destination before a withdrawal `r`: a redemption that withdraws its proceeds, or a plan that withdraws. */
const CONFIRMED_BEFORE = `
  SELECT 1 FROM audit_log l WHERE l.actor = r.investor AND l.at <= r.created_at AND (
    (l.action = 'redemption.requested' AND json_extract(l.detail, '$.withdraws') = 1)
    OR (l.action IN ('plan.created', 'plan.changed', 'plan.resumed') AND json_extract(l.detail, '$.kind') = 'withdraw'))`

export const PROMISE_RULES: Rules = {
  /** A new destination without a second factor is paid a day after it was asked for: not earlier, and not later. */
  newDestinationsWaitADay: noneSince(
    'requests',
    `SELECT r.ref, r.created_at, d.held_until FROM requests r JOIN withdrawal_details d ON d.request = r.id
    WHERE r.seq > ?1 AND NOT EXISTS (SELECT 1 FROM unit_orders o WHERE o.withdrawal = r.id) AND (
      d.held_until > r.created_at + ${DAY_MS}
      OR (d.proof IN ('none', 'email') AND d.held_until IS NOT r.created_at + ${DAY_MS}
        AND NOT EXISTS (
          SELECT 1 FROM requests e JOIN withdrawal_details f ON f.request = e.id
          WHERE e.investor = r.investor AND f.destination_hash = d.destination_hash AND e.seq < r.seq)
        AND NOT EXISTS (${CONFIRMED_BEFORE})))`,
  ),

  /** Nothing is paid before its delay is over. */
  delaysAreKept: noneSinceTime(`
    SELECT e.request FROM request_events e JOIN withdrawal_details d ON d.request = e.request
    WHERE e.at > ?1 AND e.status = 'completed' AND d.held_until > e.at`),

  /** A new destination is paid only with extra proof. */
  newDestinationsNeedProof: noneSince(
    'requests',
    `SELECT r.ref FROM requests r JOIN withdrawal_details d ON d.request = r.id
    WHERE r.seq > ?1 AND d.proof = 'none' AND NOT EXISTS (
      SELECT 1 FROM requests e JOIN withdrawal_details f ON f.request = e.id
      WHERE e.investor = r.investor AND f.destination_hash = d.destination_hash AND e.seq < r.seq)
      AND NOT EXISTS (${CONFIRMED_BEFORE})`,
  ),

  /** No money moves for somebody whose identity was not approved. */
  onlyIdentifiedPeopleMoveMoney: noneSince(
    'requests',
    `SELECT r.ref FROM requests r
    WHERE r.seq > ?1 AND NOT EXISTS (
      SELECT 1 FROM kyc_submissions k
      WHERE k.user_id = r.investor AND k.status = 'approved' AND k.decided_at <= r.created_at)`,
  ),

  /** An order ends soon after its price is fixed. */
  everyOrderEnds: async (at) => {
    const [late] = await at.world.database.rows<{ ref: string }>(
      `SELECT ref FROM unit_orders WHERE status = 'pending' AND created_at < ?1`,
      overdueMs(at) - DAY_MS,
    )
    return late === undefined ? null : `${late.ref} still waits`
  },

  /** The withdrawal of a redemption's proceeds is filed soon after it is settled. */
  proceedsGoOn: async (at) => {
    const [late] = await at.world.database.rows<{ ref: string }>(
      `SELECT ref FROM unit_orders WHERE status = 'settled' AND onward IS NOT NULL AND onward_at IS NULL AND decided_at < ?1`,
      overdueMs(at),
    )
    return late === undefined ? null : `${late.ref} is settled and was not withdrawn`
  },

  /** Every request that was accepted has ended. */
  everyRequestEnds: atLast(
    none(`SELECT ref, queue, status FROM requests
      WHERE status IN ('pending', 'approved') AND NOT (queue = 'deposits' AND status = 'approved')`),
  ),

  /** A new password ends all sessions, except the one that set it. */
  newPasswordsEndSessions: noneSince(
    'audit_log',
    `SELECT l.actor, l.action, count(*) AS sessions FROM audit_log l
    JOIN sessions s ON s.user_id = l.subject AND s.created_at < l.at AND coalesce(s.ended_at, l.at + 1) > l.at
      AND s.expires_at > l.at
    WHERE l.seq > ?1 AND l.action IN ('password.changed', 'password.reset', 'account.locked')
    GROUP BY l.seq HAVING count(*) > iif(l.action = 'password.changed', 1, 0)`,
  ),

  /** Cron runs every job, whatever another one does. The simulator runs the self-checks less often. */
  everyJobRuns: async (at) => {
    const [idle] = await at.world.database.rows<{ name: string; at: number }>(
      "SELECT name, at FROM cron_work WHERE at < ?1 AND name <> 'selfCheck'",
      overdueMs(at),
    )
    return idle === undefined ? null : `${idle.name} last ran at ${new Date(idle.at).toISOString()}`
  },

  noJobFailsInCalm,

  /** Nothing that a self-check finds. Its check of the schema would find every planted change of a trigger by its text alone. */
  // Nobody here books conversions, so a payout in another coin leaves a place below zero. `custody` checks its sums.
  noSelfCheckFails: none(
    `SELECT name, finding FROM self_checks WHERE ok = 0 AND name <> 'schema' AND NOT (name = 'treasury' AND finding LIKE '%below zero')`,
  ),
}

/** Without failures from outside, no job of cron fails. */
async function noJobFailsInCalm({ world }: Parameters<Rule>[0]): Promise<string | null> {
  if (!world.isCalm()) return null
  const [failed] = await world.database.rows<{ name: string; error: string }>(
    'SELECT name, error FROM cron_work WHERE error IS NOT NULL',
  )
  return failed === undefined ? null : `${failed.name}: ${failed.error}: ${world.logs.at(-1)}`
}
