-- Custody: what the company holds, per asset, in its smallest unit. Liabilities: what it owes to investors, published daily.

CREATE TABLE custody_assets (
  asset TEXT PRIMARY KEY,
  unit TEXT NOT NULL,
  decimals INTEGER NOT NULL                 -- decimals of the smallest unit
) STRICT;
INSERT INTO custody_assets VALUES ('bitcoin', 'satoshi', 8), ('ethereum', 'gwei', 9), ('usdt', 'micro-USDT', 6), ('usdc', 'micro-USDC', 6),
  ('usd', 'cent', 2);

CREATE TABLE custody_balances (
  asset TEXT PRIMARY KEY REFERENCES custody_assets (asset),
  balance INTEGER NOT NULL DEFAULT 0,       -- may be negative until the company has moved its own coins there
  last_entry INTEGER NOT NULL DEFAULT 0
) STRICT, WITHOUT ROWID;
INSERT INTO custody_balances (asset) SELECT asset FROM custody_assets;

CREATE TRIGGER custody_balances_follow BEFORE UPDATE ON custody_balances
BEGIN
  SELECT RAISE(ABORT, 'custody_balances: changed without an entry')
    WHERE NEW.asset IS NOT OLD.asset OR NEW.last_entry <= OLD.last_entry OR NOT EXISTS (
      SELECT 1 FROM custody_entries e WHERE e.seq = NEW.last_entry AND e.asset = OLD.asset AND NEW.balance = OLD.balance + e.quantity);
END;
CREATE TRIGGER custody_balances_open_empty BEFORE INSERT ON custody_balances
BEGIN
  SELECT RAISE(ABORT, 'custody_balances: not empty or already open')
    WHERE NEW.balance <> 0 OR NEW.last_entry <> 0 OR EXISTS (SELECT 1 FROM custody_balances WHERE asset = NEW.asset);
END;

-- Why an entry was written. A network fee is the company's cost.
CREATE TABLE custody_codes (code TEXT PRIMARY KEY) STRICT, WITHOUT ROWID;
INSERT INTO custody_codes VALUES ('in'), ('out'), ('reverse_in'), ('reverse_out'), ('network_fee');

CREATE TABLE custody_entries (
  seq INTEGER PRIMARY KEY AUTOINCREMENT,
  id TEXT NOT NULL UNIQUE,
  asset TEXT NOT NULL REFERENCES custody_assets (asset),
  quantity INTEGER NOT NULL CHECK (quantity <> 0),  -- signed: positive in, negative out
  code TEXT NOT NULL REFERENCES custody_codes (code),
  ref TEXT NOT NULL,                        -- a request, or the payout whose network fee it is
  at INTEGER NOT NULL,
  UNIQUE (ref, code)
) STRICT;

CREATE TRIGGER custody_checked BEFORE INSERT ON custody_entries
BEGIN
  SELECT RAISE(ABORT, 'custody_entries: already stored')
    WHERE EXISTS (SELECT 1 FROM custody_entries WHERE id = NEW.id OR seq = NEW.seq OR (ref = NEW.ref AND code = NEW.code));
  SELECT RAISE(ABORT, 'custody_entries: no matching cause')
    WHERE NOT (CASE NEW.code
      WHEN 'network_fee' THEN EXISTS (
        SELECT 1 FROM payouts p WHERE p.id = NEW.ref AND p.state IN ('confirmed', 'failed') AND p.chain = NEW.asset AND NEW.quantity < 0
          AND -NEW.quantity <= (SELECT fee FROM payout_transactions WHERE payout = p.id AND version = p.version))
        OR EXISTS (
          SELECT 1 FROM request_events e JOIN request_chains c ON c.request = e.request
          WHERE e.request = NEW.ref AND e.status = 'completed' AND c.chain = NEW.asset AND NEW.quantity = -e.fee)
      ELSE EXISTS (
        SELECT 1 FROM requests r WHERE r.id = NEW.ref AND (CASE NEW.code
          WHEN 'in' THEN r.queue = 'deposits' AND r.status = 'approved' AND NEW.quantity > 0
            AND NEW.asset = (SELECT coin FROM deposit_details WHERE request = r.id)
          WHEN 'out' THEN r.queue = 'withdrawals' AND r.status = 'completed' AND NEW.quantity < 0
            AND NEW.asset = (SELECT coalesce(coin, 'usd') FROM withdrawal_details WHERE request = r.id)
          ELSE r.status = 'reversed' AND EXISTS (
            SELECT 1 FROM custody_entries o WHERE o.ref = NEW.ref AND o.code = substr(NEW.code, 9)
              AND o.asset = NEW.asset AND o.quantity = -NEW.quantity)
          END))
      END);
END;
CREATE TRIGGER custody_posted AFTER INSERT ON custody_entries
BEGIN
  UPDATE custody_balances SET balance = balance + NEW.quantity, last_entry = NEW.seq WHERE asset = NEW.asset;
  SELECT RAISE(ABORT, 'custody_entries: balance not updated')
    WHERE NOT EXISTS (SELECT 1 FROM custody_balances WHERE asset = NEW.asset AND last_entry = NEW.seq AND typeof(balance) = 'integer');
  SELECT RAISE(ABORT, 'custody_entries: gap in the numbers')
    WHERE NEW.seq <> 1 + coalesce((SELECT seq FROM custody_entries WHERE seq <> NEW.seq ORDER BY seq DESC LIMIT 1), 0);
END;
CREATE TRIGGER custody_matches_approval AFTER INSERT ON custody_entries
WHEN NEW.code = 'in'
BEGIN
  SELECT RAISE(ABORT, 'custody_entries: differs from the quantity approved')
    WHERE EXISTS (
      SELECT 1 FROM request_events WHERE request = NEW.ref AND status = 'approved' AND units <> NEW.quantity);
END;
CREATE TRIGGER custody_matches_payout AFTER INSERT ON custody_entries
WHEN NEW.code = 'out'
BEGIN
  SELECT RAISE(ABORT, 'custody_entries: differs from the quantity sent')
    WHERE EXISTS (
      SELECT 1 FROM request_events WHERE request = NEW.ref AND status = 'completed' AND units <> -NEW.quantity);
END;

-- The total owed to investors, published each day as the root of a tree of hashes and sums.
CREATE TABLE liability_days (
  day TEXT PRIMARY KEY,                     -- 2026-01-31, UTC
  at INTEGER NOT NULL,                      -- when all balances were read
  investors INTEGER NOT NULL CHECK (investors > 0),
  total INTEGER NOT NULL CHECK (total >= 0),  -- cents
  secret TEXT,                              -- the salts are derived from it; null once the leaves are deleted
  root TEXT,
  published_at INTEGER,
  CHECK ((root IS NULL) = (published_at IS NULL))
) STRICT;

CREATE TRIGGER liability_days_published_immutable BEFORE UPDATE ON liability_days
WHEN OLD.published_at IS NOT NULL
BEGIN
  SELECT RAISE(ABORT, 'liability_days: immutable')
    WHERE NEW.day IS NOT OLD.day OR NEW.at IS NOT OLD.at OR NEW.investors IS NOT OLD.investors OR NEW.total IS NOT OLD.total
      OR NEW.root IS NOT OLD.root OR NEW.published_at IS NOT OLD.published_at
      OR (NEW.secret IS NOT NULL AND NEW.secret IS NOT OLD.secret);
END;
CREATE TRIGGER liability_days_published_no_delete BEFORE DELETE ON liability_days
WHEN OLD.published_at IS NOT NULL
BEGIN
  SELECT RAISE(ABORT, 'liability_days: immutable');
END;
CREATE TRIGGER liability_days_no_replace BEFORE INSERT ON liability_days
BEGIN
  SELECT RAISE(ABORT, 'liability_days: immutable')
    WHERE EXISTS (SELECT 1 FROM liability_days WHERE day = NEW.day AND published_at IS NOT NULL);
END;

-- The investors in the tree and their balances. Kept for the latest day only.
CREATE TABLE liability_leaves (
  day TEXT NOT NULL REFERENCES liability_days (day),
  investor TEXT NOT NULL REFERENCES users (id),
  balance INTEGER NOT NULL CHECK (balance > 0),
  position INTEGER,                         -- in the order of hashes, so it does not identify anybody
  hash TEXT,                                -- stored before the positions
  PRIMARY KEY (investor, day)
) STRICT, WITHOUT ROWID;
CREATE INDEX liability_leaves_by_day ON liability_leaves (day, investor);

CREATE TABLE liability_nodes (
  day TEXT NOT NULL REFERENCES liability_days (day),
  level INTEGER NOT NULL,                   -- 0: leaves
  position INTEGER NOT NULL,
  hash TEXT NOT NULL,
  sum INTEGER NOT NULL CHECK (sum >= 0),
  PRIMARY KEY (day, level, position)
) STRICT, WITHOUT ROWID;
