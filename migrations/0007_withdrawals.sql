-- Withdrawals: where they go, how they were confirmed, and stops of all payouts of an account.

-- An investor's address book. Saving an address does not confirm it as a destination.
CREATE TABLE saved_addresses (
  seq INTEGER PRIMARY KEY AUTOINCREMENT,
  id TEXT NOT NULL UNIQUE,
  investor TEXT NOT NULL REFERENCES users (id),
  label TEXT NOT NULL COLLATE NOCASE,
  network TEXT NOT NULL REFERENCES networks (name),
  address TEXT NOT NULL,
  destination_hash TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  UNIQUE (destination_hash, investor),
  UNIQUE (label, investor)
) STRICT;
CREATE INDEX saved_addresses_by_investor ON saved_addresses (investor, created_at, seq);

CREATE TRIGGER saved_addresses_limit BEFORE INSERT ON saved_addresses
WHEN (SELECT count(*) FROM saved_addresses WHERE investor = NEW.investor) >= 50
BEGIN
  SELECT RAISE(ABORT, 'too_many_addresses');
END;

-- Destinations to which a withdrawal was confirmed with extra proof.
CREATE TABLE known_destinations (
  investor TEXT NOT NULL REFERENCES users (id),
  destination_hash TEXT NOT NULL,
  confirmed_at INTEGER NOT NULL,
  -- Withdrawals to this destination are paid from this time on; null: at once. All withdrawals filed before then are delayed
  -- until the same time, so later ones do not wait longer. A second factor lifts the delay for later withdrawals.
  held_until INTEGER,
  -- The hash of a bank destination covers every field that routes or names. This hash covers only the account (bank, branch
  -- code, number) or the address, so that other investors with the same account are found.
  account_hash TEXT,
  PRIMARY KEY (investor, destination_hash)
) STRICT;
CREATE INDEX known_destinations_by_account ON known_destinations (account_hash);

CREATE TRIGGER known_destinations_keep_hold BEFORE UPDATE OF held_until ON known_destinations
WHEN NEW.held_until IS NOT NULL AND NEW.held_until IS NOT OLD.held_until
BEGIN
  SELECT RAISE(ABORT, 'known_destinations: immutable hold');
END;
-- After a security change, a new destination is delayed by 24 hours, however it was confirmed. The database's clock counts
-- too, so a later time given by the caller does not end the 72 hours.
CREATE TRIGGER known_destinations_wait_after_change BEFORE INSERT ON known_destinations
WHEN NEW.held_until IS NULL OR NEW.held_until < NEW.confirmed_at + 86400000
BEGIN
  SELECT RAISE(ABORT, 'destination_on_hold')
    WHERE EXISTS (
        SELECT 1 FROM users WHERE id = NEW.investor
          AND security_changed_at > min(NEW.confirmed_at, CAST(unixepoch('subsec') * 1000 AS INTEGER)) - 259200000)
      -- This trigger also runs for an upsert of a known destination.
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

-- Mailed codes for a withdrawal, bound to its amount and destination.
CREATE TABLE withdrawal_codes (
  id TEXT PRIMARY KEY,
  investor TEXT NOT NULL REFERENCES users (id),
  amount INTEGER NOT NULL,
  destination_hash TEXT NOT NULL,
  code_hash TEXT NOT NULL,
  tries INTEGER NOT NULL DEFAULT 0,
  created_at INTEGER NOT NULL,
  expires_at INTEGER NOT NULL,
  -- When the link in the same mail was used. The request then passes once without the code.
  confirmed_at INTEGER,
  used_at INTEGER
) STRICT;
CREATE INDEX withdrawal_codes_live ON withdrawal_codes (investor, amount, destination_hash) WHERE used_at IS NULL;
CREATE INDEX withdrawal_codes_by_expiry ON withdrawal_codes (expires_at);
CREATE INDEX withdrawal_codes_by_investor ON withdrawal_codes (investor, id);

CREATE TRIGGER withdrawal_codes_once BEFORE UPDATE OF used_at ON withdrawal_codes
WHEN OLD.used_at IS NOT NULL
BEGIN
  SELECT RAISE(ABORT, 'invalid_code');
END;
-- After 30 wrong mailed codes within seven days, correct codes are refused too.
CREATE TRIGGER withdrawal_codes_limit BEFORE UPDATE OF used_at ON withdrawal_codes
WHEN (SELECT count(*) FROM code_failures
      WHERE user_id = OLD.investor AND mailed = 1 AND at > NEW.used_at - 604800000) >= 30
BEGIN
  SELECT RAISE(ABORT, 'too_many_codes');
END;

CREATE TABLE withdrawal_details (
  request TEXT PRIMARY KEY REFERENCES requests (id),
  coin TEXT,
  network TEXT REFERENCES networks (name),    -- null: to a bank
  address TEXT,
  bank TEXT,                                -- JSON of the bank's fields
  destination_hash TEXT NOT NULL,
  session_id TEXT NOT NULL,
  proof TEXT NOT NULL CHECK (proof IN ('none', 'email', 'totp', 'passkey')),
  reasons TEXT NOT NULL DEFAULT '[]',       -- JSON: why proof was required
  held_until INTEGER,
  quantity TEXT,
  rate TEXT,
  -- The passkey that confirmed it, if `proof` is 'passkey'.
  passkey TEXT,
  -- As in known_destinations.
  account_hash TEXT,
  CHECK ((bank IS NULL) = (address IS NOT NULL)),
  CHECK ((bank IS NULL) = (network IS NOT NULL))
) STRICT, WITHOUT ROWID;
CREATE INDEX withdrawal_details_by_address ON withdrawal_details (address) WHERE address IS NOT NULL;

-- The destination that the investor asked for never changes.
CREATE TRIGGER withdrawal_details_filed BEFORE INSERT ON withdrawal_details
BEGIN
  SELECT RAISE(ABORT, 'withdrawal_details: already filed or without a pending request')
    WHERE EXISTS (SELECT 1 FROM withdrawal_details WHERE request = NEW.request)
      OR NOT EXISTS (SELECT 1 FROM requests WHERE id = NEW.request AND queue = 'withdrawals' AND status = 'pending');
END;
-- A withdrawal of a large share needs extra proof: this amount and those filed within a day (except cancelled and rejected)
-- against the rest. Checked here, so that concurrent requests cannot avoid it.
CREATE TRIGGER withdrawal_details_large_share BEFORE INSERT ON withdrawal_details
WHEN NEW.proof = 'none'
BEGIN
  SELECT RAISE(ABORT, 'step_up_required')
    WHERE EXISTS (
      SELECT 1 FROM requests r JOIN accounts a ON a.id = r.investor || ':available'
      WHERE r.id = NEW.request AND (
        SELECT coalesce(sum(o.amount), 0) FROM requests o
        WHERE o.investor = r.investor AND o.kind IN ('withdrawal', 'online-service-withdrawal')
          AND o.created_at > r.created_at - 86400000 AND o.status NOT IN ('cancelled', 'rejected')
      ) > a.balance - r.amount);
END;
-- A withdrawal has exactly the delay that its destination has at that moment.
CREATE TRIGGER withdrawal_details_on_hold BEFORE INSERT ON withdrawal_details
BEGIN
  SELECT RAISE(ABORT, 'destination_on_hold')
    FROM requests r LEFT JOIN known_destinations k
      ON k.investor = r.investor AND k.destination_hash = NEW.destination_hash AND k.held_until > r.created_at
    WHERE r.id = NEW.request AND NEW.held_until IS NOT k.held_until;
END;
CREATE TRIGGER withdrawal_details_immutable BEFORE UPDATE ON withdrawal_details
BEGIN
  SELECT RAISE(ABORT, 'withdrawal_details: immutable columns')
    WHERE NEW.request IS NOT OLD.request OR NEW.coin IS NOT OLD.coin OR NEW.network IS NOT OLD.network
      OR NEW.session_id IS NOT OLD.session_id
      OR NEW.proof IS NOT OLD.proof OR NEW.reasons IS NOT OLD.reasons OR NEW.held_until IS NOT OLD.held_until
      OR (OLD.quantity IS NOT NULL AND NEW.quantity IS NOT OLD.quantity)
      OR (OLD.rate IS NOT NULL AND NEW.rate IS NOT OLD.rate)
      OR ((NEW.address IS NOT OLD.address OR NEW.bank IS NOT OLD.bank OR NEW.destination_hash IS NOT OLD.destination_hash)
        AND (coalesce(NEW.address, '') <> '' OR NEW.destination_hash <> ''
          OR EXISTS (SELECT 1 FROM json_each(coalesce(NEW.bank, '{}')) WHERE value IS NOT '')
          OR NOT EXISTS (
            SELECT 1 FROM requests r JOIN users u ON u.id = r.investor
            WHERE r.id = OLD.request AND u.erased_at IS NOT NULL)));
END;
CREATE TRIGGER withdrawal_details_by_passkey BEFORE INSERT ON withdrawal_details
WHEN (NEW.passkey IS NOT NULL) <> (NEW.proof = 'passkey')
BEGIN
  SELECT RAISE(ABORT, 'withdrawal_details: passkey without its proof');
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
CREATE TRIGGER withdrawal_details_account_immutable BEFORE UPDATE OF account_hash ON withdrawal_details
BEGIN
  SELECT RAISE(ABORT, 'withdrawal_details: immutable columns')
    WHERE NEW.account_hash IS NOT OLD.account_hash AND (NEW.account_hash IS NOT '' OR NOT EXISTS (
      SELECT 1 FROM requests r JOIN users u ON u.id = r.investor WHERE r.id = OLD.request AND u.erased_at IS NOT NULL));
END;

-- Why payouts are stopped, as shown in the timeline, and whether pending withdrawals are cancelled.
CREATE TABLE payout_stop_causes (
  cause TEXT PRIMARY KEY,
  words TEXT NOT NULL,
  cancels INTEGER NOT NULL CHECK (cancels IN (0, 1)),
  -- For so many days afterwards, no operator alone approves and pays a withdrawal of this investor.
  second_operator_days INTEGER NOT NULL DEFAULT 0 CHECK (second_operator_days >= 0)
) STRICT, WITHOUT ROWID;
INSERT INTO payout_stop_causes VALUES
  ('password_reset', 'The password was reset by e-mail', 1, 7),
  ('account_locked', 'The account was locked by its owner', 1, 7),
  ('factors_removed', 'The second factor was removed by operators', 1, 7),
  ('email_changed', 'The e-mail address was changed', 0, 7),
  ('password_changed', 'The password was changed in another session', 1, 0),
  ('factor_changed', 'A second factor was changed in another session', 1, 0),
  ('session_ended', 'The session that requested it was ended', 1, 0);

-- One row stops all payouts of an account. Its triggers do so in the same statement.
CREATE TABLE payout_stops (
  seq INTEGER PRIMARY KEY AUTOINCREMENT,
  investor TEXT NOT NULL REFERENCES users (id),
  cause TEXT NOT NULL REFERENCES payout_stop_causes (cause),
  at INTEGER NOT NULL,
  -- It stops what was filed in this one session, or in every session but the kept one. Both null: everything.
  ended_session TEXT,
  kept_session TEXT
) STRICT;
CREATE INDEX payout_stops_by_investor ON payout_stops (investor, seq);

CREATE TRIGGER payout_stops_valid BEFORE INSERT ON payout_stops
BEGIN
  SELECT RAISE(ABORT, 'payout_stops: already stored')
    WHERE EXISTS (SELECT 1 FROM payout_stops WHERE seq = NEW.seq);
END;
CREATE TRIGGER payout_stops_take_effect AFTER INSERT ON payout_stops
BEGIN
  INSERT INTO request_events (request, status, at, actor, investor, note)
    SELECT r.id, 'cancelled', NEW.at, NEW.investor, NEW.investor, c.words
    FROM requests r JOIN payout_stop_causes c ON c.cause = NEW.cause AND c.cancels = 1
    WHERE r.investor = NEW.investor AND r.queue = 'withdrawals' AND r.status = 'pending'
      AND NOT EXISTS (
        SELECT 1 FROM withdrawal_details d
        WHERE d.request = r.id AND (d.session_id = NEW.kept_session OR d.session_id <> NEW.ended_session));
  INSERT INTO transfers (id, from_account, to_account, amount, code, ref, actor, at)
    SELECT r.id || ':release', NEW.investor || ':held', NEW.investor || ':available', r.amount, 'release', r.id, NEW.investor, NEW.at
    FROM request_events e JOIN requests r ON r.id = e.request
    WHERE e.investor = NEW.investor AND e.actor = NEW.investor AND e.status = 'cancelled' AND e.at = NEW.at
      AND r.queue = 'withdrawals' AND NOT EXISTS (SELECT 1 FROM transfers t WHERE t.id = r.id || ':release');
  INSERT INTO withdrawn_payout_approvals (stop, request, operator, approved_at, at)
    SELECT NEW.seq, r.id, e.actor, e.at, NEW.at
    FROM requests r JOIN request_events e ON e.request = r.id AND e.status = 'approved'
    WHERE r.investor = NEW.investor AND r.queue = 'withdrawals' AND r.status = 'approved'
      AND NOT EXISTS (SELECT 1 FROM sent_withdrawals s WHERE s.request = r.id)
      AND NOT EXISTS (
        SELECT 1 FROM withdrawal_details d
        WHERE d.request = r.id AND (d.session_id = NEW.kept_session OR d.session_id <> NEW.ended_session));
  -- The proceeds of a redemption stay in the account. The plus signs keep SQLite from scanning all orders.
  UPDATE unit_orders SET onward = NULL
    WHERE investor = NEW.investor AND status = 'pending' AND +onward IS NOT NULL
      AND coalesce(json_extract(onward, '$.sessionId') = NEW.kept_session OR json_extract(onward, '$.sessionId') <> NEW.ended_session, 0) = 0
      AND EXISTS (SELECT 1 FROM payout_stop_causes WHERE cause = NEW.cause AND cancels = 1);
  UPDATE unit_orders SET onward = NULL, onward_at = NEW.at
    WHERE +investor = NEW.investor AND status = 'settled' AND onward IS NOT NULL AND onward_at IS NULL
      AND coalesce(json_extract(onward, '$.sessionId') = NEW.kept_session OR json_extract(onward, '$.sessionId') <> NEW.ended_session, 0) = 0
      AND EXISTS (SELECT 1 FROM payout_stop_causes WHERE cause = NEW.cause AND cancels = 1);
  SELECT RAISE(ABORT, 'payout_stops: payouts in progress')
    WHERE EXISTS (
        SELECT 1 FROM requests r WHERE r.investor = NEW.investor AND r.queue = 'withdrawals' AND r.status = 'approved'
          AND NOT EXISTS (SELECT 1 FROM sent_withdrawals s WHERE s.request = r.id)
          AND NOT EXISTS (
            SELECT 1 FROM withdrawal_details d
            WHERE d.request = r.id AND (d.session_id = NEW.kept_session OR d.session_id <> NEW.ended_session)))
      OR EXISTS (
        SELECT 1 FROM requests r WHERE r.investor = NEW.investor AND r.queue = 'withdrawals' AND r.status = 'pending'
          AND (SELECT cancels FROM payout_stop_causes WHERE cause = NEW.cause) = 1
          AND NOT EXISTS (SELECT 1 FROM withdrawn_payout_approvals w WHERE w.request = r.id AND w.stop = NEW.seq)
          AND NOT EXISTS (
            SELECT 1 FROM withdrawal_details d
            WHERE d.request = r.id AND (d.session_id = NEW.kept_session OR d.session_id <> NEW.ended_session)));
END;

-- After a reset, a lock and the like, one operator alone does not pay this investor, and never what a stop sent back to a decision.
-- The database's clock counts too, so a later time given by the caller does not end the days.
CREATE TRIGGER request_events_after_stop AFTER INSERT ON request_events
WHEN NEW.status = 'completed' AND NEW.second_operator IS NULL
BEGIN
  SELECT RAISE(ABORT, 'second_operator_required')
    WHERE EXISTS (SELECT 1 FROM withdrawn_payout_approvals WHERE request = NEW.request)
      OR EXISTS (
        SELECT 1 FROM payout_stops s JOIN payout_stop_causes c ON c.cause = s.cause
        WHERE s.investor = NEW.investor
          AND s.at > min(NEW.at, CAST(unixepoch('subsec') * 1000 AS INTEGER)) - c.second_operator_days * 86400000);
END;

-- Approvals withdrawn by a stop. An approval leaves `request_events` only for this table, where it stays.
CREATE TABLE withdrawn_payout_approvals (
  seq INTEGER PRIMARY KEY AUTOINCREMENT,
  stop INTEGER NOT NULL REFERENCES payout_stops (seq),
  request TEXT NOT NULL REFERENCES requests (id),
  operator TEXT NOT NULL REFERENCES users (id),
  approved_at INTEGER NOT NULL,
  at INTEGER NOT NULL
) STRICT;
CREATE INDEX withdrawn_payout_approvals_by_request ON withdrawn_payout_approvals (request, seq);

CREATE TRIGGER withdrawn_payout_approvals_valid BEFORE INSERT ON withdrawn_payout_approvals
BEGIN
  SELECT RAISE(ABORT, 'withdrawn_payout_approvals: immutable')
    WHERE EXISTS (SELECT 1 FROM withdrawn_payout_approvals WHERE seq = NEW.seq);
  SELECT RAISE(ABORT, 'withdrawn_payout_approvals: no approved withdrawal of the stop')
    WHERE NOT EXISTS (
      SELECT 1 FROM payout_stops s JOIN requests r ON r.investor = s.investor
      WHERE s.seq = NEW.stop AND s.at = NEW.at AND s.seq = (SELECT max(seq) FROM payout_stops)
        AND r.id = NEW.request AND r.queue = 'withdrawals' AND r.status = 'approved');
  SELECT RAISE(ABORT, 'withdrawn_payout_approvals: differs from the approval')
    WHERE NOT EXISTS (
      SELECT 1 FROM request_events
      WHERE request = NEW.request AND status = 'approved' AND actor = NEW.operator AND at = NEW.approved_at);
END;
CREATE TRIGGER withdrawn_payout_approvals_take_effect AFTER INSERT ON withdrawn_payout_approvals
BEGIN
  DELETE FROM request_events WHERE request = NEW.request AND status = 'approved';
  UPDATE requests SET status = 'pending' WHERE id = NEW.request;
  SELECT RAISE(ABORT, 'withdrawn_payout_approvals: approval not removed')
    WHERE EXISTS (SELECT 1 FROM request_events WHERE request = NEW.request AND status = 'approved')
      OR NOT EXISTS (SELECT 1 FROM requests WHERE id = NEW.request AND status = 'pending');
END;
