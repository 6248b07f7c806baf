import { noneSince, type Rules } from './rule.ts'

/** Redemptions that stops filed, among the new lines of the audit log, each with the stop that says so, if there is one. */
const FILED = `
  SELECT l.subject AS id, json_extract(l.detail, '$.stop') AS named, p.id AS stop, p.investor, p.strategy, p.percent, p.day,
    p.changed_at, p.status, o.cents, o.created_at
  FROM audit_log l
  JOIN unit_orders o ON o.id = l.subject
  LEFT JOIN position_stops p ON p.unit_order = o.id AND p.id = json_extract(l.detail, '$.stop')
    AND p.investor = o.investor AND p.strategy = o.strategy
  WHERE l.seq > ?1 AND l.action = 'redemption.requested' AND json_extract(l.detail, '$.stop') IS NOT NULL`

/** The sum of a stop's movements until the day that reached it. */
const sumUntil = (value: string) => `
  (SELECT sum(${value}) FROM unit_movements m WHERE m.investor = f.investor AND m.strategy = f.strategy AND m.day <= f.day)`

export const STOP_RULES: Rules = {
  /** A stop files one order, whatever cron did, and is over then. */
  stopsFireOnce: noneSince(
    'audit_log',
    `SELECT id, named FROM (${FILED}) WHERE stop IS NULL OR status <> 'fired' OR cents IS NOT NULL`,
  ),

  /** Nothing is sold unless a valuation after the stop was set had a price at or below it. A cent of the cost may be rounded. */
  stopsSellBelowTheirPrice: noneSince(
    'audit_log',
    `SELECT f.id, f.stop, f.day FROM (${FILED}) f
    LEFT JOIN valuations v ON v.strategy = f.strategy AND v.day = f.day AND v.kind = 'open'
    WHERE f.stop IS NOT NULL AND (v.day IS NULL OR v.day <= f.changed_at OR v.unit_price * 1e-10 * ${sumUntil('m.units')}
      > 0.01 + ${sumUntil("CASE m.code WHEN 'issue' THEN m.cost ELSE -m.cost END")} * (100 - f.percent) / 100.0)`,
  ),

  /** A stop's order is priced after the price that reached it, sells every unit, and its owner gets the proceeds. */
  stopsPayTheNextPrice: noneSince(
    'unit_movements',
    `SELECT m.ref, p.id FROM unit_movements m JOIN position_stops p ON p.unit_order = m.ref
    WHERE m.seq > ?1 AND (m.day <= p.day
      OR (SELECT sum(units) FROM unit_movements b
          WHERE b.investor = m.investor AND b.strategy = m.strategy AND b.seq <= m.seq) <> 0
      OR (SELECT coalesce(sum(t.amount), 0) FROM transfers t
          WHERE t.ref = m.ref AND t.code IN ('redeem', 'gain') AND t.to_account = m.investor || ':available') <> m.cents)`,
  ),
}
