-- Deposits: the wallets that receive them, proofs of control over those wallets, and the approvals of a credit.

CREATE TABLE wallets (
  seq INTEGER PRIMARY KEY AUTOINCREMENT,
  id TEXT NOT NULL UNIQUE,
  coin TEXT NOT NULL,
  network TEXT NOT NULL REFERENCES networks (name),
  address TEXT NOT NULL,
  simulated INTEGER NOT NULL CHECK (simulated IN (0, 1)),
  proposal TEXT NOT NULL UNIQUE REFERENCES proposals (id),
  created_at INTEGER NOT NULL,
  retired_at INTEGER,
  retired_by TEXT
) STRICT;
CREATE UNIQUE INDEX wallets_active_once ON wallets (network, address) WHERE retired_at IS NULL;
CREATE INDEX wallets_active ON wallets (seq) WHERE retired_at IS NULL;

CREATE TRIGGER wallets_need_two BEFORE INSERT ON wallets
BEGIN
  SELECT RAISE(ABORT, 'wallets: retired or proposal already used')
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
-- An address never changes. A treasurer retires it once.
CREATE TRIGGER wallets_retired BEFORE UPDATE ON wallets
BEGIN
  SELECT RAISE(ABORT, 'already_decided') WHERE OLD.retired_at IS NOT NULL;
  SELECT RAISE(ABORT, 'forbidden')
    WHERE NEW.retired_at IS NULL OR NOT EXISTS (
      SELECT 1 FROM users WHERE id = NEW.retired_by AND role = 'operator'
        AND disabled_at IS NULL AND instr(' ' || operator_roles || ' ', ' treasurer ') > 0);
END;
CREATE TRIGGER wallets_start_unretired BEFORE INSERT ON wallets
BEGIN
  SELECT RAISE(ABORT, 'wallets: retired or proposal already used') WHERE NEW.retired_by IS NOT NULL;
END;

-- Totals per address, updated with each deposit and decision, so that reading them never counts deposits.
CREATE TABLE wallet_totals (
  network TEXT NOT NULL REFERENCES networks (name),
  address TEXT NOT NULL,
  waiting INTEGER NOT NULL DEFAULT 0 CHECK (waiting >= 0),
  deposits INTEGER NOT NULL DEFAULT 0 CHECK (deposits >= 0),  -- credited and not reversed
  credited INTEGER NOT NULL DEFAULT 0 CHECK (credited >= 0),   -- cents
  PRIMARY KEY (network, address)
) STRICT, WITHOUT ROWID;

-- Messages to be signed. Each names the platform, the address and the day, so that no other signature can be used.
CREATE TABLE wallet_challenges (
  id TEXT PRIMARY KEY,
  wallet TEXT NOT NULL REFERENCES wallets (id),
  message TEXT NOT NULL UNIQUE,
  issued_to TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  expires_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX wallet_challenges_by_wallet ON wallet_challenges (wallet, created_at);

CREATE TRIGGER wallet_challenges_issued BEFORE INSERT ON wallet_challenges
BEGIN
  SELECT RAISE(ABORT, 'wallet_challenges: already issued')
    WHERE EXISTS (SELECT 1 FROM wallet_challenges WHERE id = NEW.id OR message = NEW.message);
  SELECT RAISE(ABORT, 'conflict')
    WHERE NOT EXISTS (SELECT 1 FROM wallets WHERE id = NEW.wallet AND retired_at IS NULL);
  SELECT RAISE(ABORT, 'forbidden')
    WHERE NOT EXISTS (
      SELECT 1 FROM users WHERE id = NEW.issued_to AND role = 'operator'
        AND disabled_at IS NULL AND instr(' ' || operator_roles || ' ', ' treasurer ') > 0);
END;

CREATE TABLE wallet_proofs (
  seq INTEGER PRIMARY KEY AUTOINCREMENT,
  wallet TEXT NOT NULL REFERENCES wallets (id),
  challenge TEXT NOT NULL UNIQUE REFERENCES wallet_challenges (id),
  method TEXT NOT NULL,                     -- the signature standard that was checked
  signature TEXT NOT NULL,
  proved_by TEXT NOT NULL,
  proved_at INTEGER NOT NULL
) STRICT;
CREATE INDEX wallet_proofs_by_wallet ON wallet_proofs (wallet, seq);

CREATE TRIGGER wallet_proofs_sign_challenge BEFORE INSERT ON wallet_proofs
BEGIN
  SELECT RAISE(ABORT, 'already_decided')
    WHERE EXISTS (SELECT 1 FROM wallet_proofs WHERE challenge = NEW.challenge OR seq = NEW.seq);
  SELECT RAISE(ABORT, 'conflict')
    WHERE NOT EXISTS (SELECT 1 FROM wallets WHERE id = NEW.wallet AND retired_at IS NULL);
  SELECT RAISE(ABORT, 'wallet_proofs: no open challenge for the wallet')
    WHERE NOT EXISTS (
      SELECT 1 FROM wallet_challenges
      WHERE id = NEW.challenge AND wallet = NEW.wallet AND NEW.proved_at BETWEEN created_at AND expires_at);
  SELECT RAISE(ABORT, 'forbidden')
    WHERE NOT EXISTS (
      SELECT 1 FROM users WHERE id = NEW.proved_by AND role = 'operator'
        AND disabled_at IS NULL AND instr(' ' || operator_roles || ' ', ' treasurer ') > 0);
END;

CREATE TABLE deposit_details (
  request TEXT PRIMARY KEY REFERENCES requests (id),
  coin TEXT NOT NULL,
  network TEXT NOT NULL REFERENCES networks (name),
  payment_to TEXT NOT NULL,
  txid TEXT,
  receipt_key TEXT NOT NULL,
  receipt_type TEXT NOT NULL,
  receipt_hash TEXT,                        -- SHA-256 of the stored receipt, which shows that it was sent twice
  quantity TEXT,                            -- the coin that arrived, as a decimal; set at the credit
  rate TEXT,                                -- USD per coin at the credit, as a decimal
  asked_rate TEXT,                          -- the same when it was announced; null: there was no price, or it is quoted (0017)
  sample INTEGER NOT NULL DEFAULT 0 CHECK (sample IN (0, 1))  -- 1: filed with our sample receipt, for practice (0028)
) STRICT, WITHOUT ROWID;
-- Operators search by the full transaction id.
CREATE INDEX deposit_details_by_txid ON deposit_details (txid) WHERE txid IS NOT NULL;

CREATE TRIGGER deposit_details_filed BEFORE INSERT ON deposit_details
BEGIN
  SELECT RAISE(ABORT, 'deposit_details: already filed or without a pending request')
    WHERE EXISTS (SELECT 1 FROM deposit_details WHERE request = NEW.request)
      OR NOT EXISTS (SELECT 1 FROM requests WHERE id = NEW.request AND queue = 'deposits' AND status = 'pending');
END;
CREATE TRIGGER deposit_details_immutable BEFORE UPDATE ON deposit_details
BEGIN
  SELECT RAISE(ABORT, 'deposit_details: immutable columns')
    WHERE NEW.request IS NOT OLD.request OR NEW.coin IS NOT OLD.coin OR NEW.network IS NOT OLD.network
      OR NEW.payment_to IS NOT OLD.payment_to
      OR NEW.receipt_key IS NOT OLD.receipt_key OR NEW.receipt_type IS NOT OLD.receipt_type
      OR NEW.receipt_hash IS NOT OLD.receipt_hash
      OR NEW.asked_rate IS NOT OLD.asked_rate OR NEW.sample IS NOT OLD.sample
      OR (OLD.quantity IS NOT NULL AND NEW.quantity IS NOT OLD.quantity)
      OR (OLD.rate IS NOT NULL AND NEW.rate IS NOT OLD.rate)
      OR (NEW.txid IS NOT OLD.txid AND (NEW.txid IS NOT NULL OR NOT EXISTS (
        SELECT 1 FROM requests r JOIN users u ON u.id = r.investor WHERE r.id = OLD.request AND u.erased_at IS NOT NULL)));
END;
CREATE TRIGGER deposit_details_counted AFTER INSERT ON deposit_details
BEGIN
  INSERT INTO wallet_totals (network, address)
    SELECT NEW.network, NEW.payment_to
    WHERE NOT EXISTS (SELECT 1 FROM wallet_totals WHERE network = NEW.network AND address = NEW.payment_to);
  UPDATE wallet_totals SET waiting = waiting + 1 WHERE network = NEW.network AND address = NEW.payment_to;
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
  at INTEGER NOT NULL,
  units INTEGER                             -- as the first operator stated
) STRICT, WITHOUT ROWID;
CREATE INDEX credit_approvals_by_reference ON credit_approvals (reference_key);

CREATE TRIGGER credit_approvals_keep BEFORE DELETE ON credit_approvals
BEGIN
  SELECT RAISE(ABORT, 'credit_approvals: never deleted')
    WHERE NOT EXISTS (
      SELECT 1 FROM withdrawn_approvals w
      WHERE w.request = OLD.request AND w.operator = OLD.operator AND w.approved_at = OLD.at
        AND w.reference_key = OLD.reference_key AND w.amount = OLD.amount
        AND w.seq = (SELECT max(seq) FROM withdrawn_approvals));
END;
CREATE TRIGGER credit_approvals_valid BEFORE INSERT ON credit_approvals
BEGIN
  SELECT RAISE(ABORT, 'already_decided')
    WHERE NOT EXISTS (SELECT 1 FROM requests WHERE id = NEW.request AND queue = 'deposits' AND status = 'pending');
  SELECT RAISE(ABORT, 'conflict') WHERE EXISTS (SELECT 1 FROM credit_approvals WHERE request = NEW.request);
  SELECT RAISE(ABORT, 'reference_used')
    WHERE EXISTS (SELECT 1 FROM references_in_force WHERE reference_key = NEW.reference_key);
  SELECT RAISE(ABORT, 'forbidden')
    WHERE NOT EXISTS (SELECT 1 FROM users WHERE id = NEW.operator AND role = 'operator');
  SELECT RAISE(ABORT, 'credit_approvals: amount and reference required')
    WHERE NEW.amount NOT BETWEEN 1 AND 1000000000000 OR NEW.reference_key = '';
END;
CREATE TRIGGER credit_approvals_unfrozen BEFORE INSERT ON credit_approvals
BEGIN
  SELECT RAISE(ABORT, 'account_frozen')
    WHERE EXISTS (
      SELECT 1 FROM requests r JOIN users u ON u.id = r.investor
      WHERE r.id = NEW.request AND u.frozen_at IS NOT NULL);
END;
CREATE TRIGGER credit_approvals_silently_frozen BEFORE INSERT ON credit_approvals
BEGIN
  SELECT RAISE(ABORT, 'decisions_reserved')
    WHERE EXISTS (
      SELECT 1 FROM requests r JOIN silent_freezes f ON f.investor = r.investor
      WHERE r.id = NEW.request AND f.ended_at IS NULL);
END;
CREATE TRIGGER credit_approvals_by_treasurers BEFORE INSERT ON credit_approvals
BEGIN
  SELECT RAISE(ABORT, 'forbidden')
    WHERE EXISTS (
      SELECT 1 FROM users WHERE id = NEW.operator AND role = 'operator'
        AND (disabled_at IS NOT NULL OR instr(' ' || operator_roles || ' ', ' treasurer ') = 0));
END;
CREATE TRIGGER credit_approvals_canonical AFTER INSERT ON credit_approvals
BEGIN
  SELECT RAISE(ABORT, 'credit_approvals: reference not canonical')
    WHERE NOT (
      NEW.reference = NEW.reference_key
      AND length(substr(NEW.reference_key, 1, 64)) = 64
      AND substr(NEW.reference_key, 1, 64) NOT GLOB '*[^0-9a-f]*'
      AND (length(CAST(NEW.reference_key AS BLOB)) = 64 OR (
        NEW.reference_key = substr(NEW.reference_key, 1, 64) || ':' || CAST(substr(NEW.reference_key, 66) AS INTEGER)
        AND CAST(substr(NEW.reference_key, 66) AS INTEGER) BETWEEN 0 AND 4294967295
        AND EXISTS (
          SELECT 1 FROM deposit_details d JOIN networks n ON n.name = d.network
          WHERE d.request = NEW.request AND n.has_outputs = 1))));
END;
CREATE TRIGGER credit_approvals_payment_once BEFORE INSERT ON credit_approvals
WHEN EXISTS (
  SELECT 1 FROM requests r JOIN users u ON u.id = r.investor
  WHERE r.id = NEW.request AND u.frozen_at IS NULL AND r.queue = 'deposits' AND r.status = 'pending')
  AND NOT EXISTS (SELECT 1 FROM credit_approvals WHERE request = NEW.request)
BEGIN
  SELECT RAISE(ABORT, 'reference_used')
    WHERE EXISTS (
      SELECT 1 FROM references_in_force f
      WHERE f.reference_key >= substr(NEW.reference_key, 1, 64) AND f.reference_key < substr(NEW.reference_key, 1, 64) || ';'
        AND (length(NEW.reference_key) = 64 OR length(f.reference_key) = 64
          OR (SELECT chain FROM request_chains WHERE request = f.request) IS NOT (SELECT chain FROM request_chains WHERE request = NEW.request)));
END;

-- An operator can withdraw their first approval until the deposit is credited. It moves to this table and stays here.
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
  SELECT RAISE(ABORT, 'withdrawn_approvals: immutable') WHERE EXISTS (SELECT 1 FROM withdrawn_approvals WHERE seq = NEW.seq);
  SELECT RAISE(ABORT, 'already_decided')
    WHERE NOT EXISTS (SELECT 1 FROM requests WHERE id = NEW.request AND queue = 'deposits' AND status = 'pending');
  SELECT RAISE(ABORT, 'conflict') WHERE NOT EXISTS (SELECT 1 FROM credit_approvals WHERE request = NEW.request);
  SELECT RAISE(ABORT, 'forbidden')
    WHERE NOT EXISTS (SELECT 1 FROM credit_approvals WHERE request = NEW.request AND operator = NEW.operator)
      OR EXISTS (
        SELECT 1 FROM users WHERE id = NEW.operator
          AND (disabled_at IS NOT NULL OR instr(' ' || operator_roles || ' ', ' treasurer ') = 0));
  SELECT RAISE(ABORT, 'withdrawn_approvals: differs from the approval')
    WHERE NOT EXISTS (
      SELECT 1 FROM credit_approvals c
      WHERE c.request = NEW.request AND c.reference = NEW.reference AND c.reference_key = NEW.reference_key
        AND c.amount = NEW.amount AND c.quantity IS NEW.quantity AND c.note IS NEW.note AND c.at = NEW.approved_at);
END;
CREATE TRIGGER withdrawn_approvals_take_effect AFTER INSERT ON withdrawn_approvals
BEGIN
  DELETE FROM credit_approvals WHERE request = NEW.request;
  SELECT RAISE(ABORT, 'withdrawn_approvals: approval not removed')
    WHERE EXISTS (SELECT 1 FROM credit_approvals WHERE request = NEW.request);
END;
