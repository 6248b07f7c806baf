-- A plan that withdraws may redeem what is missing from one strategy. It pays only to an address that is saved on its date.
ALTER TABLE plans ADD COLUMN redeem_from TEXT REFERENCES strategies (slug);

CREATE TRIGGER plans_redeeming BEFORE INSERT ON plans
WHEN NEW.redeem_from IS NOT NULL AND NEW.strategy IS NOT NULL
BEGIN
  SELECT RAISE(ABORT, 'plans: strategy does not fit the kind');
END;
CREATE TRIGGER plans_redeeming_kept BEFORE UPDATE ON plans
WHEN NEW.redeem_from IS NOT OLD.redeem_from
BEGIN
  SELECT RAISE(ABORT, 'plans: immutable columns');
END;

DROP TRIGGER plan_runs_done;
CREATE TRIGGER plan_runs_done BEFORE UPDATE ON plan_runs
WHEN NEW.status = 'done'
BEGIN
  SELECT RAISE(ABORT, 'plan_runs: plan not active')
    WHERE NOT EXISTS (SELECT 1 FROM plans WHERE id = NEW.plan AND status = 'active');
  SELECT RAISE(ABORT, 'plan_runs: too early')
    WHERE NEW.decided_at < OLD.due_at OR NEW.decided_at < OLD.announced_at + 86400000;
  SELECT RAISE(ABORT, 'plan_runs: destination not saved')
    FROM plans p WHERE p.id = NEW.plan AND p.destination IS NOT NULL AND NOT EXISTS (
      SELECT 1 FROM saved_addresses
      WHERE investor = p.investor AND destination_hash = json_extract(p.destination, '$.destination.hash'));
  -- The order or withdrawal of the same batch: its owner's, to the same place, of no more than was announced.
  SELECT RAISE(ABORT, 'plan_runs: order does not fit the plan')
    WHERE NEW.unit_order IS NOT NULL AND NOT EXISTS (
      SELECT 1 FROM plans p JOIN unit_orders o ON o.investor = p.investor
      WHERE p.id = NEW.plan AND o.id = NEW.unit_order AND o.cents <= OLD.amount AND o.created_at = NEW.decided_at
        AND o.strategy = coalesce(p.strategy, p.redeem_from)
        AND (CASE o.kind WHEN 'allocate' THEN p.strategy IS NOT NULL
          ELSE json_extract(o.onward, '$.mostCents') <= OLD.amount
            AND json_extract(o.onward, '$.destination.hash') = json_extract(p.destination, '$.destination.hash') END));
  SELECT RAISE(ABORT, 'plan_runs: withdrawal does not fit the plan')
    WHERE NEW.withdrawal IS NOT NULL AND NOT EXISTS (
      SELECT 1 FROM plans p JOIN requests r ON r.investor = p.investor JOIN withdrawal_details d ON d.request = r.id
      WHERE p.id = NEW.plan AND r.id = NEW.withdrawal AND r.amount <= OLD.amount AND r.created_at = NEW.decided_at
        AND d.destination_hash = json_extract(p.destination, '$.destination.hash'));
END;

-- The withdrawal after the redemption of a plan: of no more than the plan announced.
CREATE TRIGGER unit_orders_limited BEFORE UPDATE OF withdrawal ON unit_orders
WHEN NEW.withdrawal IS NOT OLD.withdrawal
BEGIN
  SELECT RAISE(ABORT, 'unit_orders: withdrawal above its limit')
    WHERE (SELECT amount FROM requests WHERE id = NEW.withdrawal) > json_extract(OLD.onward, '$.mostCents');
END;
-- The plan that filed a withdrawal or an order.
CREATE INDEX unit_orders_by_withdrawal ON unit_orders (withdrawal) WHERE withdrawal IS NOT NULL;
