-- Taking over an account. A change of password, e-mail address or second factor is noted by the database itself. For 72 hours
-- after one, a second factor does not spare a new destination its 24 hours. Resetting the password by mail or locking the
-- account stops what is on its way out.

-- Until now the first second factor of an account was no change of security, and one that came without the password was in
-- doubt for 72 hours. Now every second factor is a change.
UPDATE users SET security_changed_at = max(
    coalesce(security_changed_at, 0),
    coalesce((SELECT enabled_at FROM second_factors WHERE user_id = users.id), 0),
    coalesce((SELECT max(created_at) FROM passkeys WHERE user_id = users.id), 0))
  WHERE EXISTS (SELECT 1 FROM second_factors WHERE user_id = users.id AND enabled_at IS NOT NULL)
    OR EXISTS (SELECT 1 FROM passkeys WHERE user_id = users.id);
ALTER TABLE second_factors DROP COLUMN doubted_until;
ALTER TABLE users DROP COLUMN two_factor_first_at;

-- A new password is noted by the code: signing in hashes the same password anew, which is no change.
CREATE TRIGGER users_email_change_noted AFTER UPDATE OF email ON users
WHEN NEW.email <> OLD.email
BEGIN
  UPDATE users SET security_changed_at = max(coalesce(security_changed_at, 0), CAST(unixepoch('subsec') * 1000 AS INTEGER))
    WHERE id = NEW.id;
END;
CREATE TRIGGER passkeys_added_noted AFTER INSERT ON passkeys
BEGIN
  UPDATE users SET security_changed_at = max(coalesce(security_changed_at, 0), NEW.created_at) WHERE id = NEW.user_id;
END;
CREATE TRIGGER passkeys_removed_noted AFTER DELETE ON passkeys
BEGIN
  UPDATE users SET security_changed_at = max(coalesce(security_changed_at, 0), CAST(unixepoch('subsec') * 1000 AS INTEGER))
    WHERE id = OLD.user_id;
END;
CREATE TRIGGER second_factors_inserted_noted AFTER INSERT ON second_factors
WHEN NEW.enabled_at IS NOT NULL
BEGIN
  UPDATE users SET security_changed_at = max(coalesce(security_changed_at, 0), NEW.enabled_at) WHERE id = NEW.user_id;
END;
CREATE TRIGGER second_factors_enabled_noted AFTER UPDATE OF enabled_at ON second_factors
WHEN NEW.enabled_at IS NOT NULL
BEGIN
  UPDATE users SET security_changed_at = max(coalesce(security_changed_at, 0), NEW.enabled_at) WHERE id = NEW.user_id;
END;
CREATE TRIGGER second_factors_removed_noted AFTER DELETE ON second_factors
WHEN OLD.enabled_at IS NOT NULL
BEGIN
  UPDATE users SET security_changed_at = max(coalesce(security_changed_at, 0), CAST(unixepoch('subsec') * 1000 AS INTEGER))
    WHERE id = OLD.user_id;
END;
ALTER TABLE recovery_codes ADD COLUMN created_at INTEGER NOT NULL DEFAULT 0;
CREATE TRIGGER recovery_codes_issued_noted AFTER INSERT ON recovery_codes
BEGIN
  UPDATE users SET security_changed_at = max(coalesce(security_changed_at, 0), NEW.created_at) WHERE id = NEW.user_id;
END;
CREATE TRIGGER users_keep_security_change BEFORE UPDATE OF security_changed_at ON users
WHEN OLD.security_changed_at IS NOT NULL
BEGIN
  SELECT RAISE(ABORT, 'users: a change of security is never forgotten')
    WHERE NEW.security_changed_at IS NULL OR NEW.security_changed_at < OLD.security_changed_at;
END;

-- A new destination waits for 24 hours after a change of security, whatever confirmed it. The database's own clock counts as
-- well, so that a later time that somebody gives does not end the 72 hours.
CREATE TRIGGER known_destinations_wait_after_change BEFORE INSERT ON known_destinations
WHEN NEW.held_until IS NULL OR NEW.held_until < NEW.confirmed_at + 86400000
BEGIN
  SELECT RAISE(ABORT, 'destination_on_hold')
    WHERE EXISTS (
        SELECT 1 FROM users WHERE id = NEW.investor
          AND security_changed_at > min(NEW.confirmed_at, CAST(unixepoch('subsec') * 1000 AS INTEGER)) - 259200000)
      -- An upsert asks this rule for a known destination, too.
      AND NOT EXISTS (
        SELECT 1 FROM known_destinations WHERE investor = NEW.investor AND destination_hash = NEW.destination_hash);
END;
CREATE TRIGGER known_destinations_keep_waiting BEFORE UPDATE OF held_until ON known_destinations
WHEN NEW.held_until IS NULL AND OLD.held_until > min(NEW.confirmed_at, CAST(unixepoch('subsec') * 1000 AS INTEGER))
BEGIN
  SELECT RAISE(ABORT, 'destination_on_hold')
    WHERE EXISTS (
      SELECT 1 FROM users WHERE id = NEW.investor
        AND security_changed_at > min(NEW.confirmed_at, CAST(unixepoch('subsec') * 1000 AS INTEGER)) - 259200000);
END;
CREATE TRIGGER withdrawal_details_after_change BEFORE INSERT ON withdrawal_details
WHEN NEW.held_until IS NULL
BEGIN
  SELECT RAISE(ABORT, 'destination_on_hold')
    FROM requests r JOIN users u ON u.id = r.investor
    WHERE r.id = NEW.request
      AND u.security_changed_at > min(r.created_at, CAST(unixepoch('subsec') * 1000 AS INTEGER)) - 259200000
      AND NOT EXISTS (
        SELECT 1 FROM known_destinations WHERE investor = r.investor AND destination_hash = NEW.destination_hash);
END;

-- Why payouts are stopped, in the words of the timeline, and whether what was not approved yet is cancelled.
CREATE TABLE payout_stop_causes (
  cause TEXT PRIMARY KEY,
  words TEXT NOT NULL,
  cancels INTEGER NOT NULL CHECK (cancels IN (0, 1))
) STRICT, WITHOUT ROWID;
INSERT INTO payout_stop_causes VALUES
  ('password_reset', 'The password was reset by e-mail', 1),
  ('account_locked', 'The account was locked by its owner', 1),
  ('email_changed', 'The e-mail address was changed', 0);
CREATE TRIGGER payout_stop_causes_fixed_insert BEFORE INSERT ON payout_stop_causes
BEGIN
  SELECT RAISE(ABORT, 'payout_stop_causes: only a migration changes a rule');
END;
CREATE TRIGGER payout_stop_causes_fixed_update BEFORE UPDATE ON payout_stop_causes
BEGIN
  SELECT RAISE(ABORT, 'payout_stop_causes: only a migration changes a rule');
END;
CREATE TRIGGER payout_stop_causes_fixed_delete BEFORE DELETE ON payout_stop_causes
BEGIN
  SELECT RAISE(ABORT, 'payout_stop_causes: only a migration changes a rule');
END;

-- One row stops all that is on its way out of an account: the triggers below do it in the same statement.
CREATE TABLE payout_stops (
  seq INTEGER PRIMARY KEY AUTOINCREMENT,
  investor TEXT NOT NULL REFERENCES users (id),
  cause TEXT NOT NULL REFERENCES payout_stop_causes (cause),
  at INTEGER NOT NULL
) STRICT;
CREATE INDEX payout_stops_by_investor ON payout_stops (investor, seq);

-- The approvals that a stop took back. Each leaves `request_events` only into this table, where it stays.
CREATE TABLE withdrawn_payout_approvals (
  seq INTEGER PRIMARY KEY AUTOINCREMENT,
  stop INTEGER NOT NULL REFERENCES payout_stops (seq),
  request TEXT NOT NULL REFERENCES requests (id),
  operator TEXT NOT NULL REFERENCES users (id),
  approved_at INTEGER NOT NULL,
  at INTEGER NOT NULL
) STRICT;
CREATE INDEX withdrawn_payout_approvals_by_request ON withdrawn_payout_approvals (request, seq);

DROP TRIGGER request_transitions_fixed_insert;
INSERT INTO request_transitions VALUES ('withdrawals', 'approved', 'pending');
CREATE TRIGGER request_transitions_fixed_insert BEFORE INSERT ON request_transitions
BEGIN
  SELECT RAISE(ABORT, 'request_transitions: only a migration changes a rule');
END;
CREATE TRIGGER requests_decided_anew BEFORE UPDATE OF status ON requests
WHEN OLD.status = 'approved' AND NEW.status = 'pending'
BEGIN
  SELECT RAISE(ABORT, 'requests: only an approval that was taken back is decided anew')
    WHERE NOT EXISTS (SELECT 1 FROM withdrawn_payout_approvals WHERE request = OLD.id)
      OR EXISTS (SELECT 1 FROM request_events WHERE request = OLD.id AND status = 'approved');
END;

CREATE TRIGGER withdrawn_payout_approvals_valid BEFORE INSERT ON withdrawn_payout_approvals
BEGIN
  SELECT RAISE(ABORT, 'approvals never change')
    WHERE EXISTS (SELECT 1 FROM withdrawn_payout_approvals WHERE seq = NEW.seq);
  SELECT RAISE(ABORT, 'approvals: a stop takes back what its investor is to be paid')
    WHERE NOT EXISTS (
      SELECT 1 FROM payout_stops s JOIN requests r ON r.investor = s.investor
      WHERE s.seq = NEW.stop AND s.at = NEW.at AND s.seq = (SELECT max(seq) FROM payout_stops)
        AND r.id = NEW.request AND r.queue = 'withdrawals' AND r.status = 'approved');
  SELECT RAISE(ABORT, 'approvals: one is taken back as it was given')
    WHERE NOT EXISTS (
      SELECT 1 FROM request_events
      WHERE request = NEW.request AND status = 'approved' AND actor = NEW.operator AND at = NEW.approved_at);
END;
CREATE TRIGGER withdrawn_payout_approvals_take_effect AFTER INSERT ON withdrawn_payout_approvals
BEGIN
  DELETE FROM request_events WHERE request = NEW.request AND status = 'approved';
  UPDATE requests SET status = 'pending' WHERE id = NEW.request;
  SELECT RAISE(ABORT, 'approvals: this one did not go')
    WHERE EXISTS (SELECT 1 FROM request_events WHERE request = NEW.request AND status = 'approved')
      OR NOT EXISTS (SELECT 1 FROM requests WHERE id = NEW.request AND status = 'pending');
END;
CREATE TRIGGER withdrawn_payout_approvals_never_change BEFORE UPDATE ON withdrawn_payout_approvals
BEGIN
  SELECT RAISE(ABORT, 'approvals never change');
END;
CREATE TRIGGER withdrawn_payout_approvals_keep BEFORE DELETE ON withdrawn_payout_approvals
BEGIN
  SELECT RAISE(ABORT, 'approvals are never deleted');
END;
DROP TRIGGER request_events_keep;
CREATE TRIGGER request_events_keep BEFORE DELETE ON request_events
BEGIN
  SELECT RAISE(ABORT, 'events are never deleted')
    WHERE OLD.status <> 'approved' OR NOT EXISTS (
      SELECT 1 FROM withdrawn_payout_approvals w JOIN requests r ON r.id = w.request
      WHERE w.request = OLD.request AND w.operator = OLD.actor AND w.approved_at = OLD.at AND r.status = 'approved'
        AND w.seq = (SELECT max(seq) FROM withdrawn_payout_approvals));
END;

CREATE TRIGGER payout_stops_valid BEFORE INSERT ON payout_stops
BEGIN
  SELECT RAISE(ABORT, 'stops: one is written once')
    WHERE EXISTS (SELECT 1 FROM payout_stops WHERE seq = NEW.seq);
END;
CREATE TRIGGER payout_stops_take_effect AFTER INSERT ON payout_stops
BEGIN
  INSERT INTO request_events (request, status, at, actor, investor, note)
    SELECT r.id, 'cancelled', NEW.at, NEW.investor, NEW.investor, c.words
    FROM requests r JOIN payout_stop_causes c ON c.cause = NEW.cause AND c.cancels = 1
    WHERE r.investor = NEW.investor AND r.queue = 'withdrawals' AND r.status = 'pending';
  INSERT INTO transfers (id, from_account, to_account, amount, code, ref, actor, at)
    SELECT r.id || ':release', NEW.investor || ':held', NEW.investor || ':available', r.amount, 'release', r.id, NEW.investor, NEW.at
    FROM request_events e JOIN requests r ON r.id = e.request
    WHERE e.investor = NEW.investor AND e.actor = NEW.investor AND e.status = 'cancelled' AND e.at = NEW.at
      AND r.queue = 'withdrawals' AND NOT EXISTS (SELECT 1 FROM transfers t WHERE t.id = r.id || ':release');
  INSERT INTO withdrawn_payout_approvals (stop, request, operator, approved_at, at)
    SELECT NEW.seq, r.id, e.actor, e.at, NEW.at
    FROM requests r JOIN request_events e ON e.request = r.id AND e.status = 'approved'
    WHERE r.investor = NEW.investor AND r.queue = 'withdrawals' AND r.status = 'approved';
  -- What a redemption brings stays in the account. The plus signs keep SQLite from walking all orders there ever were.
  UPDATE unit_orders SET onward = NULL
    WHERE investor = NEW.investor AND status = 'pending' AND +onward IS NOT NULL
      AND EXISTS (SELECT 1 FROM payout_stop_causes WHERE cause = NEW.cause AND cancels = 1);
  UPDATE unit_orders SET onward = NULL, onward_at = NEW.at
    WHERE +investor = NEW.investor AND status = 'settled' AND onward IS NOT NULL AND onward_at IS NULL
      AND EXISTS (SELECT 1 FROM payout_stop_causes WHERE cause = NEW.cause AND cancels = 1);
  SELECT RAISE(ABORT, 'stops: something is still on its way out')
    WHERE EXISTS (SELECT 1 FROM requests WHERE investor = NEW.investor AND queue = 'withdrawals' AND status = 'approved')
      OR EXISTS (
        SELECT 1 FROM requests r WHERE r.investor = NEW.investor AND r.queue = 'withdrawals' AND r.status = 'pending'
          AND (SELECT cancels FROM payout_stop_causes WHERE cause = NEW.cause) = 1
          AND NOT EXISTS (SELECT 1 FROM withdrawn_payout_approvals w WHERE w.request = r.id AND w.stop = NEW.seq));
END;
CREATE TRIGGER payout_stops_never_change BEFORE UPDATE ON payout_stops
BEGIN
  SELECT RAISE(ABORT, 'stops never change');
END;
CREATE TRIGGER payout_stops_keep BEFORE DELETE ON payout_stops
BEGIN
  SELECT RAISE(ABORT, 'stops are never deleted');
END;
