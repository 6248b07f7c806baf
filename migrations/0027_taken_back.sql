-- Mistakes of operators, taken back: a first approval by whoever gave it, and the reference of what was reversed.

-- A first approval goes while nothing was credited, and only into this table, where it stays.
CREATE TABLE withdrawn_approvals (
  seq INTEGER PRIMARY KEY AUTOINCREMENT,
  request TEXT NOT NULL REFERENCES requests (id),
  operator TEXT NOT NULL REFERENCES users (id),
  reference TEXT NOT NULL,
  reference_key TEXT NOT NULL,
  amount INTEGER NOT NULL CHECK (amount > 0),
  quantity TEXT,
  note TEXT,
  approved_at INTEGER NOT NULL,
  at INTEGER NOT NULL
) STRICT;
CREATE INDEX withdrawn_approvals_by_request ON withdrawn_approvals (request, seq);
CREATE TRIGGER withdrawn_approvals_valid BEFORE INSERT ON withdrawn_approvals
BEGIN
  SELECT RAISE(ABORT, 'approvals never change') WHERE EXISTS (SELECT 1 FROM withdrawn_approvals WHERE seq = NEW.seq);
  SELECT RAISE(ABORT, 'already_decided')
    WHERE NOT EXISTS (SELECT 1 FROM requests WHERE id = NEW.request AND queue = 'deposits' AND status = 'pending');
  SELECT RAISE(ABORT, 'conflict') WHERE NOT EXISTS (SELECT 1 FROM credit_approvals WHERE request = NEW.request);
  SELECT RAISE(ABORT, 'forbidden')
    WHERE NOT EXISTS (SELECT 1 FROM credit_approvals WHERE request = NEW.request AND operator = NEW.operator)
      OR EXISTS (
        SELECT 1 FROM users WHERE id = NEW.operator
          AND (disabled_at IS NOT NULL OR instr(' ' || operator_roles || ' ', ' treasurer ') = 0));
  SELECT RAISE(ABORT, 'approvals: one is taken back as it was given')
    WHERE NOT EXISTS (
      SELECT 1 FROM credit_approvals c
      WHERE c.request = NEW.request AND c.reference = NEW.reference AND c.reference_key = NEW.reference_key
        AND c.amount = NEW.amount AND c.quantity IS NEW.quantity AND c.note IS NEW.note AND c.at = NEW.approved_at);
END;
CREATE TRIGGER withdrawn_approvals_take_effect AFTER INSERT ON withdrawn_approvals
BEGIN
  DELETE FROM credit_approvals WHERE request = NEW.request;
  SELECT RAISE(ABORT, 'approvals: this one did not go')
    WHERE EXISTS (SELECT 1 FROM credit_approvals WHERE request = NEW.request);
END;
CREATE TRIGGER withdrawn_approvals_never_change BEFORE UPDATE ON withdrawn_approvals
BEGIN
  SELECT RAISE(ABORT, 'approvals never change');
END;
CREATE TRIGGER withdrawn_approvals_keep BEFORE DELETE ON withdrawn_approvals
BEGIN
  SELECT RAISE(ABORT, 'approvals are never deleted');
END;
DROP TRIGGER credit_approvals_keep;
CREATE TRIGGER credit_approvals_keep BEFORE DELETE ON credit_approvals
BEGIN
  SELECT RAISE(ABORT, 'approvals are never deleted')
    WHERE NOT EXISTS (
      SELECT 1 FROM withdrawn_approvals w
      WHERE w.request = OLD.request AND w.operator = OLD.operator AND w.approved_at = OLD.at
        AND w.reference_key = OLD.reference_key AND w.amount = OLD.amount
        AND w.seq = (SELECT max(seq) FROM withdrawn_approvals));
END;

-- What a transaction was credited or paid under counts as used until that is reversed: what went to the wrong investor is then
-- credited to the right one, and never to two at a time. Every check asks this view; the index is for finding, no longer UNIQUE.
DROP INDEX request_events_reference;
CREATE INDEX request_events_reference ON request_events (reference_key) WHERE reference_key IS NOT NULL;
CREATE VIEW references_in_force AS
  SELECT e.reference_key, e.request FROM request_events e JOIN requests r ON r.id = e.request
  WHERE e.reference_key IS NOT NULL AND r.status <> 'reversed';

-- As before, but for the references, and for an approval that was taken back.
DROP TRIGGER credit_approvals_valid;
CREATE TRIGGER credit_approvals_valid BEFORE INSERT ON credit_approvals
BEGIN
  SELECT RAISE(ABORT, 'already_decided')
    WHERE NOT EXISTS (SELECT 1 FROM requests WHERE id = NEW.request AND queue = 'deposits' AND status = 'pending');
  SELECT RAISE(ABORT, 'conflict') WHERE EXISTS (SELECT 1 FROM credit_approvals WHERE request = NEW.request);
  SELECT RAISE(ABORT, 'reference_used')
    WHERE EXISTS (SELECT 1 FROM references_in_force WHERE reference_key = NEW.reference_key);
  SELECT RAISE(ABORT, 'forbidden')
    WHERE NOT EXISTS (SELECT 1 FROM users WHERE id = NEW.operator AND role = 'operator');
  SELECT RAISE(ABORT, 'approvals: one names an amount and a reference')
    WHERE NEW.amount NOT BETWEEN 1 AND 1000000000000 OR NEW.reference_key = '';
END;
DROP TRIGGER request_events_credit;
CREATE TRIGGER request_events_credit BEFORE INSERT ON request_events
WHEN NEW.status = 'approved'
  AND EXISTS (SELECT 1 FROM requests WHERE id = NEW.request AND queue = 'deposits' AND status = 'pending')
BEGIN
  SELECT RAISE(ABORT, 'events: a credit names its amount and reference')
    WHERE NEW.amount IS NULL OR NEW.amount NOT BETWEEN 1 AND 1000000000000
      OR NEW.reference_key IS NULL OR NEW.reference_key = '';
  SELECT RAISE(ABORT, 'reference_used')
    WHERE EXISTS (SELECT 1 FROM references_in_force WHERE reference_key = NEW.reference_key);
  -- Taken back meanwhile: whoever comes second decides anew on what stands now.
  SELECT RAISE(ABORT, 'conflict')
    WHERE NEW.second_operator IS NOT NULL
      AND NOT EXISTS (SELECT 1 FROM credit_approvals WHERE request = NEW.request AND operator = NEW.second_operator)
      AND EXISTS (SELECT 1 FROM withdrawn_approvals WHERE request = NEW.request AND operator = NEW.second_operator);
  SELECT RAISE(ABORT, 'approval_mismatch')
    WHERE EXISTS (
      SELECT 1 FROM credit_approvals WHERE request = NEW.request AND operator <> NEW.actor
        AND (amount <> NEW.amount OR reference_key <> NEW.reference_key));
  SELECT RAISE(ABORT, 'events: the second operator is who approved first')
    WHERE NEW.second_operator IS NOT NULL AND NOT EXISTS (
      SELECT 1 FROM credit_approvals WHERE request = NEW.request AND operator = NEW.second_operator
        AND operator <> NEW.actor);
  SELECT RAISE(ABORT, 'second_operator_required')
    WHERE NEW.second_operator IS NULL AND (
      EXISTS (SELECT 1 FROM credit_approvals WHERE request = NEW.request)
      OR NEW.amount > (SELECT asked FROM requests WHERE id = NEW.request)
      OR NEW.amount + (
        SELECT coalesce(sum(amount), 0) FROM request_events
        WHERE investor = NEW.investor AND actor = NEW.actor AND status = 'approved' AND at > NEW.at - 86400000
          AND second_operator IS NULL AND reference_key IS NOT NULL
      ) > coalesce((SELECT CAST(value AS INTEGER) FROM settings WHERE key = 'twoPersonLimit'), 500000));
END;
DROP TRIGGER request_events_payout;
CREATE TRIGGER request_events_payout BEFORE INSERT ON request_events
WHEN NEW.status = 'completed' AND EXISTS (SELECT 1 FROM requests WHERE id = NEW.request AND status = 'approved')
BEGIN
  SELECT RAISE(ABORT, 'events: a payout names its amount and reference')
    WHERE NEW.amount IS NULL OR NEW.reference_key IS NULL OR NEW.reference_key = ''
      OR NEW.amount <> (SELECT amount FROM requests WHERE id = NEW.request);
  SELECT RAISE(ABORT, 'reference_used')
    WHERE EXISTS (SELECT 1 FROM references_in_force WHERE reference_key = NEW.reference_key);
  SELECT RAISE(ABORT, 'destination_on_hold')
    WHERE EXISTS (SELECT 1 FROM withdrawal_details WHERE request = NEW.request AND held_until > NEW.at);
  SELECT RAISE(ABORT, 'events: the second operator is who approved')
    WHERE NEW.second_operator IS NOT (
      SELECT CASE WHEN actor = NEW.actor THEN NULL ELSE actor END
      FROM request_events WHERE request = NEW.request AND status = 'approved');
  SELECT RAISE(ABORT, 'second_operator_required')
    WHERE NEW.second_operator IS NULL AND NEW.amount + (
        SELECT coalesce(sum(amount), 0) FROM request_events
        WHERE investor = NEW.investor AND actor = NEW.actor AND status = 'completed' AND at > NEW.at - 86400000
          AND second_operator IS NULL
      ) > coalesce((SELECT CAST(value AS INTEGER) FROM settings WHERE key = 'twoPersonLimit'), 500000);
END;
-- Just as before: of the rules of a table the newest is asked first, so that these keep their place in the order of refusals.
DROP TRIGGER credit_approvals_unfrozen;
CREATE TRIGGER credit_approvals_unfrozen BEFORE INSERT ON credit_approvals
BEGIN
  SELECT RAISE(ABORT, 'account_frozen')
    WHERE EXISTS (
      SELECT 1 FROM requests r JOIN users u ON u.id = r.investor
      WHERE r.id = NEW.request AND u.frozen_at IS NOT NULL);
END;
DROP TRIGGER credit_approvals_by_treasurers;
CREATE TRIGGER credit_approvals_by_treasurers BEFORE INSERT ON credit_approvals
BEGIN
  SELECT RAISE(ABORT, 'forbidden')
    WHERE EXISTS (
      SELECT 1 FROM users WHERE id = NEW.operator AND role = 'operator'
        AND (disabled_at IS NOT NULL OR instr(' ' || operator_roles || ' ', ' treasurer ') = 0));
END;
DROP TRIGGER request_events_reversal;
CREATE TRIGGER request_events_reversal BEFORE INSERT ON request_events
WHEN NEW.status = 'reversed' AND EXISTS (
  SELECT 1 FROM requests r JOIN request_transitions t ON t.queue = r.queue AND t.from_status = r.status
  WHERE r.id = NEW.request AND t.to_status = 'reversed')
BEGIN
  SELECT RAISE(ABORT, 'second_operator_required')
    WHERE NOT EXISTS (
      SELECT 1 FROM proposals WHERE request = NEW.request AND kind = 'reversal' AND status = 'approved');
END;
DROP TRIGGER request_events_held;
CREATE TRIGGER request_events_held BEFORE INSERT ON request_events
WHEN NEW.status IN ('approved', 'completed')
BEGIN
  SELECT RAISE(ABORT, 'events: a withdrawal is held before it is approved')
    WHERE EXISTS (SELECT 1 FROM requests WHERE id = NEW.request AND queue = 'withdrawals')
      AND NOT EXISTS (SELECT 1 FROM transfers WHERE ref = NEW.request AND code = 'hold');
END;
DROP TRIGGER request_events_on_hold;
CREATE TRIGGER request_events_on_hold BEFORE INSERT ON request_events
WHEN NEW.status = 'completed'
BEGIN
  SELECT RAISE(ABORT, 'destination_on_hold')
    WHERE EXISTS (
      SELECT 1 FROM withdrawal_details
      WHERE request = NEW.request AND held_until > min(NEW.at, CAST(unixepoch('subsec') * 1000 AS INTEGER)));
END;
DROP TRIGGER request_events_unfrozen;
CREATE TRIGGER request_events_unfrozen BEFORE INSERT ON request_events
WHEN NEW.status IN ('approved', 'completed')
BEGIN
  SELECT RAISE(ABORT, 'account_frozen')
    WHERE EXISTS (
      SELECT 1 FROM requests r JOIN users u ON u.id = r.investor
      WHERE r.id = NEW.request AND u.frozen_at IS NOT NULL);
END;
DROP TRIGGER request_events_by_treasurers;
CREATE TRIGGER request_events_by_treasurers BEFORE INSERT ON request_events
BEGIN
  SELECT RAISE(ABORT, 'forbidden')
    WHERE EXISTS (
      SELECT 1 FROM users WHERE id = NEW.actor AND role = 'operator'
        AND (disabled_at IS NOT NULL OR instr(' ' || operator_roles || ' ', ' treasurer ') = 0));
END;

-- Who else is paid somewhere is told from the destinations that were ever confirmed: one row an investor, not one a withdrawal.
DROP INDEX withdrawal_details_by_destination;
CREATE INDEX known_destinations_by_hash ON known_destinations (destination_hash);
