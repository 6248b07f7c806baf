-- What one operator can do alone: daily ceilings, payouts to investors whom they credited or identified, and quantities that do
-- not fit the market's price.

-- Four ceilings in cents. Two administrators set them; these are the defaults of src/contract/operator/settingList.ts.
CREATE VIEW daily_ceilings (credits_alone, payouts_alone, credits, payouts) AS
  SELECT coalesce(json_extract(value, '$.creditsAlone'), 2500000), coalesce(json_extract(value, '$.payoutsAlone'), 2500000),
         coalesce(json_extract(value, '$.credits'), 1000000000), coalesce(json_extract(value, '$.payouts'), 1000000000)
  FROM (SELECT (SELECT value FROM settings WHERE key = 'dailyCeilings') AS value);

-- Totals by the hour, so that a day of any number of decisions is at most 25 rows. The last 24 hours are counted with the whole
-- of the hour in which they begin: there is no midnight at which a ceiling starts anew.
CREATE TABLE decision_totals (
  queue TEXT NOT NULL CHECK (queue IN ('deposits', 'withdrawals')),
  operator TEXT NOT NULL,                   -- who decided alone, or 'house': everything that was credited or paid
  hour INTEGER NOT NULL,                    -- hours since 1970
  amount INTEGER NOT NULL CHECK (amount >= 0),  -- cents
  PRIMARY KEY (queue, operator, hour)
) STRICT, WITHOUT ROWID;
INSERT INTO decision_totals (queue, operator, hour, amount)
  SELECT queue, operator, hour, sum(amount) FROM (
    SELECT CASE e.status WHEN 'approved' THEN 'deposits' ELSE 'withdrawals' END AS queue, o.operator, e.at / 3600000 AS hour, e.amount
    FROM request_events e JOIN (SELECT 0 AS is_house UNION ALL SELECT 1) k
      JOIN (SELECT id AS operator, 0 AS is_house FROM users WHERE role = 'operator' UNION ALL SELECT 'house', 1) o
        ON o.is_house = k.is_house AND (k.is_house = 1 OR o.operator = e.actor)
    WHERE e.at > CAST(unixepoch('subsec') * 1000 AS INTEGER) - 90000000
      AND e.amount IS NOT NULL AND (e.status = 'completed' OR (e.status = 'approved' AND e.reference_key IS NOT NULL))
      AND (k.is_house = 1 OR e.second_operator IS NULL))
  GROUP BY queue, operator, hour;
-- A total only grows: whoever writes to it by hand brings a ceiling nearer, never further away.
CREATE TRIGGER decision_totals_open_once BEFORE INSERT ON decision_totals
BEGIN
  SELECT RAISE(ABORT, 'decision_totals: an hour is opened once')
    WHERE NEW.amount < 0
      OR EXISTS (SELECT 1 FROM decision_totals WHERE queue = NEW.queue AND operator = NEW.operator AND hour = NEW.hour);
END;
CREATE TRIGGER decision_totals_grow BEFORE UPDATE ON decision_totals
BEGIN
  SELECT RAISE(ABORT, 'decision_totals: a total only grows')
    WHERE NEW.queue IS NOT OLD.queue OR NEW.operator IS NOT OLD.operator OR NEW.hour IS NOT OLD.hour OR NEW.amount < OLD.amount;
END;
CREATE TRIGGER decision_totals_keep BEFORE DELETE ON decision_totals
BEGIN
  SELECT RAISE(ABORT, 'decision_totals: a total is never deleted');
END;

-- How much of the coin arrived, in its smallest unit, and how much the amount is at the market's price as quotes use it.
ALTER TABLE request_events ADD COLUMN units INTEGER;          -- credits
ALTER TABLE request_events ADD COLUMN units_at_rate INTEGER;  -- credits; null: there was no price to go by
ALTER TABLE credit_approvals ADD COLUMN units INTEGER;        -- as the first operator stated them; null: left to the price

-- Who credited an investor, as the only operator or as one of two.
CREATE INDEX request_events_credited_by ON request_events (investor, actor)
  WHERE status = 'approved' AND reference_key IS NOT NULL;
CREATE INDEX request_events_credited_second ON request_events (investor, second_operator)
  WHERE status = 'approved' AND second_operator IS NOT NULL;
CREATE VIEW credited_by (investor, operator) AS
  SELECT investor, actor FROM request_events INDEXED BY request_events_credited_by
    WHERE status = 'approved' AND reference_key IS NOT NULL
  UNION ALL
  SELECT investor, second_operator FROM request_events INDEXED BY request_events_credited_second
    WHERE status = 'approved' AND second_operator IS NOT NULL;

-- The hour in which a decision counts is the database's: one dated ahead counts now, and none counts before its request was filed.
CREATE VIEW request_hours (request, hour_of_filing, hour_now) AS
  SELECT id, created_at / 3600000, CAST(unixepoch('subsec') AS INTEGER) / 3600 FROM requests;

-- The house's ceilings hold for two people together too. Asked only of a decision that nothing graver speaks against: the newest
-- trigger of a table is asked first.
CREATE TRIGGER request_events_house_ceiling BEFORE INSERT ON request_events
WHEN NEW.amount > 0 AND EXISTS (
  SELECT 1 FROM requests r JOIN users i ON i.id = r.investor JOIN users o ON o.id = NEW.actor
  WHERE r.id = NEW.request AND r.investor = NEW.investor AND i.frozen_at IS NULL
    AND o.role = 'operator' AND o.disabled_at IS NULL AND instr(' ' || o.operator_roles || ' ', ' treasurer ') > 0
    AND NOT EXISTS (SELECT 1 FROM references_in_force WHERE reference_key = NEW.reference_key)
    AND CASE r.queue
      WHEN 'deposits' THEN r.status = 'pending' AND NEW.status = 'approved'
      ELSE r.status = 'approved' AND NEW.status = 'completed' END)
BEGIN
  SELECT RAISE(ABORT, 'daily_credit_ceiling')
    WHERE NEW.status = 'approved' AND NEW.amount + (
      SELECT coalesce(sum(t.amount), 0) FROM request_hours h JOIN decision_totals t
        ON t.queue = 'deposits' AND t.operator = 'house'
          AND t.hour >= min(max(NEW.at / 3600000, h.hour_of_filing), h.hour_now) - 24
      WHERE h.request = NEW.request
    ) > (SELECT credits FROM daily_ceilings);
  SELECT RAISE(ABORT, 'daily_payout_ceiling')
    WHERE NEW.status = 'completed' AND NEW.amount + (
      SELECT coalesce(sum(t.amount), 0) FROM request_hours h JOIN decision_totals t
        ON t.queue = 'withdrawals' AND t.operator = 'house'
          AND t.hour >= min(max(NEW.at / 3600000, h.hour_of_filing), h.hour_now) - 24
      WHERE h.request = NEW.request
    ) > (SELECT payouts FROM daily_ceilings);
END;

-- The rules below come after every other: a second operator is the last thing that is asked for.

-- Two people state the quantity where it differs by more than 2 % from the amount at the market's price, or there is no price.
CREATE TRIGGER request_events_quantity AFTER INSERT ON request_events
WHEN NEW.status = 'approved' AND NEW.reference_key IS NOT NULL
BEGIN
  SELECT RAISE(ABORT, 'events: a credit names the quantity that arrived')
    WHERE NEW.units IS NULL OR NEW.units <= 0 OR NEW.units_at_rate <= 0;
  SELECT RAISE(ABORT, 'approval_mismatch')
    WHERE EXISTS (SELECT 1 FROM credit_approvals WHERE request = NEW.request AND operator <> NEW.actor AND units <> NEW.units);
  SELECT RAISE(ABORT, 'approval_mismatch')
    WHERE NEW.second_operator IS NOT NULL
      AND (NEW.units_at_rate IS NULL OR abs(NEW.units - NEW.units_at_rate) * 50 > NEW.units_at_rate)
      AND NOT EXISTS (SELECT 1 FROM credit_approvals WHERE request = NEW.request AND units = NEW.units);
  SELECT RAISE(ABORT, 'second_operator_required')
    WHERE NEW.second_operator IS NULL
      AND (NEW.units_at_rate IS NULL OR abs(NEW.units - NEW.units_at_rate) * 50 > NEW.units_at_rate);
END;
CREATE TRIGGER custody_enters_what_was_approved AFTER INSERT ON custody_entries
WHEN NEW.code = 'in'
BEGIN
  SELECT RAISE(ABORT, 'custody: what comes in is the quantity that was approved')
    WHERE EXISTS (
      SELECT 1 FROM request_events WHERE request = NEW.ref AND status = 'approved' AND units <> NEW.quantity);
END;

-- Who credited an investor, or approved the identity that is in force, does not pay that investor alone.
CREATE TRIGGER request_events_own_investor AFTER INSERT ON request_events
WHEN NEW.status = 'completed' AND NEW.second_operator IS NULL
BEGIN
  SELECT RAISE(ABORT, 'second_operator_required')
    WHERE EXISTS (SELECT 1 FROM credited_by WHERE investor = NEW.investor AND operator = NEW.actor)
      OR EXISTS (
        SELECT 1 FROM kyc_submissions WHERE user_id = NEW.investor AND +status = 'approved' AND decided_by = NEW.actor);
END;

-- What an operator decides alone for all investors of a day; then what was decided is added to the totals.
CREATE TRIGGER request_events_own_ceiling AFTER INSERT ON request_events
WHEN NEW.status = 'completed' OR (NEW.status = 'approved' AND NEW.reference_key IS NOT NULL)
BEGIN
  SELECT RAISE(ABORT, 'second_operator_required')
    WHERE NEW.second_operator IS NULL AND NEW.amount + (
      SELECT coalesce(sum(t.amount), 0) FROM request_hours h JOIN decision_totals t
        ON t.queue = CASE NEW.status WHEN 'approved' THEN 'deposits' ELSE 'withdrawals' END AND t.operator = NEW.actor
          AND t.hour >= min(max(NEW.at / 3600000, h.hour_of_filing), h.hour_now) - 24
      WHERE h.request = NEW.request
    ) > (SELECT CASE NEW.status WHEN 'approved' THEN credits_alone ELSE payouts_alone END FROM daily_ceilings);
  INSERT INTO decision_totals (queue, operator, hour, amount)
    SELECT CASE NEW.status WHEN 'approved' THEN 'deposits' ELSE 'withdrawals' END, o.operator,
           min(max(NEW.at / 3600000, h.hour_of_filing), h.hour_now), 0
    FROM request_hours h JOIN (
      SELECT 'house' AS operator UNION ALL SELECT NEW.actor WHERE NEW.second_operator IS NULL) o
    WHERE h.request = NEW.request AND NOT EXISTS (
      SELECT 1 FROM decision_totals t
      WHERE t.queue = CASE NEW.status WHEN 'approved' THEN 'deposits' ELSE 'withdrawals' END AND t.operator = o.operator
        AND t.hour = min(max(NEW.at / 3600000, h.hour_of_filing), h.hour_now));
  UPDATE decision_totals SET amount = amount + NEW.amount
    WHERE queue = CASE NEW.status WHEN 'approved' THEN 'deposits' ELSE 'withdrawals' END
      AND operator IN ('house', CASE WHEN NEW.second_operator IS NULL THEN NEW.actor ELSE 'house' END)
      AND hour = (
        SELECT min(max(NEW.at / 3600000, hour_of_filing), hour_now) FROM request_hours WHERE request = NEW.request);
END;
