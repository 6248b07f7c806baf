-- Deposits and withdrawals: one row each, details one to one, and the events that move them from state to state.

CREATE TABLE proposals (
  seq INTEGER PRIMARY KEY AUTOINCREMENT,
  id TEXT NOT NULL UNIQUE,
  kind TEXT NOT NULL CHECK (kind IN ('bonus', 'wallet', 'settings', 'reversal')),
  status TEXT NOT NULL DEFAULT 'pending' CHECK (status IN ('pending', 'approved', 'rejected')),
  created_at INTEGER NOT NULL,
  proposed_by TEXT NOT NULL REFERENCES users (id),
  decided_by TEXT REFERENCES users (id),
  decided_at INTEGER,
  reason TEXT,
  rejection TEXT,
  investor TEXT REFERENCES users (id),      -- bonus
  amount INTEGER CHECK (amount > 0),        -- bonus
  request TEXT,                             -- reversal
  payload TEXT NOT NULL DEFAULT '{}'        -- JSON: a wallet's fields, or settings by key as they will stand
) STRICT;
CREATE INDEX proposals_by_status ON proposals (status, seq);
CREATE INDEX proposals_by_request ON proposals (request, status) WHERE request IS NOT NULL;

CREATE TRIGGER proposals_start_pending BEFORE INSERT ON proposals
BEGIN
  SELECT RAISE(ABORT, 'proposals: one starts as pending')
    WHERE NEW.status <> 'pending' OR NEW.decided_by IS NOT NULL OR NEW.decided_at IS NOT NULL
      OR EXISTS (SELECT 1 FROM proposals WHERE id = NEW.id OR seq = NEW.seq);
  SELECT RAISE(ABORT, 'proposals: an operator proposes')
    WHERE NOT EXISTS (SELECT 1 FROM users WHERE id = NEW.proposed_by AND role = 'operator');
END;
-- Four eyes: who proposed cannot approve. No code path and no hand-written statement gets past this.
CREATE TRIGGER proposals_decided_once BEFORE UPDATE ON proposals
BEGIN
  SELECT RAISE(ABORT, 'already_decided') WHERE OLD.status <> 'pending' OR NEW.status NOT IN ('approved', 'rejected');
  SELECT RAISE(ABORT, 'proposals: what was proposed never changes')
    WHERE NEW.id IS NOT OLD.id OR NEW.kind IS NOT OLD.kind OR NEW.proposed_by IS NOT OLD.proposed_by
      OR NEW.investor IS NOT OLD.investor OR NEW.amount IS NOT OLD.amount OR NEW.request IS NOT OLD.request
      OR NEW.payload IS NOT OLD.payload OR NEW.reason IS NOT OLD.reason OR NEW.seq IS NOT OLD.seq
      OR NEW.created_at IS NOT OLD.created_at;
  SELECT RAISE(ABORT, 'proposals: an operator decides')
    WHERE NEW.decided_by IS NULL OR NEW.decided_at IS NULL
      OR NOT EXISTS (SELECT 1 FROM users WHERE id = NEW.decided_by AND role = 'operator');
  SELECT RAISE(ABORT, 'second_operator_required')
    WHERE NEW.status = 'approved' AND NEW.decided_by = OLD.proposed_by;
END;
CREATE TRIGGER proposals_keep BEFORE DELETE ON proposals
BEGIN
  SELECT RAISE(ABORT, 'proposals: one is never deleted');
END;

CREATE TABLE settings (
  key TEXT PRIMARY KEY,
  value TEXT NOT NULL,                      -- JSON; amounts in cents
  proposal TEXT REFERENCES proposals (id),
  updated_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;                    -- here and below: a replaced rowid would delete a row in silence
-- A guarded setting stands as two people decided, and an older decision never comes back.
CREATE TRIGGER settings_guarded_insert BEFORE INSERT ON settings
WHEN NEW.key NOT IN ('messagingNumber', 'supportAddress', 'reasons')
BEGIN
  SELECT RAISE(ABORT, 'second_operator_required')
    WHERE NOT EXISTS (
      SELECT 1 FROM proposals p
      WHERE p.id = NEW.proposal AND p.kind = 'settings' AND p.status = 'approved'
        AND json_extract(p.payload, '$.' || NEW.key) = json_extract(NEW.value, '$')
        AND p.decided_at >= coalesce((
          SELECT max(o.decided_at) FROM settings s JOIN proposals o ON o.id = s.proposal WHERE s.key = NEW.key), 0));
END;
CREATE TRIGGER settings_guarded_update BEFORE UPDATE ON settings
WHEN NEW.key NOT IN ('messagingNumber', 'supportAddress', 'reasons')
  OR OLD.key NOT IN ('messagingNumber', 'supportAddress', 'reasons')
BEGIN
  SELECT RAISE(ABORT, 'second_operator_required') WHERE NEW.key <> OLD.key;
  SELECT RAISE(ABORT, 'second_operator_required')
    WHERE NOT EXISTS (
      SELECT 1 FROM proposals p
      WHERE p.id = NEW.proposal AND p.kind = 'settings' AND p.status = 'approved'
        -- Of a group, the parts that were decided join what stands.
        AND CASE json_type(NEW.value)
          WHEN 'object' THEN json(NEW.value) = json_patch(OLD.value, json_extract(p.payload, '$.' || NEW.key))
          ELSE json_extract(p.payload, '$.' || NEW.key) = json_extract(NEW.value, '$') END
        AND p.decided_at >= coalesce((
          SELECT max(o.decided_at) FROM settings s JOIN proposals o ON o.id = s.proposal WHERE s.key = NEW.key), 0));
END;
CREATE TRIGGER settings_keep BEFORE DELETE ON settings
WHEN OLD.key NOT IN ('messagingNumber', 'supportAddress', 'reasons')
BEGIN
  SELECT RAISE(ABORT, 'second_operator_required');
END;

CREATE TABLE wallets (
  seq INTEGER PRIMARY KEY AUTOINCREMENT,
  id TEXT NOT NULL UNIQUE,
  coin TEXT NOT NULL,
  network TEXT NOT NULL,
  address TEXT NOT NULL,
  simulated INTEGER NOT NULL CHECK (simulated IN (0, 1)),
  proposal TEXT NOT NULL UNIQUE REFERENCES proposals (id),
  created_at INTEGER NOT NULL,
  retired_at INTEGER
) STRICT;
CREATE UNIQUE INDEX wallets_active_once ON wallets (network, address) WHERE retired_at IS NULL;
CREATE INDEX wallets_active ON wallets (seq) WHERE retired_at IS NULL;
CREATE TRIGGER wallets_need_two BEFORE INSERT ON wallets
BEGIN
  SELECT RAISE(ABORT, 'wallets: a proposal gives one address, once')
    WHERE NEW.retired_at IS NOT NULL
      OR EXISTS (SELECT 1 FROM wallets WHERE id = NEW.id OR seq = NEW.seq OR proposal = NEW.proposal);
  SELECT RAISE(ABORT, 'conflict')
    WHERE EXISTS (SELECT 1 FROM wallets WHERE network = NEW.network AND address = NEW.address AND retired_at IS NULL);
  SELECT RAISE(ABORT, 'second_operator_required')
    WHERE NOT EXISTS (
      SELECT 1 FROM proposals WHERE id = NEW.proposal AND kind = 'wallet' AND status = 'approved'
        AND json_extract(payload, '$.address') = NEW.address AND json_extract(payload, '$.network') = NEW.network
        AND json_extract(payload, '$.walletName') = NEW.coin);
END;
CREATE TRIGGER wallets_never_change BEFORE UPDATE ON wallets
BEGIN
  SELECT RAISE(ABORT, 'wallets: an address never changes')
    WHERE NEW.id IS NOT OLD.id OR NEW.address IS NOT OLD.address OR NEW.network IS NOT OLD.network
      OR NEW.coin IS NOT OLD.coin OR NEW.simulated IS NOT OLD.simulated OR NEW.proposal IS NOT OLD.proposal
      OR NEW.seq IS NOT OLD.seq OR NEW.created_at IS NOT OLD.created_at;
  SELECT RAISE(ABORT, 'already_decided') WHERE OLD.retired_at IS NOT NULL;
END;
CREATE TRIGGER wallets_keep BEFORE DELETE ON wallets
BEGIN
  SELECT RAISE(ABORT, 'wallets: one is retired, never deleted');
END;

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
  ('withdrawals', 'completed', 'reversed');
-- A migration that adds a rule drops these and makes them again.
CREATE TRIGGER request_kinds_fixed_insert BEFORE INSERT ON request_kinds
BEGIN
  SELECT RAISE(ABORT, 'request_kinds: only a migration changes a rule');
END;
CREATE TRIGGER request_kinds_fixed_update BEFORE UPDATE ON request_kinds
BEGIN
  SELECT RAISE(ABORT, 'request_kinds: only a migration changes a rule');
END;
CREATE TRIGGER request_kinds_fixed_delete BEFORE DELETE ON request_kinds
BEGIN
  SELECT RAISE(ABORT, 'request_kinds: only a migration changes a rule');
END;
CREATE TRIGGER request_transitions_fixed_insert BEFORE INSERT ON request_transitions
BEGIN
  SELECT RAISE(ABORT, 'request_transitions: only a migration changes a rule');
END;
CREATE TRIGGER request_transitions_fixed_update BEFORE UPDATE ON request_transitions
BEGIN
  SELECT RAISE(ABORT, 'request_transitions: only a migration changes a rule');
END;
CREATE TRIGGER request_transitions_fixed_delete BEFORE DELETE ON request_transitions
BEGIN
  SELECT RAISE(ABORT, 'request_transitions: only a migration changes a rule');
END;

CREATE TABLE requests (
  seq INTEGER PRIMARY KEY AUTOINCREMENT,    -- the order of filing: cursors of every list
  id TEXT NOT NULL UNIQUE,
  ref TEXT NOT NULL UNIQUE,
  investor TEXT NOT NULL REFERENCES users (id),
  kind TEXT NOT NULL REFERENCES request_kinds (kind),
  queue TEXT NOT NULL CHECK (queue IN ('deposits', 'withdrawals')),
  status TEXT NOT NULL DEFAULT 'pending',
  amount INTEGER NOT NULL CHECK (amount > 0),  -- cents: asked until credited, then what was credited
  asked INTEGER NOT NULL CHECK (asked > 0),    -- cents
  created_at INTEGER NOT NULL
) STRICT;
CREATE INDEX requests_history ON requests (investor, created_at);
CREATE INDEX requests_history_by_kind ON requests (investor, kind, created_at);
CREATE INDEX requests_history_by_status ON requests (investor, status, created_at);
CREATE INDEX requests_history_by_both ON requests (investor, kind, status, created_at);
CREATE INDEX requests_queue ON requests (queue, created_at);
CREATE INDEX requests_queue_by_status ON requests (queue, status, created_at);
-- Small whatever the history's length: at most 20 of each are open.
CREATE INDEX requests_open ON requests (investor, queue, status, amount) WHERE status IN ('pending', 'approved') AND NOT (queue = 'deposits' AND status = 'approved');

CREATE TABLE request_events (
  request TEXT NOT NULL REFERENCES requests (id),
  status TEXT NOT NULL,
  at INTEGER NOT NULL,
  actor TEXT NOT NULL REFERENCES users (id),
  investor TEXT NOT NULL,                   -- the request's, repeated so that a day's decisions are one range
  amount INTEGER,                           -- cents; what was credited or paid
  reference TEXT,                           -- as the operator gave it
  reference_key TEXT,                       -- without case and 0x
  second_operator TEXT REFERENCES users (id),  -- who approved before; null: decided alone
  note TEXT,
  PRIMARY KEY (request, status)
) STRICT, WITHOUT ROWID;
-- A transaction on the network is credited or paid once, ever.
CREATE UNIQUE INDEX request_events_reference ON request_events (reference_key) WHERE reference_key IS NOT NULL;
CREATE INDEX request_events_alone ON request_events (investor, actor, status, at);
CREATE INDEX request_events_by_time ON request_events (at);  -- for the self-check

CREATE TABLE deposit_details (
  request TEXT PRIMARY KEY REFERENCES requests (id),
  coin TEXT NOT NULL,
  network TEXT NOT NULL,
  payment_to TEXT NOT NULL,
  txid TEXT,
  receipt_key TEXT NOT NULL,
  receipt_type TEXT NOT NULL,
  quantity TEXT,                            -- the coin that arrived, a decimal; set at the credit
  rate TEXT                                 -- USD for one coin at the credit, a decimal
) STRICT, WITHOUT ROWID;
CREATE TRIGGER deposit_details_filed BEFORE INSERT ON deposit_details
BEGIN
  SELECT RAISE(ABORT, 'deposits: details are filed once, with their request')
    WHERE EXISTS (SELECT 1 FROM deposit_details WHERE request = NEW.request)
      OR NOT EXISTS (SELECT 1 FROM requests WHERE id = NEW.request AND queue = 'deposits' AND status = 'pending');
END;
CREATE TRIGGER deposit_details_never_change BEFORE UPDATE ON deposit_details
BEGIN
  SELECT RAISE(ABORT, 'deposits: what was filed never changes')
    WHERE NEW.request IS NOT OLD.request OR NEW.coin IS NOT OLD.coin OR NEW.network IS NOT OLD.network
      OR NEW.payment_to IS NOT OLD.payment_to OR NEW.txid IS NOT OLD.txid
      OR NEW.receipt_key IS NOT OLD.receipt_key OR NEW.receipt_type IS NOT OLD.receipt_type
      OR (OLD.quantity IS NOT NULL AND NEW.quantity IS NOT OLD.quantity)
      OR (OLD.rate IS NOT NULL AND NEW.rate IS NOT OLD.rate);
END;
CREATE TRIGGER deposit_details_keep BEFORE DELETE ON deposit_details
BEGIN
  SELECT RAISE(ABORT, 'deposits: details are never deleted');
END;

CREATE TABLE withdrawal_details (
  request TEXT PRIMARY KEY REFERENCES requests (id),
  coin TEXT,
  network TEXT,
  address TEXT,
  bank TEXT,                                -- JSON of the bank's fields
  destination_hash TEXT NOT NULL,
  session_id TEXT NOT NULL,
  proof TEXT NOT NULL CHECK (proof IN ('none', 'email', 'totp')),
  reasons TEXT NOT NULL DEFAULT '[]',       -- JSON: why proof was asked for
  held_until INTEGER,
  quantity TEXT,
  rate TEXT,
  CHECK ((bank IS NULL) = (address IS NOT NULL))
) STRICT, WITHOUT ROWID;
-- Where the money goes is what the investor asked for and what was approved, to the end.
CREATE TRIGGER withdrawal_details_filed BEFORE INSERT ON withdrawal_details
BEGIN
  SELECT RAISE(ABORT, 'withdrawals: details are filed once, with their request')
    WHERE EXISTS (SELECT 1 FROM withdrawal_details WHERE request = NEW.request)
      OR NOT EXISTS (SELECT 1 FROM requests WHERE id = NEW.request AND queue = 'withdrawals' AND status = 'pending');
END;
CREATE TRIGGER withdrawal_details_never_change BEFORE UPDATE ON withdrawal_details
BEGIN
  SELECT RAISE(ABORT, 'withdrawals: what was filed never changes')
    WHERE NEW.request IS NOT OLD.request OR NEW.coin IS NOT OLD.coin OR NEW.network IS NOT OLD.network
      OR NEW.address IS NOT OLD.address OR NEW.bank IS NOT OLD.bank
      OR NEW.destination_hash IS NOT OLD.destination_hash OR NEW.session_id IS NOT OLD.session_id
      OR NEW.proof IS NOT OLD.proof OR NEW.reasons IS NOT OLD.reasons OR NEW.held_until IS NOT OLD.held_until
      OR (OLD.quantity IS NOT NULL AND NEW.quantity IS NOT OLD.quantity)
      OR (OLD.rate IS NOT NULL AND NEW.rate IS NOT OLD.rate);
END;
CREATE TRIGGER withdrawal_details_keep BEFORE DELETE ON withdrawal_details
BEGIN
  SELECT RAISE(ABORT, 'withdrawals: details are never deleted');
END;

-- A destination to which a withdrawal was confirmed with extra proof.
CREATE TABLE known_destinations (
  investor TEXT NOT NULL REFERENCES users (id),
  destination_hash TEXT NOT NULL,
  confirmed_at INTEGER NOT NULL,
  PRIMARY KEY (investor, destination_hash)
) STRICT;

-- E-mailed codes for a withdrawal, bound to amount and destination.
CREATE TABLE withdrawal_codes (
  id TEXT PRIMARY KEY,
  investor TEXT NOT NULL REFERENCES users (id),
  amount INTEGER NOT NULL,
  destination_hash TEXT NOT NULL,
  code_hash TEXT NOT NULL,
  tries INTEGER NOT NULL DEFAULT 0,
  created_at INTEGER NOT NULL,
  expires_at INTEGER NOT NULL,
  used_at INTEGER
) STRICT;
CREATE INDEX withdrawal_codes_live ON withdrawal_codes (investor, amount, destination_hash) WHERE used_at IS NULL;
CREATE INDEX withdrawal_codes_by_expiry ON withdrawal_codes (expires_at);
CREATE TRIGGER withdrawal_codes_once BEFORE UPDATE OF used_at ON withdrawal_codes
WHEN OLD.used_at IS NOT NULL
BEGIN
  SELECT RAISE(ABORT, 'invalid_code');
END;

-- The first of two approvals of a large credit.
CREATE TABLE credit_approvals (
  request TEXT PRIMARY KEY REFERENCES requests (id),
  operator TEXT NOT NULL REFERENCES users (id),
  reference TEXT NOT NULL,
  reference_key TEXT NOT NULL,
  amount INTEGER NOT NULL CHECK (amount > 0),
  quantity TEXT,
  note TEXT,
  at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE TRIGGER credit_approvals_valid BEFORE INSERT ON credit_approvals
BEGIN
  SELECT RAISE(ABORT, 'already_decided')
    WHERE NOT EXISTS (SELECT 1 FROM requests WHERE id = NEW.request AND queue = 'deposits' AND status = 'pending');
  SELECT RAISE(ABORT, 'conflict') WHERE EXISTS (SELECT 1 FROM credit_approvals WHERE request = NEW.request);
  SELECT RAISE(ABORT, 'reference_used')
    WHERE EXISTS (SELECT 1 FROM request_events WHERE reference_key = NEW.reference_key);
  SELECT RAISE(ABORT, 'forbidden')
    WHERE NOT EXISTS (SELECT 1 FROM users WHERE id = NEW.operator AND role = 'operator');
  SELECT RAISE(ABORT, 'approvals: one names an amount and a reference')
    WHERE NEW.amount NOT BETWEEN 1 AND 1000000000000 OR NEW.reference_key = '';
END;
CREATE TRIGGER credit_approvals_never_change BEFORE UPDATE ON credit_approvals
BEGIN
  SELECT RAISE(ABORT, 'approvals never change');
END;
CREATE TRIGGER credit_approvals_keep BEFORE DELETE ON credit_approvals
BEGIN
  SELECT RAISE(ABORT, 'approvals are never deleted');
END;

CREATE TRIGGER requests_filed BEFORE INSERT ON requests
BEGIN
  SELECT RAISE(ABORT, 'requests: one is filed once, as pending')
    WHERE NEW.status <> 'pending' OR NEW.amount <> NEW.asked
      -- CHECK can be switched off by a PRAGMA, a trigger can't.
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
-- A request's state is what its events say, and nothing else can change it.
CREATE TRIGGER requests_follow_events BEFORE UPDATE ON requests
BEGIN
  SELECT RAISE(ABORT, 'requests: what was filed never changes')
    WHERE NEW.seq IS NOT OLD.seq OR NEW.id IS NOT OLD.id OR NEW.ref IS NOT OLD.ref OR NEW.kind IS NOT OLD.kind
      OR NEW.investor IS NOT OLD.investor OR NEW.queue IS NOT OLD.queue OR NEW.asked IS NOT OLD.asked
      OR NEW.created_at IS NOT OLD.created_at;
  SELECT RAISE(ABORT, 'requests: only an event changes a status')
    WHERE NOT EXISTS (
        SELECT 1 FROM request_transitions
        WHERE queue = OLD.queue AND from_status = OLD.status AND to_status = NEW.status)
      OR NOT EXISTS (
        SELECT 1 FROM request_events
        WHERE request = OLD.id AND status = NEW.status AND NEW.amount = coalesce(amount, OLD.amount));
END;
CREATE TRIGGER requests_keep BEFORE DELETE ON requests
BEGIN
  SELECT RAISE(ABORT, 'requests: one is never deleted');
END;

CREATE TRIGGER request_events_valid BEFORE INSERT ON request_events
BEGIN
  SELECT RAISE(ABORT, 'not_found') WHERE NOT EXISTS (SELECT 1 FROM requests WHERE id = NEW.request AND investor = NEW.investor);
  SELECT RAISE(ABORT, 'already_decided')
    WHERE CASE NEW.status
      WHEN 'pending' THEN EXISTS (SELECT 1 FROM request_events WHERE request = NEW.request)
      ELSE NOT EXISTS (
        SELECT 1 FROM requests r JOIN request_transitions t ON t.queue = r.queue AND t.from_status = r.status
        WHERE r.id = NEW.request AND t.to_status = NEW.status)
      END;
  SELECT RAISE(ABORT, 'forbidden')
    WHERE CASE
      WHEN NEW.status IN ('pending', 'cancelled') THEN NEW.actor <> NEW.investor
      ELSE NEW.actor = NEW.investor OR NOT EXISTS (SELECT 1 FROM users WHERE id = NEW.actor AND role = 'operator')
      END;
  -- Only a credit sets an amount anew; only what was credited or paid has a reference.
  SELECT RAISE(ABORT, 'events: this step names no reference and no other amount')
    WHERE NOT EXISTS (
      SELECT 1 FROM requests r WHERE r.id = NEW.request AND (
        (r.queue = 'deposits' AND NEW.status = 'approved')
        OR ((NEW.amount IS NULL OR NEW.amount = r.amount)
          AND (NEW.status = 'completed' OR (
            NEW.reference IS NULL AND NEW.reference_key IS NULL AND NEW.second_operator IS NULL)))));
  SELECT RAISE(ABORT, 'events: references are compared without case and 0x')
    WHERE NEW.reference_key IS NOT NULL AND (
      NEW.reference_key <> lower(NEW.reference_key) OR substr(NEW.reference_key, 1, 2) = '0x');
END;

-- Two people where a credit is large: above the limit, above what was asked, or adding up to it within a day.
CREATE TRIGGER request_events_credit BEFORE INSERT ON request_events
WHEN NEW.status = 'approved'
  AND EXISTS (SELECT 1 FROM requests WHERE id = NEW.request AND queue = 'deposits' AND status = 'pending')
BEGIN
  SELECT RAISE(ABORT, 'events: a credit names its amount and reference')
    WHERE NEW.amount IS NULL OR NEW.amount NOT BETWEEN 1 AND 1000000000000
      OR NEW.reference_key IS NULL OR NEW.reference_key = '';
  SELECT RAISE(ABORT, 'reference_used')
    WHERE EXISTS (SELECT 1 FROM request_events WHERE reference_key = NEW.reference_key);
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

-- Two people where a withdrawal is large: another operator completes it than approved it.
CREATE TRIGGER request_events_payout BEFORE INSERT ON request_events
WHEN NEW.status = 'completed' AND EXISTS (SELECT 1 FROM requests WHERE id = NEW.request AND status = 'approved')
BEGIN
  SELECT RAISE(ABORT, 'events: a payout names its amount and reference')
    WHERE NEW.amount IS NULL OR NEW.reference_key IS NULL OR NEW.reference_key = ''
      OR NEW.amount <> (SELECT amount FROM requests WHERE id = NEW.request);
  SELECT RAISE(ABORT, 'reference_used')
    WHERE EXISTS (SELECT 1 FROM request_events WHERE reference_key = NEW.reference_key);
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

CREATE TRIGGER request_events_reversal BEFORE INSERT ON request_events
WHEN NEW.status = 'reversed' AND EXISTS (
  SELECT 1 FROM requests r JOIN request_transitions t ON t.queue = r.queue AND t.from_status = r.status
  WHERE r.id = NEW.request AND t.to_status = 'reversed')
BEGIN
  SELECT RAISE(ABORT, 'second_operator_required')
    WHERE NOT EXISTS (
      SELECT 1 FROM proposals WHERE request = NEW.request AND kind = 'reversal' AND status = 'approved');
END;

CREATE TRIGGER request_events_apply AFTER INSERT ON request_events
WHEN NEW.status <> 'pending'
BEGIN
  UPDATE requests SET status = NEW.status, amount = coalesce(NEW.amount, amount) WHERE id = NEW.request;
  SELECT RAISE(ABORT, 'events: the request did not follow')
    WHERE NOT EXISTS (
      SELECT 1 FROM requests WHERE id = NEW.request AND status = NEW.status AND amount = coalesce(NEW.amount, amount));
END;
CREATE TRIGGER request_events_never_change BEFORE UPDATE ON request_events
BEGIN
  SELECT RAISE(ABORT, 'events never change');
END;
CREATE TRIGGER request_events_keep BEFORE DELETE ON request_events
BEGIN
  SELECT RAISE(ABORT, 'events are never deleted');
END;
