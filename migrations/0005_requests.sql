-- Deposits and withdrawals have one row each in `requests`. Events move a request from status to status.
-- Details are in 0006_deposits.sql and 0007_withdrawals.sql.

CREATE TABLE request_kinds (
  kind TEXT PRIMARY KEY,
  queue TEXT NOT NULL CHECK (queue IN ('deposits', 'withdrawals'))
) STRICT;
INSERT INTO request_kinds VALUES
  ('deposit', 'deposits'), ('withdrawal', 'withdrawals'), ('online-service-withdrawal', 'withdrawals');

CREATE TABLE request_transitions (
  queue TEXT NOT NULL,
  from_status TEXT NOT NULL,
  to_status TEXT NOT NULL,
  PRIMARY KEY (queue, from_status, to_status)
) STRICT;
INSERT INTO request_transitions VALUES
  ('deposits', 'pending', 'approved'), ('deposits', 'pending', 'rejected'), ('deposits', 'pending', 'cancelled'),
  ('deposits', 'approved', 'reversed'),
  ('withdrawals', 'pending', 'approved'), ('withdrawals', 'pending', 'rejected'), ('withdrawals', 'pending', 'cancelled'),
  ('withdrawals', 'approved', 'completed'), ('withdrawals', 'approved', 'rejected'),
  ('withdrawals', 'completed', 'reversed'),
  ('withdrawals', 'approved', 'pending');   -- only when a payout stop withdrew the approval

-- The networks that deposits and withdrawals of coins use. The list is that of src/contract: an unknown network is refused.
CREATE TABLE networks (
  name TEXT PRIMARY KEY,
  has_outputs INTEGER NOT NULL CHECK (has_outputs IN (0, 1)),  -- 1: one transaction can pay several deposits, by its outputs
  chain TEXT NOT NULL                       -- whose transactions it has. A transaction is on one chain.
) STRICT, WITHOUT ROWID;
INSERT INTO networks (name, has_outputs, chain) VALUES
  ('btc', 1, 'bitcoin'), ('eth', 0, 'ethereum'), ('usdt-trc20', 0, 'tron'), ('usdt-bsc', 0, 'bsc'), ('usdt-erc20', 1, 'ethereum'),
  ('usdc-erc20', 1, 'ethereum');

CREATE TABLE requests (
  seq INTEGER PRIMARY KEY AUTOINCREMENT,    -- filing order: the cursor of every list
  id TEXT NOT NULL UNIQUE,
  ref TEXT NOT NULL UNIQUE,
  investor TEXT NOT NULL REFERENCES users (id),
  kind TEXT NOT NULL REFERENCES request_kinds (kind),
  queue TEXT NOT NULL CHECK (queue IN ('deposits', 'withdrawals')),
  status TEXT NOT NULL DEFAULT 'pending',
  amount INTEGER NOT NULL CHECK (amount > 0),  -- cents: as asked, and once credited, as credited
  asked INTEGER NOT NULL CHECK (asked > 0),    -- cents
  created_at INTEGER NOT NULL
) STRICT;
CREATE INDEX requests_history ON requests (investor, created_at);
CREATE INDEX requests_history_by_kind ON requests (investor, kind, created_at);
CREATE INDEX requests_history_by_status ON requests (investor, status, created_at);
CREATE INDEX requests_history_by_both ON requests (investor, kind, status, created_at);
CREATE INDEX requests_queue ON requests (queue, created_at);
CREATE INDEX requests_queue_by_status ON requests (queue, status, created_at);
-- Small for any history, because at most 20 requests of each queue are open.
CREATE INDEX requests_open ON requests (investor, queue, status, amount) WHERE status IN ('pending', 'approved') AND NOT (queue = 'deposits' AND status = 'approved');

CREATE TRIGGER requests_filed BEFORE INSERT ON requests
BEGIN
  SELECT RAISE(ABORT, 'requests: not pending or already filed')
    WHERE NEW.status <> 'pending' OR NEW.amount <> NEW.asked
      -- Repeated here, because a PRAGMA can switch CHECK off, but not a trigger.
      OR NEW.amount NOT BETWEEN 1 AND 1000000000000
      OR NEW.queue IS NOT (SELECT queue FROM request_kinds WHERE kind = NEW.kind)
      OR EXISTS (SELECT 1 FROM requests WHERE id = NEW.id OR ref = NEW.ref OR seq = NEW.seq);
  SELECT RAISE(ABORT, 'account_frozen')
    WHERE EXISTS (SELECT 1 FROM users WHERE id = NEW.investor AND frozen_at IS NOT NULL);
  SELECT RAISE(ABORT, 'too_many_open')
    WHERE (SELECT count(*) FROM requests
           WHERE investor = NEW.investor AND queue = NEW.queue
             AND status IN ('pending', 'approved') AND NOT (queue = 'deposits' AND status = 'approved')) >= 20;
END;
CREATE TRIGGER requests_first_event AFTER INSERT ON requests
BEGIN
  INSERT INTO request_events (request, status, at, actor, investor)
  VALUES (NEW.id, 'pending', NEW.created_at, NEW.investor, NEW.investor);
END;
-- A request's status follows its events. Nothing else changes it.
CREATE TRIGGER requests_follow_events BEFORE UPDATE ON requests
BEGIN
  SELECT RAISE(ABORT, 'requests: changed without an event')
    WHERE NOT EXISTS (
        SELECT 1 FROM request_transitions
        WHERE queue = OLD.queue AND from_status = OLD.status AND to_status = NEW.status)
      OR NOT EXISTS (
        SELECT 1 FROM request_events
        WHERE request = OLD.id AND status = NEW.status AND NEW.amount = coalesce(amount, OLD.amount));
END;
-- A closed account takes no new request.
CREATE TRIGGER requests_not_closed BEFORE INSERT ON requests
BEGIN
  SELECT RAISE(ABORT, 'account_closed')
    WHERE EXISTS (SELECT 1 FROM users WHERE id = NEW.investor AND closed_at IS NOT NULL);
END;
CREATE TRIGGER requests_decided_anew BEFORE UPDATE OF status ON requests
WHEN OLD.status = 'approved' AND NEW.status = 'pending'
BEGIN
  SELECT RAISE(ABORT, 'requests: approval not withdrawn')
    WHERE NOT EXISTS (SELECT 1 FROM withdrawn_payout_approvals WHERE request = OLD.id)
      OR EXISTS (SELECT 1 FROM request_events WHERE request = OLD.id AND status = 'approved');
END;

CREATE TABLE request_events (
  request TEXT NOT NULL REFERENCES requests (id),
  status TEXT NOT NULL,
  at INTEGER NOT NULL,
  actor TEXT NOT NULL REFERENCES users (id),
  investor TEXT NOT NULL,                   -- the request's, repeated so that a day's decisions are one range of an index
  amount INTEGER,                           -- cents credited or paid
  reference TEXT,                           -- as the operator entered it
  reference_key TEXT,                       -- the form in which references are compared
  second_operator TEXT REFERENCES users (id),  -- who approved first; null: decided by one operator
  note TEXT,
  -- The quantity of the coin that arrived, in its smallest unit, and the quantity that the amount buys at the market price.
  units INTEGER,                            -- credits, and payouts that an operator sent by hand
  units_at_rate INTEGER,                    -- of the same, and of a withdrawal's approval; null: there was no market price
  rate TEXT,                                -- a withdrawal's approval: USD for one coin, at which units_at_rate was counted
  fee INTEGER,                              -- payouts by hand: the network's fee, in the smallest unit of its own coin
  PRIMARY KEY (request, status)
) STRICT, WITHOUT ROWID;
CREATE INDEX request_events_alone ON request_events (investor, actor, status, at);
CREATE INDEX request_events_by_time ON request_events (at);  -- for the self-check
-- A transaction is credited or paid once, unless the request was reversed: see references_in_force.
CREATE INDEX request_events_reference ON request_events (reference_key) WHERE reference_key IS NOT NULL;
-- The operators who credited an investor, alone or as one of two.
CREATE INDEX request_events_credited_by ON request_events (investor, actor)
  WHERE status = 'approved' AND reference_key IS NOT NULL;
CREATE INDEX request_events_credited_second ON request_events (investor, second_operator)
  WHERE status = 'approved' AND second_operator IS NOT NULL;

CREATE TRIGGER request_events_valid BEFORE INSERT ON request_events
BEGIN
  SELECT RAISE(ABORT, 'not_found') WHERE NOT EXISTS (SELECT 1 FROM requests WHERE id = NEW.request AND investor = NEW.investor);
  SELECT RAISE(ABORT, 'already_decided')
    WHERE (CASE NEW.status
      WHEN 'pending' THEN EXISTS (SELECT 1 FROM request_events WHERE request = NEW.request)
      ELSE NOT EXISTS (
        SELECT 1 FROM requests r JOIN request_transitions t ON t.queue = r.queue AND t.from_status = r.status
        WHERE r.id = NEW.request AND t.to_status = NEW.status)
      END);
  SELECT RAISE(ABORT, 'forbidden')
    WHERE (CASE
      WHEN NEW.status IN ('pending', 'cancelled') THEN NEW.actor <> NEW.investor
      ELSE NEW.actor = NEW.investor OR NOT EXISTS (SELECT 1 FROM users WHERE id = NEW.actor AND role = 'operator')
      END);
  -- Only a credit sets a new amount. Only credits and payouts have a reference.
  SELECT RAISE(ABORT, 'request_events: unexpected reference or amount')
    WHERE NOT EXISTS (
      SELECT 1 FROM requests r WHERE r.id = NEW.request AND (
        (r.queue = 'deposits' AND NEW.status = 'approved')
        OR ((NEW.amount IS NULL OR NEW.amount = r.amount)
          AND (NEW.status = 'completed' OR (
            NEW.reference IS NULL AND NEW.reference_key IS NULL AND NEW.second_operator IS NULL)))));
  SELECT RAISE(ABORT, 'request_events: reference key not normalised')
    WHERE NEW.reference_key IS NOT NULL AND (
      NEW.reference_key <> lower(NEW.reference_key) OR substr(NEW.reference_key, 1, 2) = '0x');
END;
CREATE TRIGGER request_events_apply AFTER INSERT ON request_events
WHEN NEW.status <> 'pending'
BEGIN
  UPDATE requests SET status = NEW.status, amount = coalesce(NEW.amount, amount) WHERE id = NEW.request;
  SELECT RAISE(ABORT, 'request_events: request not updated')
    WHERE NOT EXISTS (
      SELECT 1 FROM requests WHERE id = NEW.request AND status = NEW.status AND amount = coalesce(NEW.amount, amount));
END;
CREATE TRIGGER request_events_counted AFTER INSERT ON request_events
WHEN NEW.status IN ('approved', 'rejected', 'cancelled', 'reversed')
BEGIN
  UPDATE wallet_totals SET
    waiting = waiting - (NEW.status <> 'reversed'),
    deposits = deposits + (NEW.status = 'approved') - (NEW.status = 'reversed'),
    credited = credited + (CASE NEW.status
      WHEN 'approved' THEN NEW.amount
      WHEN 'reversed' THEN -(SELECT amount FROM request_events WHERE request = NEW.request AND status = 'approved')
      ELSE 0 END)
  WHERE (network, address) = (SELECT network, payment_to FROM deposit_details WHERE request = NEW.request);
END;
-- Two people approve a large credit: above the limit, above the amount asked, or if the day adds up to more than the limit.
CREATE TRIGGER request_events_credit BEFORE INSERT ON request_events
WHEN NEW.status = 'approved'
  AND EXISTS (SELECT 1 FROM requests WHERE id = NEW.request AND queue = 'deposits' AND status = 'pending')
BEGIN
  SELECT RAISE(ABORT, 'request_events: credit without amount or reference')
    WHERE NEW.amount IS NULL OR NEW.amount NOT BETWEEN 1 AND 1000000000000
      OR NEW.reference_key IS NULL OR NEW.reference_key = '';
  SELECT RAISE(ABORT, 'reference_used')
    WHERE EXISTS (SELECT 1 FROM references_in_force WHERE reference_key = NEW.reference_key);
  -- The first approval was withdrawn meanwhile, so the second operator has to decide again.
  SELECT RAISE(ABORT, 'conflict')
    WHERE NEW.second_operator IS NOT NULL
      AND NOT EXISTS (SELECT 1 FROM credit_approvals WHERE request = NEW.request AND operator = NEW.second_operator)
      AND EXISTS (SELECT 1 FROM withdrawn_approvals WHERE request = NEW.request AND operator = NEW.second_operator);
  SELECT RAISE(ABORT, 'approval_mismatch')
    WHERE EXISTS (
      SELECT 1 FROM credit_approvals WHERE request = NEW.request AND operator <> NEW.actor
        AND (amount <> NEW.amount OR reference_key <> NEW.reference_key));
  SELECT RAISE(ABORT, 'request_events: second operator differs from the first approval')
    WHERE NEW.second_operator IS NOT NULL AND NOT EXISTS (
      SELECT 1 FROM credit_approvals WHERE request = NEW.request AND operator = NEW.second_operator
        AND operator <> NEW.actor);
  SELECT RAISE(ABORT, 'second_operator_required')
    WHERE NEW.second_operator IS NULL AND (
      EXISTS (SELECT 1 FROM credit_approvals WHERE request = NEW.request)
      OR (NEW.actor <> 'system' AND NEW.amount > (SELECT asked FROM requests WHERE id = NEW.request))
      OR (NEW.actor <> 'system' AND NEW.amount + (
        SELECT coalesce(sum(amount), 0) FROM request_events
        WHERE investor = NEW.investor AND actor = NEW.actor AND status = 'approved' AND at > NEW.at - 86400000
          AND second_operator IS NULL AND reference_key IS NOT NULL
      ) + (
        SELECT coalesce(sum(amount), 0) FROM bonuses_caused_alone
        WHERE referrer = NEW.investor AND operator = NEW.actor AND due_at > NEW.at - 86400000
      ) > coalesce((SELECT CAST(value AS INTEGER) FROM settings WHERE key = 'twoPersonLimit'), 500000)));
END;
-- Two people pay a large withdrawal: the operator who completes it is not the one who approved it.
CREATE TRIGGER request_events_payout BEFORE INSERT ON request_events
WHEN NEW.status = 'completed' AND EXISTS (SELECT 1 FROM requests WHERE id = NEW.request AND status = 'approved')
BEGIN
  SELECT RAISE(ABORT, 'request_events: payout without amount or reference')
    WHERE NEW.amount IS NULL OR NEW.reference_key IS NULL OR NEW.reference_key = ''
      OR NEW.amount <> (SELECT amount FROM requests WHERE id = NEW.request);
  SELECT RAISE(ABORT, 'reference_used')
    WHERE EXISTS (SELECT 1 FROM references_in_force WHERE reference_key = NEW.reference_key);
  SELECT RAISE(ABORT, 'destination_on_hold')
    WHERE EXISTS (SELECT 1 FROM withdrawal_details WHERE request = NEW.request AND held_until > NEW.at);
  SELECT RAISE(ABORT, 'request_events: second operator differs from the approval')
    WHERE NEW.second_operator IS NOT (
      SELECT (CASE WHEN actor = NEW.actor THEN NULL ELSE actor END)
      FROM request_events WHERE request = NEW.request AND status = 'approved');
  SELECT RAISE(ABORT, 'second_operator_required')
    WHERE NEW.second_operator IS NULL AND NEW.amount + (
        SELECT coalesce(sum(amount), 0) FROM request_events
        WHERE investor = NEW.investor AND actor = NEW.actor AND status = 'completed' AND at > NEW.at - 86400000
          AND second_operator IS NULL
      ) > coalesce((SELECT CAST(value AS INTEGER) FROM settings WHERE key = 'twoPersonLimit'), 500000);
END;
CREATE TRIGGER request_events_reversal BEFORE INSERT ON request_events
WHEN NEW.status = 'reversed' AND EXISTS (
  SELECT 1 FROM requests r JOIN request_transitions t ON t.queue = r.queue AND t.from_status = r.status
  WHERE r.id = NEW.request AND t.to_status = 'reversed')
BEGIN
  SELECT RAISE(ABORT, 'second_operator_required')
    WHERE NOT EXISTS (
      SELECT 1 FROM proposals WHERE request = NEW.request AND kind = 'reversal' AND status = 'approved');
END;
-- A withdrawal is paid only from held money.
CREATE TRIGGER request_events_held BEFORE INSERT ON request_events
WHEN NEW.status IN ('approved', 'completed')
BEGIN
  SELECT RAISE(ABORT, 'request_events: approved without a hold')
    WHERE EXISTS (SELECT 1 FROM requests WHERE id = NEW.request AND queue = 'withdrawals')
      AND NOT EXISTS (SELECT 1 FROM transfers WHERE ref = NEW.request AND code = 'hold');
END;
-- Nothing is paid before its delay is over. The database's clock counts too, so a later time given by the caller does not help.
CREATE TRIGGER request_events_on_hold BEFORE INSERT ON request_events
WHEN NEW.status = 'completed'
BEGIN
  SELECT RAISE(ABORT, 'destination_on_hold')
    WHERE EXISTS (
      SELECT 1 FROM withdrawal_details
      WHERE request = NEW.request AND held_until > min(NEW.at, CAST(unixepoch('subsec') * 1000 AS INTEGER)));
END;
-- A frozen account moves no money. Requests wait, but can be rejected, cancelled and reversed.
CREATE TRIGGER request_events_unfrozen BEFORE INSERT ON request_events
WHEN NEW.status = 'approved' OR (NEW.status = 'completed' AND NEW.actor <> 'system')
BEGIN
  SELECT RAISE(ABORT, 'account_frozen')
    WHERE EXISTS (
      SELECT 1 FROM requests r JOIN users u ON u.id = r.investor
      WHERE r.id = NEW.request AND u.frozen_at IS NOT NULL);
END;
-- While a silent freeze stands, nobody decides, not even the system. Its owner can cancel, and a payout that is on its way is booked.
CREATE TRIGGER request_events_silently_frozen BEFORE INSERT ON request_events
WHEN NEW.status IN ('approved', 'rejected') OR (NEW.status = 'completed' AND NEW.actor <> 'system')
BEGIN
  SELECT RAISE(ABORT, 'decisions_reserved')
    WHERE EXISTS (SELECT 1 FROM silent_freezes WHERE investor = NEW.investor AND ended_at IS NULL);
END;
CREATE TRIGGER request_events_by_treasurers BEFORE INSERT ON request_events
BEGIN
  SELECT RAISE(ABORT, 'forbidden')
    WHERE EXISTS (
      SELECT 1 FROM users WHERE id = NEW.actor AND role = 'operator'
        AND (disabled_at IS NOT NULL OR instr(' ' || operator_roles || ' ', ' treasurer ') = 0));
END;
CREATE TRIGGER request_events_keep BEFORE DELETE ON request_events
BEGIN
  SELECT RAISE(ABORT, 'request_events: never deleted')
    WHERE OLD.status <> 'approved' OR NOT EXISTS (
      SELECT 1 FROM withdrawn_payout_approvals w JOIN requests r ON r.id = w.request
      WHERE w.request = OLD.request AND w.operator = OLD.actor AND w.approved_at = OLD.at AND r.status = 'approved'
        AND w.seq = (SELECT max(seq) FROM withdrawn_payout_approvals));
END;
-- The company's daily ceilings apply to decisions of two people too. SQLite runs the newest trigger of a table first, so the
-- condition skips decisions that another trigger refuses with a more important reason.
CREATE TRIGGER request_events_house_ceiling BEFORE INSERT ON request_events
WHEN NEW.amount > 0 AND NOT (NEW.actor = 'system' AND NEW.status = 'completed') AND EXISTS (
  SELECT 1 FROM requests r JOIN users i ON i.id = r.investor JOIN users o ON o.id = NEW.actor
  WHERE r.id = NEW.request AND r.investor = NEW.investor AND i.frozen_at IS NULL
    AND o.role = 'operator' AND o.disabled_at IS NULL AND instr(' ' || o.operator_roles || ' ', ' treasurer ') > 0
    AND NOT EXISTS (SELECT 1 FROM references_in_force WHERE reference_key = NEW.reference_key)
    AND (CASE r.queue
      WHEN 'deposits' THEN r.status = 'pending' AND NEW.status = 'approved'
      ELSE r.status = 'approved' AND NEW.status = 'completed' END))
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
-- These rules run AFTER, so that every other refusal comes first and a second operator is asked for last.
-- An operator states the quantity that arrived. units_at_rate is the amount at the lower of the price when the deposit was announced
-- and the price now, so that neither side gains by choosing the time. Two people credit more than the quantity is worth at it (a cent
-- or a unit is rounding), a quantity that is worth more than 2 % more, and what has no price at one of the two times.
CREATE TRIGGER request_events_quantity AFTER INSERT ON request_events
WHEN NEW.status = 'approved' AND NEW.reference_key IS NOT NULL
BEGIN
  SELECT RAISE(ABORT, 'request_events: credit without quantity')
    WHERE NEW.units IS NULL OR NEW.units <= 0 OR NEW.units_at_rate <= 0;
  SELECT RAISE(ABORT, 'request_events: credit above the lower price')
    WHERE NEW.actor <> 'system' AND EXISTS (
      SELECT 1 FROM deposit_details d JOIN custody_assets a ON a.asset = d.coin
      WHERE d.request = NEW.request AND NEW.units_at_rate + 1 <
        NEW.amount * CAST('1e' || a.decimals AS REAL) / (CAST(d.asked_rate AS REAL) * 100) * 0.999999999);
  SELECT RAISE(ABORT, 'approval_mismatch')
    WHERE EXISTS (SELECT 1 FROM credit_approvals WHERE request = NEW.request AND operator <> NEW.actor AND units IS NOT NEW.units);
  SELECT RAISE(ABORT, 'second_operator_required')
    WHERE NEW.second_operator IS NULL AND (NEW.units_at_rate IS NULL OR (NEW.units - NEW.units_at_rate) * 50 > NEW.units_at_rate
      OR NEW.units_at_rate - NEW.units > max(1, NEW.units_at_rate / NEW.amount)
      OR (NEW.actor <> 'system' AND EXISTS (SELECT 1 FROM deposit_details WHERE request = NEW.request AND asked_rate IS NULL)));
END;
-- The approval of a withdrawal fixes the price of its payout. Without it, an operator who pays by hand could wait for a better price.
CREATE TRIGGER request_events_priced AFTER INSERT ON request_events
WHEN NEW.status = 'approved' AND NEW.reference_key IS NULL AND (NEW.units_at_rate IS NOT NULL OR NEW.rate IS NOT NULL)
BEGIN
  SELECT RAISE(ABORT, 'request_events: units differ from the amount at the rate')
    WHERE NOT EXISTS (
      SELECT 1 FROM requests r JOIN withdrawal_details d ON d.request = r.id JOIN custody_assets a ON a.asset = d.coin
      -- One cent or unit for rounding down.
      WHERE r.id = NEW.request AND NEW.units_at_rate > 0
        AND abs(NEW.units_at_rate * CAST(NEW.rate AS REAL) * 100 / CAST('1e' || a.decimals AS REAL) - r.amount)
          <= max(1, CAST(NEW.rate AS REAL) * 100 / CAST('1e' || a.decimals AS REAL)));
END;
-- A payout by hand in coins names the quantity that was sent. Two people pay if it differs by more than 2 % from the amount at the
-- price of the approval, if there was no price, or if the network's fee is above 0.001 BTC or 0.01 ETH.
CREATE TRIGGER request_events_sent AFTER INSERT ON request_events
WHEN NEW.status = 'completed' AND (NEW.units IS NOT NULL OR NEW.fee IS NOT NULL
  OR (NEW.actor <> 'system' AND EXISTS (SELECT 1 FROM withdrawal_details WHERE request = NEW.request AND coin IS NOT NULL)))
BEGIN
  SELECT RAISE(ABORT, 'request_events: payout without quantity')
    WHERE NEW.units IS NULL OR NEW.units <= 0 OR NEW.units_at_rate IS NOT (
      SELECT units_at_rate FROM request_events WHERE request = NEW.request AND status = 'approved');
  SELECT RAISE(ABORT, 'request_events: network fee without coin')
    WHERE NEW.fee IS NOT NULL AND (NEW.fee <= 0 OR NEW.actor = 'system' OR NOT EXISTS (
      SELECT 1 FROM request_chains WHERE request = NEW.request AND chain IN ('bitcoin', 'ethereum')));
  SELECT RAISE(ABORT, 'second_operator_required')
    WHERE NEW.second_operator IS NULL
      AND (NEW.units_at_rate IS NULL OR abs(NEW.units - NEW.units_at_rate) * 50 > NEW.units_at_rate
        OR NEW.fee > (
          SELECT (CASE chain WHEN 'bitcoin' THEN 100000 ELSE 10000000 END) FROM request_chains WHERE request = NEW.request));
END;
-- An operator who made money of an investor, or approved their current identity document, does not pay that investor alone.
CREATE TRIGGER request_events_own_investor AFTER INSERT ON request_events
WHEN NEW.status = 'completed' AND NEW.second_operator IS NULL
BEGIN
  SELECT RAISE(ABORT, 'second_operator_required')
    WHERE EXISTS (SELECT 1 FROM credited_by WHERE investor = NEW.investor AND operator = NEW.actor)
      OR EXISTS (
        SELECT 1 FROM kyc_submissions WHERE user_id = NEW.investor AND +status = 'approved' AND decided_by = NEW.actor);
END;
-- The daily ceiling of one operator, over all investors. Then the decision is added to the totals.
CREATE TRIGGER request_events_own_ceiling AFTER INSERT ON request_events
WHEN (NEW.status = 'completed' AND NEW.actor <> 'system') OR (NEW.status = 'approved' AND NEW.reference_key IS NOT NULL)
BEGIN
  SELECT RAISE(ABORT, 'second_operator_required')
    WHERE NEW.second_operator IS NULL AND NEW.actor <> 'system' AND NEW.amount + (
      SELECT coalesce(sum(t.amount), 0) FROM request_hours h JOIN decision_totals t
        ON t.queue = (CASE NEW.status WHEN 'approved' THEN 'deposits' ELSE 'withdrawals' END) AND t.operator = NEW.actor
          AND t.hour >= min(max(NEW.at / 3600000, h.hour_of_filing), h.hour_now) - 24
      WHERE h.request = NEW.request
    ) > (SELECT (CASE NEW.status WHEN 'approved' THEN credits_alone ELSE payouts_alone END) FROM daily_ceilings);
  INSERT INTO decision_totals (queue, operator, hour, amount)
    SELECT (CASE NEW.status WHEN 'approved' THEN 'deposits' ELSE 'withdrawals' END), o.operator,
           min(max(NEW.at / 3600000, h.hour_of_filing), h.hour_now), 0
    FROM request_hours h JOIN (
      SELECT 'house' AS operator UNION ALL SELECT NEW.actor WHERE NEW.second_operator IS NULL) o
    WHERE h.request = NEW.request AND NOT EXISTS (
      SELECT 1 FROM decision_totals t
      WHERE t.queue = (CASE NEW.status WHEN 'approved' THEN 'deposits' ELSE 'withdrawals' END) AND t.operator = o.operator
        AND t.hour = min(max(NEW.at / 3600000, h.hour_of_filing), h.hour_now));
  UPDATE decision_totals SET amount = amount + NEW.amount
    WHERE queue = (CASE NEW.status WHEN 'approved' THEN 'deposits' ELSE 'withdrawals' END)
      AND operator IN ('house', (CASE WHEN NEW.second_operator IS NULL THEN NEW.actor ELSE 'house' END))
      AND hour = (
        SELECT min(max(NEW.at / 3600000, hour_of_filing), hour_now) FROM request_hours WHERE request = NEW.request);
END;
-- A reference has one canonical form. This runs AFTER, so that every other refusal comes first. Lengths are in bytes, because
-- GLOB and length() stop at a NUL.
CREATE TRIGGER request_events_canonical AFTER INSERT ON request_events
WHEN NEW.reference_key IS NOT NULL OR NEW.reference IS NOT NULL
BEGIN
  SELECT RAISE(ABORT, 'request_events: reference not canonical')
    WHERE NOT coalesce(
      (CASE WHEN substr(NEW.reference_key, 1, 5) = 'bank:' THEN
        NEW.reference_key = 'bank:' || lower(
          replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(
            NEW.reference, ' ', ''), '/', ''), '-', ''), '?', ''), ':', ''), '(', ''), ')', ''), '.', ''),
            ',', ''), '''', ''), '+', ''), '_', ''), '#', ''))
        AND NEW.reference = upper(NEW.reference)
        AND length(CAST(NEW.reference_key AS BLOB)) BETWEEN 6 AND 145
        AND substr(NEW.reference_key, 6) NOT GLOB '*[^0-9a-z]*'
        AND NOT (length(NEW.reference_key) = 69 AND substr(NEW.reference_key, 6) NOT GLOB '*[^0-9a-f]*')
        AND EXISTS (SELECT 1 FROM requests WHERE id = NEW.request AND kind = 'online-service-withdrawal')
      ELSE
        NEW.reference = NEW.reference_key
        AND length(substr(NEW.reference_key, 1, 64)) = 64
        AND substr(NEW.reference_key, 1, 64) NOT GLOB '*[^0-9a-f]*'
        AND (length(CAST(NEW.reference_key AS BLOB)) = 64 OR (
          NEW.reference_key = substr(NEW.reference_key, 1, 64) || ':' || CAST(substr(NEW.reference_key, 66) AS INTEGER)
          AND CAST(substr(NEW.reference_key, 66) AS INTEGER) BETWEEN 0 AND 4294967295
          AND EXISTS (
            SELECT 1 FROM deposit_details d JOIN networks n ON n.name = d.network
              WHERE d.request = NEW.request AND n.has_outputs = 1
            UNION ALL SELECT 1 FROM withdrawal_details w JOIN networks n ON n.name = w.network
              WHERE w.request = NEW.request AND n.has_outputs = 1)))
      END), 0);
END;
-- A transaction is credited either as a whole or by its outputs, never both, and on one chain. `;` follows `:` in ASCII, so the range covers the
-- transaction and its outputs. Frozen accounts and delayed payouts are refused with their own reason first.
CREATE TRIGGER request_events_payment_once BEFORE INSERT ON request_events
WHEN NEW.status IN ('approved', 'completed') AND NEW.reference_key IS NOT NULL
  AND substr(NEW.reference_key, 1, 5) <> 'bank:'
  AND EXISTS (
    SELECT 1 FROM requests r JOIN users u ON u.id = r.investor
    WHERE r.id = NEW.request AND u.frozen_at IS NULL
      AND r.status = (CASE r.queue WHEN 'deposits' THEN 'pending' ELSE 'approved' END))
  AND NOT EXISTS (
    SELECT 1 FROM withdrawal_details
    WHERE request = NEW.request AND held_until > min(NEW.at, CAST(unixepoch('subsec') * 1000 AS INTEGER)))
BEGIN
  SELECT RAISE(ABORT, 'reference_used')
    WHERE EXISTS (
      SELECT 1 FROM references_in_force f
      WHERE f.reference_key >= substr(NEW.reference_key, 1, 64) AND f.reference_key < substr(NEW.reference_key, 1, 64) || ';'
        AND (length(NEW.reference_key) = 64 OR length(f.reference_key) = 64
          OR (SELECT chain FROM request_chains WHERE request = f.request) IS NOT (SELECT chain FROM request_chains WHERE request = NEW.request)));
END;
-- Runs only for a step that is otherwise possible, so that "already decided" and "frozen" are refused first.
CREATE TRIGGER request_events_without_debt BEFORE INSERT ON request_events
WHEN (NEW.status = 'approved' OR (NEW.status = 'completed' AND NEW.actor <> 'system')) AND EXISTS (
  SELECT 1 FROM requests r JOIN request_transitions t ON t.queue = r.queue AND t.from_status = r.status
    JOIN users u ON u.id = r.investor
  WHERE r.id = NEW.request AND r.queue = 'withdrawals' AND t.to_status = NEW.status AND u.frozen_at IS NULL)
BEGIN
  SELECT RAISE(ABORT, 'debt_outstanding')
    WHERE EXISTS (SELECT 1 FROM accounts WHERE id = NEW.investor || ':owed' AND balance < 0);
END;

CREATE VIEW references_in_force AS
  SELECT e.reference_key, e.request FROM request_events e JOIN requests r ON r.id = e.request
  WHERE e.reference_key IS NOT NULL AND r.status <> 'reversed';
-- The chain on which a request is paid. Without a row: a bank pays.
CREATE VIEW request_chains AS
  SELECT d.request, n.chain FROM deposit_details d JOIN networks n ON n.name = d.network
  UNION ALL SELECT w.request, n.chain FROM withdrawal_details w JOIN networks n ON n.name = w.network;

-- How long recent decisions took, by kind. Measured once a day, so that reading it is cheap.
CREATE TABLE decision_times (
  kind TEXT PRIMARY KEY,
  since INTEGER NOT NULL,                   -- decisions from here on are counted
  until INTEGER NOT NULL CHECK (until > since),  -- midnight UTC
  decisions INTEGER NOT NULL CHECK (decisions >= 0),
  median_ms INTEGER CHECK (median_ms >= 0), -- null if there were too few decisions
  p95_ms INTEGER CHECK (p95_ms >= median_ms),
  CHECK ((median_ms IS NULL) = (p95_ms IS NULL)),
  CHECK (median_ms IS NULL OR decisions >= 20)
) STRICT;

-- Totals per hour, so that a day is at most 25 rows. The last 24 hours include the whole hour in which they start, so no
-- ceiling restarts at midnight.
CREATE TABLE decision_totals (
  queue TEXT NOT NULL CHECK (queue IN ('deposits', 'withdrawals')),
  operator TEXT NOT NULL,                   -- who decided alone, or 'house': everything that was credited or paid
  hour INTEGER NOT NULL,                    -- hours since 1970
  amount INTEGER NOT NULL CHECK (amount >= 0),  -- cents
  PRIMARY KEY (queue, operator, hour)
) STRICT, WITHOUT ROWID;

-- A total only grows. A hand-written change can only make a ceiling stricter.
CREATE TRIGGER decision_totals_open_once BEFORE INSERT ON decision_totals
BEGIN
  SELECT RAISE(ABORT, 'decision_totals: hour already open')
    WHERE NEW.amount < 0
      OR EXISTS (SELECT 1 FROM decision_totals WHERE queue = NEW.queue AND operator = NEW.operator AND hour = NEW.hour);
END;
CREATE TRIGGER decision_totals_grow BEFORE UPDATE ON decision_totals
BEGIN
  SELECT RAISE(ABORT, 'decision_totals: total only increases')
    WHERE NEW.queue IS NOT OLD.queue OR NEW.operator IS NOT OLD.operator OR NEW.hour IS NOT OLD.hour OR NEW.amount < OLD.amount;
END;

-- Four ceilings in cents, set by two administrators. The defaults are those of src/contract/operator/settingList.ts.
CREATE VIEW daily_ceilings (credits_alone, payouts_alone, credits, payouts) AS
  SELECT coalesce(json_extract(value, '$.creditsAlone'), 2500000), coalesce(json_extract(value, '$.payoutsAlone'), 2500000),
         coalesce(json_extract(value, '$.credits'), 1000000000), coalesce(json_extract(value, '$.payouts'), 1000000000)
  FROM (SELECT (SELECT value FROM settings WHERE key = 'dailyCeilings') AS value);

-- The operators who made money of an investor: who credited a deposit, decided a bonus or the reversal of a payout, and who credited
-- or identified somebody for whom the investor has a referral bonus. At most five parts, which is D1's limit.
CREATE VIEW credited_by (investor, operator) AS
  SELECT investor, actor FROM request_events INDEXED BY request_events_credited_by
    WHERE status = 'approved' AND reference_key IS NOT NULL
  UNION ALL
  SELECT investor, second_operator FROM request_events INDEXED BY request_events_credited_second
    WHERE status = 'approved' AND second_operator IS NOT NULL
  UNION ALL
  SELECT p.investor, o.id FROM proposals p JOIN users o ON o.id IN (p.proposed_by, p.decided_by)
    WHERE p.kind = 'bonus' AND p.status = 'approved'
  UNION ALL
  SELECT r.investor, o.id FROM requests r CROSS JOIN proposals p ON p.request = r.id AND p.kind = 'reversal' AND p.status = 'approved'
      CROSS JOIN users o ON o.id IN (p.proposed_by, p.decided_by)
    WHERE +r.queue = 'withdrawals' AND r.status = 'reversed'
  UNION ALL
  SELECT b.referrer, o.id FROM referral_bonuses b JOIN users o ON o.role = 'operator' AND (
      EXISTS (
        SELECT 1 FROM request_events WHERE investor = b.invitee AND actor = o.id AND status = 'approved' AND reference_key IS NOT NULL)
      OR EXISTS (
        SELECT 1 FROM request_events WHERE investor = b.invitee AND second_operator = o.id AND status = 'approved')
      OR EXISTS (
        SELECT 1 FROM kyc_submissions WHERE user_id = b.invitee AND +status = 'approved' AND decided_by = o.id))
    WHERE b.granted_at IS NOT NULL;

-- Referral bonuses earned by a deposit that one operator credited alone, who counts as having credited the referrer.
CREATE VIEW bonuses_caused_alone (referrer, operator, amount, due_at) AS
  SELECT b.referrer, e.actor, b.amount, b.due_at FROM referral_bonuses b
    JOIN request_events e ON e.request = b.deposit AND e.status = 'approved' AND e.second_operator IS NULL;

-- A decision counts in the database's current hour: not in the future, and not before its request was filed.
CREATE VIEW request_hours (request, hour_of_filing, hour_now) AS
  SELECT id, created_at / 3600000, CAST(unixepoch('subsec') AS INTEGER) / 3600 FROM requests;
