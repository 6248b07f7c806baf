import { noneSince, noneSinceTime, type Rule, type Rules } from './rule.ts'
import { settingsDecided } from './settings.ts'

/** The highest value that two administrators ever gave a setting, in cents; its default if they gave none. */
export function highest(setting: string, byDefault: number): string {
  return `max(${byDefault}, coalesce((
    SELECT max(json_extract(payload, '$.${setting}')) FROM proposals WHERE kind = 'settings' AND status = 'approved'), 0))`
}

/** A day's decisions of one operator alone, summed at each decision. `by` groups them. */
function aloneWithinADay(by: string, limit: (queue: string) => string): string {
  return `
    WITH alone AS (
      SELECT e.actor, e.at, r.queue, r.investor, e.amount FROM request_events e JOIN requests r ON r.id = e.request
      LEFT JOIN request_events a ON a.request = e.request AND a.status = 'approved' AND r.queue = 'withdrawals'
      WHERE e.at > ?1 - 86400000 AND (
        (r.queue = 'deposits' AND e.status = 'approved' AND e.second_operator IS NULL)
        OR (r.queue = 'withdrawals' AND e.status = 'completed' AND a.actor = e.actor))),
    summed AS (
      SELECT actor, queue, at, sum(amount) OVER (
        PARTITION BY ${by} ORDER BY at RANGE BETWEEN 86399999 PRECEDING AND CURRENT ROW) AS sum
      FROM alone)
    SELECT actor, queue, at, sum FROM summed
    WHERE at > ?1 AND sum > iif(queue = 'deposits', ${limit('deposits')}, ${limit('withdrawals')})`
}

export const OPERATOR_RULES: Rules = {
  /** One operator alone pays or credits one investor at most $5,000 a day. */
  largeAmountsTakeTwo: noneSinceTime(
    aloneWithinADay('actor, queue, investor', () => highest('twoPersonLimit', 500_000)),
  ),

  /** One operator alone credits, and pays out, at most $25,000 a day. */
  ownCeilingHolds: noneSinceTime(
    aloneWithinADay('actor, queue', (queue) =>
      highest(`dailyCeilings.${queue === 'deposits' ? 'creditsAlone' : 'payoutsAlone'}`, 2_500_000),
    ),
  ),

  /** More than the investor asked for is credited by two operators. */
  raisedCreditsTakeTwo: noneSinceTime(`
    SELECT e.request FROM request_events e JOIN requests r ON r.id = e.request
    WHERE e.at > ?1 AND r.queue = 'deposits' AND e.status = 'approved' AND e.amount > r.asked
      AND (e.second_operator IS NULL OR e.second_operator = e.actor)`),

  /** A quantity that differs from the market price by more than 2 % is stated by two operators. */
  unusualQuantitiesTakeTwo: noneSinceTime(`
    SELECT e.request FROM request_events e JOIN requests r ON r.id = e.request
    WHERE e.at > ?1 AND r.queue = 'deposits' AND e.status = 'approved' AND e.second_operator IS NULL
      AND (e.units_at_rate IS NULL OR abs(e.units - e.units_at_rate) * 50 > e.units_at_rate)
    UNION ALL
    SELECT e.request FROM request_events e JOIN request_events a ON a.request = e.request AND a.status = 'approved' AND a.actor = e.actor
    WHERE e.at > ?1 AND e.status = 'completed'
      AND (e.units_at_rate IS NULL OR abs(e.units - e.units_at_rate) * 50 > e.units_at_rate) AND e.units IS NOT NULL`),

  /** What somebody decided despite a high risk is credited or paid by two operators, and so is a receipt that was credited before. */
  highRiskTakesTwo: noneSinceTime(`
    SELECT e.request FROM request_events e JOIN requests r ON r.id = e.request
    JOIN audit_log l ON l.action = 'risk.accepted' AND l.subject = e.request
    WHERE e.at > ?1 AND e.second_operator IS NULL AND (e.status = 'completed' OR (r.queue = 'deposits' AND e.status = 'approved'))
    UNION ALL
    SELECT e.request FROM request_events e JOIN deposit_details d ON d.request = e.request
    JOIN deposit_details o ON o.receipt_hash = d.receipt_hash AND o.request <> d.request
    JOIN request_events c ON c.request = o.request AND c.status = 'approved' AND c.at < e.at - 600000
    JOIN requests q ON q.id = o.request AND q.status = 'approved'
    WHERE e.at > ?1 AND e.status = 'approved' AND e.second_operator IS NULL AND e.actor <> 'system'`),

  /** Who credited an investor, or checked their identity, does not pay that investor alone. */
  nobodyPaysTheirOwnInvestor: noneSinceTime(`
    SELECT e.request FROM request_events e JOIN requests r ON r.id = e.request AND r.queue = 'withdrawals'
    JOIN request_events a ON a.request = e.request AND a.status = 'approved' AND a.actor = e.actor
    WHERE e.at > ?1 AND e.status = 'completed' AND (EXISTS (
        SELECT 1 FROM requests o JOIN request_events c ON c.request = o.id AND c.status = 'approved'
        WHERE o.investor = r.investor AND o.queue = 'deposits' AND e.actor IN (c.actor, c.second_operator) AND c.at <= e.at)
      OR EXISTS (
        SELECT 1 FROM kyc_submissions k
        WHERE k.user_id = r.investor AND k.status = 'approved' AND k.decided_by = e.actor AND k.decided_at <= e.at))`),

  /** For seven days after a reset, a lock, a recovery or a new address, nobody approves and pays alone. */
  nobodyPaysAloneAfterAStop: noneSinceTime(`
    SELECT e.request, s.cause FROM request_events e JOIN requests r ON r.id = e.request AND r.queue = 'withdrawals'
    JOIN request_events a ON a.request = e.request AND a.status = 'approved' AND a.actor = e.actor
    JOIN payout_stops s ON s.investor = r.investor AND s.at BETWEEN e.at - 7 * 86400000 + 600000 AND e.at
      AND s.cause IN ('password_reset', 'account_locked', 'factors_removed', 'email_changed')
    WHERE e.at > ?1 AND e.status = 'completed'`),

  /** A proposal is decided by somebody else. */
  nobodyApprovesTheirOwnProposal: noneSince(
    'proposals',
    `SELECT id FROM proposals WHERE seq > ?1 AND status = 'approved' AND decided_by = proposed_by`,
  ),

  /** Who was disabled decides nothing more. A decision and the disabling may have begun at the same moment. */
  leftOperatorsDecideNothing: noneSinceTime(`
    SELECT e.request, e.status, u.email FROM request_events e JOIN users u ON u.id = e.actor
    WHERE e.at > ?1 AND u.disabled_at < e.at - 600000
    UNION ALL
    SELECT p.id, p.status, u.email FROM proposals p JOIN users u ON u.id IN (p.proposed_by, p.decided_by)
    WHERE u.disabled_at < iif(u.id = p.proposed_by, p.created_at, p.decided_at) - 600000`),

  settingsAreDecided,

  /** Every decision of an operator has its line in the audit log. */
  everyDecisionIsAudited: noneSinceTime(`
    SELECT e.request, e.status FROM request_events e JOIN users u ON u.id = e.actor AND u.role = 'operator'
    WHERE e.at > ?1 AND NOT EXISTS (
      SELECT 1 FROM audit_log l WHERE l.subject = e.request AND l.actor = e.actor AND l.at = e.at)
      AND e.status <> 'reversed'`),
}

/** Each guarded setting is what the decisions of two operators made it, the last one last. */
async function settingsAreDecided({ world }: Parameters<Rule>[0]): Promise<string | null> {
  const { database } = world
  const decided: Record<string, unknown> = {}
  for (const { settings } of await settingsDecided(world)) {
    for (const [key, value] of Object.entries(settings))
      decided[key] = typeof value === 'object' ? { ...(decided[key] as object), ...value } : value
  }
  const stored = await database.rows<{ key: string; value: string }>('SELECT key, value FROM settings')
  const wrong = stored.find(({ key, value }) => value !== JSON.stringify(decided[key]))
  return wrong === undefined && stored.length === Object.keys(decided).length
    ? null
    : `${wrong?.key} is ${wrong?.value}, and was decided as ${JSON.stringify(decided)}`
}
