-- The ledger: double entry, one row is both sides, each investor's accounts sum to zero. Integer cents.

CREATE TABLE account_kinds (
  kind TEXT PRIMARY KEY,
  floor INTEGER,                            -- the least a balance may be; null: none
  ceiling INTEGER,                          -- the most; null: none
  per_subject INTEGER NOT NULL DEFAULT 0 CHECK (per_subject IN (0, 1))  -- one for each strategy, not one an owner
) STRICT;
INSERT INTO account_kinds (kind, floor, ceiling) VALUES
  ('available', 0, NULL), ('held', 0, NULL),
  ('paid_in', NULL, 0), ('granted', NULL, 0), ('paid_out', 0, NULL), ('fees', NULL, NULL), ('owed', NULL, 0);

CREATE TABLE transfer_codes (
  code TEXT NOT NULL,
  from_kind TEXT NOT NULL REFERENCES account_kinds (kind),
  to_kind TEXT NOT NULL REFERENCES account_kinds (kind),
  PRIMARY KEY (code, from_kind, to_kind)
) STRICT;
INSERT INTO transfer_codes VALUES
  ('credit', 'paid_in', 'available'), ('repay', 'available', 'owed'),
  ('hold', 'available', 'held'), ('release', 'held', 'available'), ('complete', 'held', 'paid_out'),
  ('bonus', 'granted', 'available'),
  ('overdraw', 'owed', 'available'), ('reverse_credit', 'available', 'paid_in'), ('reverse_payout', 'paid_out', 'available');
-- A migration that adds a kind or a code drops these and makes them again.
CREATE TRIGGER account_kinds_fixed_insert BEFORE INSERT ON account_kinds
BEGIN
  SELECT RAISE(ABORT, 'account_kinds: only a migration changes a rule');
END;
CREATE TRIGGER account_kinds_fixed_update BEFORE UPDATE ON account_kinds
BEGIN
  SELECT RAISE(ABORT, 'account_kinds: only a migration changes a rule');
END;
CREATE TRIGGER account_kinds_fixed_delete BEFORE DELETE ON account_kinds
BEGIN
  SELECT RAISE(ABORT, 'account_kinds: only a migration changes a rule');
END;
CREATE TRIGGER transfer_codes_fixed_insert BEFORE INSERT ON transfer_codes
BEGIN
  SELECT RAISE(ABORT, 'transfer_codes: only a migration changes a rule');
END;
CREATE TRIGGER transfer_codes_fixed_update BEFORE UPDATE ON transfer_codes
BEGIN
  SELECT RAISE(ABORT, 'transfer_codes: only a migration changes a rule');
END;
CREATE TRIGGER transfer_codes_fixed_delete BEFORE DELETE ON transfer_codes
BEGIN
  SELECT RAISE(ABORT, 'transfer_codes: only a migration changes a rule');
END;

CREATE TABLE accounts (
  id TEXT PRIMARY KEY,                      -- owner:kind or owner:kind:subject
  owner TEXT NOT NULL,
  kind TEXT NOT NULL REFERENCES account_kinds (kind),
  subject TEXT NOT NULL DEFAULT '',
  balance INTEGER NOT NULL DEFAULT 0,
  last_transfer INTEGER NOT NULL DEFAULT 0,
  UNIQUE (owner, kind, subject)
) STRICT, WITHOUT ROWID;                    -- here and below: a replaced rowid would delete a row in silence
CREATE INDEX accounts_by_kind ON accounts (kind, balance);

CREATE TABLE transfers (
  seq INTEGER PRIMARY KEY AUTOINCREMENT,
  id TEXT NOT NULL UNIQUE,
  from_account TEXT NOT NULL REFERENCES accounts (id),
  to_account TEXT NOT NULL REFERENCES accounts (id),
  amount INTEGER NOT NULL CHECK (amount > 0 AND amount <= 9007199254740991),
  code TEXT NOT NULL,
  ref TEXT NOT NULL,                        -- the request or proposal that caused it
  reverses TEXT UNIQUE REFERENCES transfers (id),
  actor TEXT NOT NULL,
  at INTEGER NOT NULL
) STRICT;
CREATE INDEX transfers_from ON transfers (from_account, seq);
CREATE INDEX transfers_to ON transfers (to_account, seq);
CREATE INDEX transfers_by_ref ON transfers (ref, code);

CREATE TRIGGER accounts_open_empty BEFORE INSERT ON accounts
BEGIN
  SELECT RAISE(ABORT, 'ledger: an account opens empty, once')
    WHERE NEW.balance <> 0 OR NEW.last_transfer <> 0
      OR EXISTS (SELECT 1 FROM accounts WHERE id = NEW.id OR (owner = NEW.owner AND kind = NEW.kind AND subject = NEW.subject));
  SELECT RAISE(ABORT, 'ledger: an account is named by its owner and kind')
    WHERE NEW.id <> NEW.owner || ':' || NEW.kind || CASE NEW.subject WHEN '' THEN '' ELSE ':' || NEW.subject END
      OR NEW.owner = '' OR instr(NEW.owner, ':') > 0
      OR (NEW.subject <> '') IS NOT (SELECT per_subject FROM account_kinds WHERE kind = NEW.kind);
END;

-- A balance changes only as a newer transfer explains it: outside the ledger's own trigger there is no newer one.
CREATE TRIGGER accounts_follow_transfers BEFORE UPDATE ON accounts
BEGIN
  SELECT RAISE(ABORT, 'ledger: an account never changes its name')
    WHERE NEW.id IS NOT OLD.id OR NEW.owner IS NOT OLD.owner OR NEW.kind IS NOT OLD.kind OR NEW.subject IS NOT OLD.subject;
  SELECT RAISE(ABORT, 'ledger: only a transfer changes a balance')
    WHERE NEW.last_transfer <= OLD.last_transfer
      OR NOT EXISTS (
        SELECT 1 FROM transfers t WHERE t.seq = NEW.last_transfer AND (
          (t.from_account = OLD.id AND NEW.balance = OLD.balance - t.amount)
          OR (t.to_account = OLD.id AND NEW.balance = OLD.balance + t.amount)));
  SELECT RAISE(ABORT, 'ledger: a balance passed its bounds')
    WHERE EXISTS (
      SELECT 1 FROM account_kinds k WHERE k.kind = OLD.kind
        AND (NEW.balance < k.floor OR NEW.balance > k.ceiling));
END;
CREATE TRIGGER accounts_keep BEFORE DELETE ON accounts
BEGIN
  SELECT RAISE(ABORT, 'ledger: accounts are never deleted');
END;

CREATE TRIGGER transfers_checked BEFORE INSERT ON transfers
BEGIN
  -- Named one by one, because OR REPLACE would delete the old row without firing its triggers.
  SELECT RAISE(ABORT, 'ledger: a transfer is written once')
    WHERE EXISTS (SELECT 1 FROM transfers WHERE id = NEW.id OR seq = NEW.seq)
      OR (NEW.reverses IS NOT NULL AND EXISTS (SELECT 1 FROM transfers WHERE reverses = NEW.reverses));
  SELECT RAISE(ABORT, 'ledger: a transfer joins two accounts of one owner')
    WHERE NEW.from_account = NEW.to_account OR NOT EXISTS (
      SELECT 1 FROM accounts f JOIN accounts t ON t.owner = f.owner
      WHERE f.id = NEW.from_account AND t.id = NEW.to_account);
  SELECT RAISE(ABORT, 'ledger: this code does not join these accounts')
    WHERE NOT EXISTS (
      SELECT 1 FROM transfer_codes c
      JOIN accounts f ON f.id = NEW.from_account AND f.kind = c.from_kind
      JOIN accounts t ON t.id = NEW.to_account AND t.kind = c.to_kind
      WHERE c.code = NEW.code);
  SELECT RAISE(ABORT, 'ledger: amounts are whole cents above zero') WHERE NEW.amount <= 0;
  SELECT RAISE(ABORT, 'insufficient_funds')
    WHERE EXISTS (
      SELECT 1 FROM accounts a JOIN account_kinds k ON k.kind = a.kind
      WHERE a.id = NEW.from_account AND k.floor IS NOT NULL AND a.balance - NEW.amount < k.floor);
  SELECT RAISE(ABORT, 'ledger: a balance passed its bounds')
    WHERE EXISTS (
      SELECT 1 FROM accounts a JOIN account_kinds k ON k.kind = a.kind
      WHERE a.id = NEW.to_account AND k.ceiling IS NOT NULL AND a.balance + NEW.amount > k.ceiling);
  -- But for a payout's: what was paid from what is held comes back as available.
  SELECT RAISE(ABORT, 'ledger: a reversal mirrors what it reverses')
    WHERE (NEW.reverses IS NOT NULL) <> (NEW.code IN ('reverse_credit', 'reverse_payout'))
      OR (NEW.reverses IS NOT NULL AND NOT EXISTS (
        SELECT 1 FROM transfers o WHERE o.id = NEW.reverses AND o.amount = NEW.amount AND o.ref = NEW.ref
          AND o.to_account = NEW.from_account AND o.code = CASE NEW.code WHEN 'reverse_credit' THEN 'credit' ELSE 'complete' END
          AND (NEW.code = 'reverse_payout' OR o.from_account = NEW.to_account)));
END;

-- Money moves only for a recorded reason: a request in the state, or a proposal approved by two, that the code names.
CREATE TRIGGER transfers_caused BEFORE INSERT ON transfers
BEGIN
  SELECT RAISE(ABORT, 'ledger: a transfer needs the record of what caused it')
    WHERE NOT CASE
      WHEN NEW.code IN ('credit', 'hold', 'release', 'complete', 'reverse_credit', 'reverse_payout', 'repay', 'overdraw') THEN EXISTS (
        SELECT 1 FROM requests r JOIN accounts f ON f.id = NEW.from_account JOIN accounts t ON t.id = NEW.to_account
          JOIN request_events e ON e.request = r.id AND e.status = r.status AND e.actor = NEW.actor
        WHERE r.id = NEW.ref AND r.investor = f.owner
          AND CASE NEW.code
            WHEN 'credit' THEN r.queue = 'deposits' AND r.status = 'approved' AND r.amount = NEW.amount
            -- Straight after the credit, all that is owed or all that came.
            WHEN 'repay' THEN r.queue = 'deposits' AND r.status = 'approved' AND NEW.amount = min(r.amount, -t.balance)
              AND EXISTS (SELECT 1 FROM transfers c WHERE c.seq = f.last_transfer AND c.ref = r.id AND c.code = 'credit')
            WHEN 'hold' THEN r.queue = 'withdrawals' AND r.status = 'pending' AND r.amount = NEW.amount
            WHEN 'release' THEN r.queue = 'withdrawals' AND r.status IN ('cancelled', 'rejected') AND r.amount = NEW.amount
              AND EXISTS (SELECT 1 FROM transfers h WHERE h.ref = r.id AND h.code = 'hold')
            WHEN 'complete' THEN r.queue = 'withdrawals' AND r.status = 'completed' AND r.amount = NEW.amount
              AND EXISTS (SELECT 1 FROM transfers h WHERE h.ref = r.id AND h.code = 'hold')
            -- Before the reversal, exactly what it lacks.
            WHEN 'overdraw' THEN r.queue = 'deposits' AND r.status = 'reversed' AND NEW.amount = r.amount - t.balance
              AND EXISTS (SELECT 1 FROM transfers c WHERE c.ref = r.id AND c.code = 'credit')
              AND NOT EXISTS (SELECT 1 FROM transfers v WHERE v.ref = r.id AND v.code = 'reverse_credit')
            WHEN 'reverse_credit' THEN r.queue = 'deposits' AND r.status = 'reversed' AND r.amount = NEW.amount
            ELSE r.queue = 'withdrawals' AND r.status = 'reversed' AND r.amount = NEW.amount
            END
          AND NOT EXISTS (SELECT 1 FROM transfers o WHERE o.ref = NEW.ref AND o.code = NEW.code))
      WHEN NEW.code = 'bonus' THEN EXISTS (
        SELECT 1 FROM proposals p JOIN accounts a ON a.id = NEW.from_account
        WHERE p.id = NEW.ref AND p.kind = 'bonus' AND p.status = 'approved' AND p.investor = a.owner
          AND p.amount = NEW.amount AND p.decided_by = NEW.actor
          AND NOT EXISTS (SELECT 1 FROM transfers t WHERE t.ref = NEW.ref AND t.code = NEW.code))
      ELSE 0
      END;
END;
-- What goes on to a payout was held.
CREATE TRIGGER request_events_held BEFORE INSERT ON request_events
WHEN NEW.status IN ('approved', 'completed')
BEGIN
  SELECT RAISE(ABORT, 'events: a withdrawal is held before it is approved')
    WHERE EXISTS (SELECT 1 FROM requests WHERE id = NEW.request AND queue = 'withdrawals')
      AND NOT EXISTS (SELECT 1 FROM transfers WHERE ref = NEW.request AND code = 'hold');
END;

CREATE TRIGGER transfers_posted AFTER INSERT ON transfers
BEGIN
  UPDATE accounts SET balance = balance - NEW.amount, last_transfer = NEW.seq WHERE id = NEW.from_account;
  UPDATE accounts SET balance = balance + NEW.amount, last_transfer = NEW.seq WHERE id = NEW.to_account;
  -- A statement that overrides conflict handling could let one of the two pass in silence.
  SELECT RAISE(ABORT, 'ledger: both sides move or neither')
    WHERE (SELECT count(*) FROM accounts WHERE id IN (NEW.from_account, NEW.to_account) AND last_transfer = NEW.seq) <> 2;
  SELECT RAISE(ABORT, 'ledger: transfers are numbered without a gap')
    WHERE NEW.seq <> 1 + coalesce((SELECT seq FROM transfers WHERE seq <> NEW.seq ORDER BY seq DESC LIMIT 1), 0);
END;
CREATE TRIGGER transfers_never_change BEFORE UPDATE ON transfers
BEGIN
  SELECT RAISE(ABORT, 'ledger: transfers never change');
END;
CREATE TRIGGER transfers_keep BEFORE DELETE ON transfers
BEGIN
  SELECT RAISE(ABORT, 'ledger: transfers are never deleted');
END;

-- Custody: what is held, per asset, in its smallest integer unit.
CREATE TABLE custody_assets (
  asset TEXT PRIMARY KEY,
  unit TEXT NOT NULL,
  decimals INTEGER NOT NULL                 -- decimals of the unit below one coin
) STRICT;
INSERT INTO custody_assets VALUES ('bitcoin', 'satoshi', 8), ('ethereum', 'gwei', 9), ('usdt', 'micro-USDT', 6), ('usd', 'cent', 2);
CREATE TRIGGER custody_assets_fixed_insert BEFORE INSERT ON custody_assets
BEGIN
  SELECT RAISE(ABORT, 'custody_assets: only a migration changes a rule');
END;
CREATE TRIGGER custody_assets_fixed_update BEFORE UPDATE ON custody_assets
BEGIN
  SELECT RAISE(ABORT, 'custody_assets: only a migration changes a rule');
END;
CREATE TRIGGER custody_assets_fixed_delete BEFORE DELETE ON custody_assets
BEGIN
  SELECT RAISE(ABORT, 'custody_assets: only a migration changes a rule');
END;

CREATE TABLE custody_balances (
  asset TEXT PRIMARY KEY REFERENCES custody_assets (asset),
  balance INTEGER NOT NULL DEFAULT 0,       -- may be negative until the house has moved coins of its own there
  last_entry INTEGER NOT NULL DEFAULT 0
) STRICT, WITHOUT ROWID;
INSERT INTO custody_balances (asset) SELECT asset FROM custody_assets;

CREATE TABLE custody_entries (
  seq INTEGER PRIMARY KEY AUTOINCREMENT,
  id TEXT NOT NULL UNIQUE,
  asset TEXT NOT NULL REFERENCES custody_assets (asset),
  quantity INTEGER NOT NULL CHECK (quantity <> 0),  -- signed: in above zero, out below
  code TEXT NOT NULL CHECK (code IN ('in', 'out', 'reverse_in', 'reverse_out')),
  ref TEXT NOT NULL REFERENCES requests (id),
  at INTEGER NOT NULL,
  UNIQUE (ref, code)
) STRICT;

CREATE TRIGGER custody_checked BEFORE INSERT ON custody_entries
BEGIN
  SELECT RAISE(ABORT, 'custody: an entry is written once')
    WHERE EXISTS (SELECT 1 FROM custody_entries WHERE id = NEW.id OR seq = NEW.seq OR (ref = NEW.ref AND code = NEW.code));
  SELECT RAISE(ABORT, 'custody: an entry needs the record of what caused it')
    WHERE NOT EXISTS (
      SELECT 1 FROM requests r WHERE r.id = NEW.ref AND CASE NEW.code
        WHEN 'in' THEN r.queue = 'deposits' AND r.status = 'approved' AND NEW.quantity > 0
          AND NEW.asset = (SELECT coin FROM deposit_details WHERE request = r.id)
        WHEN 'out' THEN r.queue = 'withdrawals' AND r.status = 'completed' AND NEW.quantity < 0
          AND NEW.asset = (SELECT coalesce(coin, 'usd') FROM withdrawal_details WHERE request = r.id)
        ELSE r.status = 'reversed' AND EXISTS (
          SELECT 1 FROM custody_entries o WHERE o.ref = NEW.ref AND o.code = substr(NEW.code, 9)
            AND o.asset = NEW.asset AND o.quantity = -NEW.quantity)
        END);
END;
CREATE TRIGGER custody_posted AFTER INSERT ON custody_entries
BEGIN
  UPDATE custody_balances SET balance = balance + NEW.quantity, last_entry = NEW.seq WHERE asset = NEW.asset;
  SELECT RAISE(ABORT, 'custody: the balance did not move')
    WHERE NOT EXISTS (SELECT 1 FROM custody_balances WHERE asset = NEW.asset AND last_entry = NEW.seq AND typeof(balance) = 'integer');
  SELECT RAISE(ABORT, 'custody: entries are numbered without a gap')
    WHERE NEW.seq <> 1 + coalesce((SELECT seq FROM custody_entries WHERE seq <> NEW.seq ORDER BY seq DESC LIMIT 1), 0);
END;
CREATE TRIGGER custody_balances_follow BEFORE UPDATE ON custody_balances
BEGIN
  SELECT RAISE(ABORT, 'custody: only an entry changes a balance')
    WHERE NEW.asset IS NOT OLD.asset OR NEW.last_entry <= OLD.last_entry OR NOT EXISTS (
      SELECT 1 FROM custody_entries e WHERE e.seq = NEW.last_entry AND e.asset = OLD.asset AND NEW.balance = OLD.balance + e.quantity);
END;
CREATE TRIGGER custody_balances_open_empty BEFORE INSERT ON custody_balances
BEGIN
  SELECT RAISE(ABORT, 'custody: an asset opens empty, once')
    WHERE NEW.balance <> 0 OR NEW.last_entry <> 0 OR EXISTS (SELECT 1 FROM custody_balances WHERE asset = NEW.asset);
END;
CREATE TRIGGER custody_balances_keep BEFORE DELETE ON custody_balances
BEGIN
  SELECT RAISE(ABORT, 'custody: balances are never deleted');
END;
CREATE TRIGGER custody_entries_never_change BEFORE UPDATE ON custody_entries
BEGIN
  SELECT RAISE(ABORT, 'custody: entries never change');
END;
CREATE TRIGGER custody_entries_keep BEFORE DELETE ON custody_entries
BEGIN
  SELECT RAISE(ABORT, 'custody: entries are never deleted');
END;

-- Extra proof where a withdrawal takes a large share, decided where concurrent requests cannot slip past it: this
-- amount and what was filed within a day (cancelled and rejected aside) against what is left.
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
