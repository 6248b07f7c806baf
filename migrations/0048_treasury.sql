-- The treasury: the places where the company keeps money, their proofs, and closed months. docs/decisions/0050-treasury.md
-- Entries by people are proposals with a document. Triggers book an approval whole.
INSERT INTO proposal_kinds (kind) VALUES ('treasury'), ('month_close');
INSERT INTO proposal_roles (kind, role) VALUES ('treasury', 'treasurer'), ('month_close', 'treasurer'), ('month_close', 'administrator');

DROP TRIGGER custody_codes_no_insert;
INSERT INTO custody_codes VALUES ('conversion_out'), ('conversion_in'), ('company_fee'), ('funding'), ('drawing'), ('move_out'), ('move_in');
CREATE TRIGGER custody_codes_no_insert BEFORE INSERT ON custody_codes BEGIN SELECT RAISE(ABORT, 'custody_codes: immutable outside migrations'); END;

-- The custody entries that each action of a treasury proposal writes: at the place and with the units of one side of its payload.
CREATE TABLE treasury_codes (
  action TEXT NOT NULL,
  code TEXT NOT NULL REFERENCES custody_codes (code),
  side TEXT NOT NULL,                       -- "from" or "to"
  sign INTEGER NOT NULL,
  PRIMARY KEY (action, code)
) STRICT, WITHOUT ROWID;
INSERT INTO treasury_codes VALUES
  ('conversion', 'conversion_out', 'from', -1), ('conversion', 'conversion_in', 'to', 1), ('fee', 'company_fee', 'from', -1),
  ('funding', 'funding', 'to', 1), ('drawing', 'drawing', 'from', -1), ('move', 'move_out', 'from', -1), ('move', 'move_in', 'to', 1);
CREATE TRIGGER treasury_codes_no_insert BEFORE INSERT ON treasury_codes BEGIN SELECT RAISE(ABORT, 'treasury_codes: immutable outside migrations'); END;
CREATE TRIGGER treasury_codes_no_update BEFORE UPDATE ON treasury_codes BEGIN SELECT RAISE(ABORT, 'treasury_codes: immutable outside migrations'); END;
CREATE TRIGGER treasury_codes_no_delete BEFORE DELETE ON treasury_codes BEGIN SELECT RAISE(ABORT, 'treasury_codes: immutable outside migrations'); END;

-- Custody of an asset is the sum of its places and of the transfers to exchanges. Deposits and payouts are at the first places below.
-- proof: "chain": the count of the reserves; "statement": documents of two people.
CREATE VIEW custody_places (id, kind, name, asset, proof, at) AS
  SELECT asset || ':watched', 'wallet', 'Watched wallets', asset, 'chain', 0 FROM custody_assets WHERE asset <> 'usd'
  UNION ALL SELECT asset || ':other', 'wallet', 'Other wallets', asset, 'statement', 0 FROM custody_assets WHERE asset <> 'usd'
  UNION ALL SELECT asset || ':bank', 'bank', 'Bank account', asset, 'statement', 0 FROM custody_assets WHERE asset = 'usd'
  UNION ALL SELECT id, json_extract(payload, '$.placeKind'), json_extract(payload, '$.name'), json_extract(payload, '$.asset'), 'statement', decided_at
  FROM proposals WHERE kind = 'treasury' AND +status = 'approved' AND json_extract(payload, '$.action') = 'place';
-- The balance of a place at a time, by a document.
CREATE VIEW custody_statements (place, at, units, proposal, proposed_by, decided_at) AS
  SELECT json_extract(payload, '$.to.place'), json_extract(payload, '$.at'), json_extract(payload, '$.to.units'), id, proposed_by, decided_at
  FROM proposals WHERE kind = 'treasury' AND +status = 'approved' AND json_extract(payload, '$.action') = 'statement';
-- The plus signs keep SQLite from reading every approved proposal by its status.
CREATE INDEX proposals_treasury ON proposals (json_extract(payload, '$.action'), json_extract(payload, '$.to.place'), json_extract(payload, '$.at'))
  WHERE kind = 'treasury';

-- The lines of approved treasury proposals.
CREATE VIEW treasury_lines (ref, code, place, asset, quantity, at) AS
  SELECT p.id, c.code, json_extract(p.payload, '$.' || c.side || '.place'),
    (SELECT asset FROM custody_places WHERE id = json_extract(p.payload, '$.' || c.side || '.place')),
    c.sign * json_extract(p.payload, '$.' || c.side || '.units'), p.decided_at
  FROM proposals p JOIN treasury_codes c ON c.action = json_extract(p.payload, '$.action')
  WHERE p.kind = 'treasury' AND p.status = 'approved' AND json_extract(p.payload, '$.' || c.side || '.units') > 0;

-- Causes of custody entries whose coins are in the watch-only wallets: deposits to own addresses, payouts, and withdrawals that another
-- transaction of these wallets paid.
CREATE VIEW watched_causes (ref) AS
  SELECT d.request FROM deposit_details d JOIN deposit_addresses a ON a.address = d.payment_to
  UNION ALL SELECT id FROM payouts
  UNION ALL SELECT i.request FROM payout_items i JOIN payouts p ON p.id = i.payout AND p.state = 'confirmed'
  UNION ALL SELECT request FROM paid_elsewhere;

-- The journal: every change of a place, with the balance after it. Its times never fall, so a balance at any time is one row.
CREATE TABLE place_entries (
  seq INTEGER PRIMARY KEY AUTOINCREMENT,
  place TEXT NOT NULL,                      -- of custody_places
  quantity INTEGER NOT NULL CHECK (quantity <> 0),
  balance INTEGER NOT NULL,
  code TEXT NOT NULL,                       -- of the custody entry, or "exchange"
  ref TEXT NOT NULL,                        -- of the custody entry, or the proposal of the transfer
  at INTEGER NOT NULL,
  UNIQUE (ref, code)
) STRICT;
CREATE INDEX place_entries_by_place ON place_entries (place, at, seq);

-- Transfers to exchanges, in units of custody: from the watched wallets while the asset has one.
CREATE VIEW exchange_moves (proposal, place, quantity, at) AS
  SELECT t.proposal,
    (CASE WHEN t.asset = 'usd' THEN 'usd:bank'
      WHEN EXISTS (SELECT 1 FROM chain_networks n JOIN watch_wallets w ON w.chain = n.chain WHERE n.coin = t.asset AND w.created_at <= t.at
        AND coalesce(w.retired_at, t.at + 1) > t.at) THEN t.asset || ':watched'
      ELSE t.asset || ':other' END),
    -CAST(round(t.quantity * CAST('1e' || (a.decimals - 8) AS REAL)) AS INTEGER), t.at
  FROM venue_transfers t JOIN custody_assets a ON a.asset = t.asset;

-- The entries and transfers before this migration, in the order of time.
INSERT INTO place_entries (place, quantity, balance, code, ref, at)
  SELECT place, quantity, sum(quantity) OVER earlier, code, ref, max(at) OVER earlier
  FROM (
    SELECT (CASE WHEN asset = 'usd' THEN 'usd:bank' WHEN code = 'kept' OR ref IN (SELECT ref FROM watched_causes) THEN asset || ':watched'
        ELSE asset || ':other' END) AS place, quantity, code, ref, at, seq
    FROM custody_entries
    UNION ALL SELECT place, quantity, 'exchange', proposal, at, 0 FROM exchange_moves WHERE quantity <> 0)
  WINDOW earlier AS (PARTITION BY place ORDER BY at, seq, ref ROWS UNBOUNDED PRECEDING)
  ORDER BY at, seq;

CREATE TRIGGER place_entries_follow BEFORE INSERT ON place_entries
BEGIN
  SELECT RAISE(ABORT, 'place_entries: no matching cause')
    WHERE NOT EXISTS (SELECT 1 FROM custody_entries WHERE ref = NEW.ref AND code = NEW.code AND quantity = NEW.quantity)
      AND NOT EXISTS (SELECT 1 FROM exchange_moves WHERE proposal = NEW.ref AND 'exchange' = NEW.code AND quantity = NEW.quantity);
  SELECT RAISE(ABORT, 'place_entries: balance or time does not follow')
    WHERE NEW.balance - NEW.quantity IS NOT coalesce((SELECT balance FROM place_entries WHERE place = NEW.place ORDER BY at DESC, seq DESC LIMIT 1), 0)
      OR NEW.at < (SELECT max(at) FROM place_entries WHERE place = NEW.place);
END;
CREATE TRIGGER place_entries_no_update BEFORE UPDATE ON place_entries BEGIN SELECT RAISE(ABORT, 'place_entries: immutable'); END;
CREATE TRIGGER place_entries_no_delete BEFORE DELETE ON place_entries BEGIN SELECT RAISE(ABORT, 'place_entries: never deleted'); END;

-- The new entry's place, with the balance and the time of the one before it.
CREATE TRIGGER custody_placed AFTER INSERT ON custody_entries
BEGIN
  INSERT INTO place_entries (place, quantity, balance, code, ref, at)
    SELECT l.id, NEW.quantity,
      NEW.quantity + coalesce((SELECT balance FROM place_entries WHERE place = l.id ORDER BY at DESC, seq DESC LIMIT 1), 0),
      NEW.code, NEW.ref, max(NEW.at, coalesce((SELECT max(at) FROM place_entries WHERE place = l.id), 0))
    FROM (
      SELECT coalesce(
        (SELECT place FROM treasury_lines WHERE ref = NEW.ref AND code = NEW.code),
        (CASE WHEN NEW.asset = 'usd' THEN 'usd:bank'
          WHEN NEW.code = 'kept' OR EXISTS (SELECT 1 FROM watched_causes WHERE ref = NEW.ref) THEN NEW.asset || ':watched'
          ELSE NEW.asset || ':other' END)) AS id) l;
END;
CREATE TRIGGER venue_transfers_placed AFTER INSERT ON venue_transfers
BEGIN
  INSERT INTO place_entries (place, quantity, balance, code, ref, at)
    SELECT m.place, m.quantity,
      m.quantity + coalesce((SELECT balance FROM place_entries WHERE place = m.place ORDER BY at DESC, seq DESC LIMIT 1), 0),
      'exchange', m.proposal, max(m.at, coalesce((SELECT max(at) FROM place_entries WHERE place = m.place), 0))
    FROM exchange_moves m WHERE m.proposal = NEW.proposal AND m.quantity <> 0;
END;

DROP TRIGGER custody_checked;
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
      WHEN 'kept' THEN NEW.quantity > 0 AND EXISTS (
        SELECT 1 FROM closed_receipts WHERE id = NEW.ref AND asset = NEW.asset AND units = NEW.quantity)
      ELSE EXISTS (
        SELECT 1 FROM treasury_lines
        WHERE ref = NEW.ref AND code = NEW.code AND asset = NEW.asset AND quantity = NEW.quantity AND at = NEW.at)
        OR EXISTS (
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

CREATE TRIGGER proposals_treasury_filed BEFORE INSERT ON proposals
WHEN NEW.kind = 'treasury'
BEGIN
  SELECT RAISE(ABORT, 'proposals: document required')
    WHERE length(coalesce(json_extract(NEW.payload, '$.document.hash'), '')) <> 64;
  SELECT RAISE(ABORT, 'proposals: moved to another asset or quantity')
    WHERE json_extract(NEW.payload, '$.action') = 'move' AND (
      json_extract(NEW.payload, '$.from.units') IS NOT json_extract(NEW.payload, '$.to.units')
      OR (SELECT asset FROM custody_places WHERE id = json_extract(NEW.payload, '$.from.place'))
        IS NOT (SELECT asset FROM custody_places WHERE id = json_extract(NEW.payload, '$.to.place')));
END;
-- An approval books all of its lines, or fails.
CREATE TRIGGER proposals_treasury_booked AFTER UPDATE ON proposals
WHEN NEW.kind = 'treasury' AND NEW.status = 'approved'
BEGIN
  INSERT INTO custody_entries (id, asset, quantity, code, ref, at)
    SELECT ref || ':' || code, asset, quantity, code, ref, at FROM treasury_lines WHERE ref = NEW.id AND asset IS NOT NULL ORDER BY quantity;
  SELECT RAISE(ABORT, 'proposals: entries not booked')
    WHERE (SELECT count(*) FROM custody_entries WHERE ref = NEW.id)
      <> (SELECT count(*) FROM treasury_codes WHERE action = json_extract(NEW.payload, '$.action'));
END;

-- Once a day: the books and the proof of each place that has one, in the smallest unit of its asset (at exchanges 10⁻⁸).
CREATE TABLE reconciliations (
  day TEXT NOT NULL,                        -- 2026-01-31, UTC
  place TEXT NOT NULL,                      -- of custody_places, or exchange:asset
  books INTEGER NOT NULL,                   -- at the time of the proof
  proven INTEGER NOT NULL,
  proven_at INTEGER NOT NULL,               -- the count of the chain, the statement's time, the exchange's answer
  at INTEGER NOT NULL,
  PRIMARY KEY (place, day)
) STRICT, WITHOUT ROWID;
CREATE TRIGGER reconciliations_no_update BEFORE UPDATE ON reconciliations BEGIN SELECT RAISE(ABORT, 'reconciliations: immutable'); END;
CREATE TRIGGER reconciliations_no_delete BEFORE DELETE ON reconciliations BEGIN SELECT RAISE(ABORT, 'reconciliations: never deleted'); END;

-- A difference that a person has to clear: of a reconciliation, or custody below zero.
CREATE TABLE custody_differences (
  seq INTEGER PRIMARY KEY AUTOINCREMENT,
  place TEXT NOT NULL,
  quantity INTEGER NOT NULL CHECK (quantity <> 0),  -- the proof less the books, or the balance below zero
  is_negative INTEGER NOT NULL CHECK (is_negative IN (0, 1)),  -- 1: the books of the place fell below zero
  at INTEGER NOT NULL,
  cleared_by TEXT,
  cleared_at INTEGER,
  reason TEXT,
  CHECK ((cleared_at IS NULL) = (cleared_by IS NULL) AND (cleared_at IS NULL) = (reason IS NULL))
) STRICT;
CREATE INDEX custody_differences_open ON custody_differences (seq) WHERE cleared_at IS NULL;
-- A difference that is the same as on the day before is not found again.
CREATE TRIGGER reconciliations_differ AFTER INSERT ON reconciliations
WHEN NEW.proven <> NEW.books
BEGIN
  INSERT INTO custody_differences (place, quantity, is_negative, at)
    SELECT NEW.place, NEW.proven - NEW.books, 0, NEW.at
    WHERE NEW.proven - NEW.books IS NOT (
      SELECT proven - books FROM reconciliations WHERE place = NEW.place AND day < NEW.day ORDER BY day DESC LIMIT 1);
END;
CREATE TRIGGER place_entries_negative AFTER INSERT ON place_entries
WHEN NEW.balance < 0 AND NEW.balance >= NEW.quantity
BEGIN
  INSERT INTO custody_differences (place, quantity, is_negative, at) VALUES (NEW.place, NEW.balance, 1, NEW.at);
END;
CREATE TRIGGER custody_differences_no_delete BEFORE DELETE ON custody_differences BEGIN SELECT RAISE(ABORT, 'custody_differences: never deleted'); END;
-- An operator who entered a movement or a statement of the place in the last 31 days must not clear its difference.
CREATE TRIGGER custody_differences_cleared BEFORE UPDATE ON custody_differences
BEGIN
  SELECT RAISE(ABORT, 'already_decided') WHERE OLD.cleared_at IS NOT NULL;
  SELECT RAISE(ABORT, 'custody_differences: immutable columns')
    WHERE NEW.seq IS NOT OLD.seq OR NEW.place IS NOT OLD.place OR NEW.quantity IS NOT OLD.quantity OR NEW.is_negative IS NOT OLD.is_negative
      OR NEW.at IS NOT OLD.at OR NEW.cleared_at IS NULL;
  SELECT RAISE(ABORT, 'second_operator_required')
    WHERE EXISTS (
      SELECT 1 FROM place_entries e JOIN proposals p ON p.id = e.ref
      WHERE e.place = OLD.place AND e.at > NEW.cleared_at - 2678400000 AND p.proposed_by = NEW.cleared_by)
      OR EXISTS (
      SELECT 1 FROM custody_statements s
      WHERE s.place = OLD.place AND s.decided_at > NEW.cleared_at - 2678400000 AND s.proposed_by = NEW.cleared_by);
END;

-- The ledger's sums by kind once a day, so that the trial balance at any time costs at most a day of transfers.
CREATE TABLE ledger_days (
  day TEXT PRIMARY KEY,                     -- 2026-01-31, UTC
  at INTEGER NOT NULL,
  transfer INTEGER NOT NULL,                -- the newest transfer, by transfers.seq
  kinds TEXT NOT NULL                       -- JSON: the sum of each kind of account, in cents
) STRICT, WITHOUT ROWID;
CREATE TRIGGER ledger_days_no_update BEFORE UPDATE ON ledger_days BEGIN SELECT RAISE(ABORT, 'ledger_days: immutable'); END;
CREATE TRIGGER ledger_days_no_delete BEFORE DELETE ON ledger_days BEGIN SELECT RAISE(ABORT, 'ledger_days: never deleted'); END;

-- The months that two people closed. The hash of each is of its entries and balances, and of the close before it. last_entry is the newest
-- entry in it, by place_entries.seq, and ends_at the first moment after it.
CREATE VIEW month_closes (month, ends_at, last_entry, hash, proposal, at) AS
  SELECT json_extract(payload, '$.month'), json_extract(payload, '$.endsAt'), json_extract(payload, '$.lastEntry'),
    json_extract(payload, '$.hash'), id, decided_at
  FROM proposals WHERE kind = 'month_close' AND +status = 'approved';
CREATE INDEX proposals_months ON proposals (json_extract(payload, '$.endsAt')) WHERE kind = 'month_close';
CREATE TRIGGER proposals_month_closed BEFORE UPDATE ON proposals
WHEN OLD.kind = 'month_close' AND NEW.status = 'approved'
BEGIN
  SELECT RAISE(ABORT, 'conflict')
    WHERE NEW.decided_at < json_extract(OLD.payload, '$.endsAt')
      OR json_extract(OLD.payload, '$.endsAt') IS NOT CAST(strftime('%s', json_extract(OLD.payload, '$.month') || '-01', '+1 month') AS INTEGER) * 1000
      OR json_extract(OLD.payload, '$.endsAt') <= (SELECT max(ends_at) FROM month_closes)
      OR json_extract(OLD.payload, '$.previous') IS NOT (SELECT hash FROM month_closes ORDER BY ends_at DESC LIMIT 1)
      OR json_extract(OLD.payload, '$.lastEntry') IS NOT coalesce((
        SELECT seq FROM place_entries WHERE at < json_extract(OLD.payload, '$.endsAt') ORDER BY seq DESC LIMIT 1), 0);
END;
-- An entry with a time in a closed month goes to the next one.
CREATE TRIGGER custody_month_open BEFORE INSERT ON custody_entries
BEGIN
  SELECT RAISE(ABORT, 'custody_entries: month closed') WHERE NEW.at < (SELECT max(ends_at) FROM month_closes);
END;
CREATE TRIGGER transfers_month_open BEFORE INSERT ON transfers
BEGIN
  SELECT RAISE(ABORT, 'transfers: month closed') WHERE NEW.at < (SELECT max(ends_at) FROM month_closes);
END;
