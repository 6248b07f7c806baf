import { noneSince, type Rules } from './rule.ts'

/** A plan's orders and withdrawals among the new lines of the audit log, each with the date that it belongs to, if there is one. */
const FILED = `
  SELECT l.seq, l.subject AS id, json_extract(l.detail, '$.plan') AS plan, r.due_on, r.due_at, r.amount, r.announced_at,
    coalesce(o.cents, w.asked) AS cents, coalesce(o.created_at, w.created_at) AS filed_at, p.investor,
    coalesce(o.investor, w.investor) AS owner
  FROM audit_log l
  LEFT JOIN plans p ON p.id = json_extract(l.detail, '$.plan')
  LEFT JOIN plan_runs r ON r.plan = p.id AND coalesce(r.unit_order, r.withdrawal) = l.subject AND r.status = 'done'
  LEFT JOIN unit_orders o ON o.id = l.subject
  LEFT JOIN requests w ON w.id = l.subject
  WHERE l.seq > ?1 AND l.action IN ('allocation.requested', 'redemption.requested', 'withdrawal.requested')
    AND json_extract(l.detail, '$.plan') IS NOT NULL`

/** The newest line before an order's own that stopped or resumed its plan, or froze or unfroze its owner. */
const findActBefore = (subject: string, actions: string) => `
  (SELECT b.action FROM audit_log b WHERE b.subject = ${subject} AND b.action IN (${actions}) AND b.seq < f.seq
    ORDER BY b.seq DESC LIMIT 1)`

export const PLAN_RULES: Rules = {
  /** A date of a plan files one order or one withdrawal, whatever cron did. */
  datesOfPlansRunOnce: noneSince('audit_log', `SELECT id, plan FROM (${FILED}) WHERE due_on IS NULL`),

  /** Nothing runs before its date, within a day of its announcement, above it, or from another account. */
  plansDoWhatTheyAnnounced: noneSince(
    'audit_log',
    `SELECT f.id, f.plan, f.due_on FROM (${FILED}) f
    WHERE f.cents > f.amount OR f.owner IS NOT f.investor OR f.filed_at < f.due_at OR f.filed_at < f.announced_at + 86400000
      -- Notifications are deleted after a time, and with a closed account.
      OR f.announced_at > (SELECT max(at) FROM audit_log) - 1209600000 AND NOT EXISTS (
        SELECT 1 FROM users u WHERE u.id = f.investor AND u.closed_at IS NOT NULL)
      AND NOT EXISTS (
        SELECT 1 FROM received_notifications n
        WHERE n.user_id = f.investor AND n.created_at = f.announced_at AND n.title LIKE 'Your recurring plan runs on %')`,
  ),

  /** What a plan withdraws after it redeemed is no more than it announced, from the same account, and to a destination of the plan's. */
  plansWithdrawWhatTheyAnnounced: noneSince(
    'audit_log',
    `SELECT l.subject, r.plan, r.due_on FROM audit_log l
    JOIN plan_runs r ON r.unit_order = json_extract(l.detail, '$.order')
    JOIN plans p ON p.id = r.plan
    JOIN requests w ON w.id = l.subject
    WHERE l.seq > ?1 AND l.action = 'withdrawal.requested' AND (w.asked > r.amount OR w.investor <> p.investor)`,
  ),

  /** A plan that is paused or ended does nothing, and a frozen account's plans do nothing. */
  stoppedPlansDoNothing: noneSince(
    'audit_log',
    `SELECT f.id, f.plan FROM (${FILED}) f
    WHERE ${findActBefore('f.plan', "'plan.paused', 'plan.stopped', 'plan.resumed', 'plan.ended'")}
        IN ('plan.paused', 'plan.stopped', 'plan.ended')
      OR ${findActBefore('f.investor', "'investor.frozen', 'investor.unfrozen'")} = 'investor.frozen'`,
  ),
}
