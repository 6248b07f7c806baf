-- Receiving wallets: who retired one, what was paid to each address, and proofs that somebody holds an address's key.

ALTER TABLE wallets ADD COLUMN retired_by TEXT;
DROP TRIGGER wallets_never_change;
UPDATE wallets SET retired_by = (
    SELECT u.id FROM audit_log a JOIN users u ON u.id = a.actor
    WHERE a.action = 'wallet.retired' AND a.subject = wallets.id LIMIT 1)
  WHERE retired_at IS NOT NULL;
-- As before, and: a treasurer retires one.
CREATE TRIGGER wallets_never_change BEFORE UPDATE ON wallets
BEGIN
  SELECT RAISE(ABORT, 'wallets: an address never changes')
    WHERE NEW.id IS NOT OLD.id OR NEW.address IS NOT OLD.address OR NEW.network IS NOT OLD.network
      OR NEW.coin IS NOT OLD.coin OR NEW.simulated IS NOT OLD.simulated OR NEW.proposal IS NOT OLD.proposal
      OR NEW.seq IS NOT OLD.seq OR NEW.created_at IS NOT OLD.created_at;
  SELECT RAISE(ABORT, 'already_decided') WHERE OLD.retired_at IS NOT NULL;
  SELECT RAISE(ABORT, 'forbidden')
    WHERE NEW.retired_at IS NULL OR NOT EXISTS (
      SELECT 1 FROM users WHERE id = NEW.retired_by AND role = 'operator'
        AND disabled_at IS NULL AND instr(' ' || operator_roles || ' ', ' treasurer ') > 0);
END;
CREATE TRIGGER wallets_start_unretired BEFORE INSERT ON wallets
BEGIN
  SELECT RAISE(ABORT, 'wallets: a proposal gives one address, once') WHERE NEW.retired_by IS NOT NULL;
END;

-- What was paid to an address, kept as deposits come and are decided, so that reading it never counts them again.
CREATE TABLE wallet_totals (
  network TEXT NOT NULL,
  address TEXT NOT NULL,
  waiting INTEGER NOT NULL DEFAULT 0 CHECK (waiting >= 0),
  deposits INTEGER NOT NULL DEFAULT 0 CHECK (deposits >= 0),   -- credited and not reversed
  credited INTEGER NOT NULL DEFAULT 0 CHECK (credited >= 0),   -- cents
  PRIMARY KEY (network, address)
) STRICT, WITHOUT ROWID;
INSERT INTO wallet_totals (network, address, waiting, deposits, credited)
  SELECT d.network, d.payment_to, sum(r.status = 'pending'), sum(r.status = 'approved'),
         sum(CASE r.status WHEN 'approved' THEN r.amount ELSE 0 END)
  FROM deposit_details d JOIN requests r ON r.id = d.request GROUP BY d.network, d.payment_to;
CREATE TRIGGER deposit_details_counted AFTER INSERT ON deposit_details
BEGIN
  INSERT INTO wallet_totals (network, address)
    SELECT NEW.network, NEW.payment_to
    WHERE NOT EXISTS (SELECT 1 FROM wallet_totals WHERE network = NEW.network AND address = NEW.payment_to);
  UPDATE wallet_totals SET waiting = waiting + 1 WHERE network = NEW.network AND address = NEW.payment_to;
END;
CREATE TRIGGER request_events_counted AFTER INSERT ON request_events
WHEN NEW.status IN ('approved', 'rejected', 'cancelled', 'reversed')
BEGIN
  UPDATE wallet_totals SET
    waiting = waiting - (NEW.status <> 'reversed'),
    deposits = deposits + (NEW.status = 'approved') - (NEW.status = 'reversed'),
    credited = credited + CASE NEW.status
      WHEN 'approved' THEN NEW.amount
      WHEN 'reversed' THEN -(SELECT amount FROM request_events WHERE request = NEW.request AND status = 'approved')
      ELSE 0 END
  WHERE (network, address) = (SELECT network, payment_to FROM deposit_details WHERE request = NEW.request);
END;

-- Messages that were issued to be signed. Each names the platform, the address and the day, so that no other signature serves.
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
  SELECT RAISE(ABORT, 'wallets: a message is issued once')
    WHERE EXISTS (SELECT 1 FROM wallet_challenges WHERE id = NEW.id OR message = NEW.message);
  SELECT RAISE(ABORT, 'conflict')
    WHERE NOT EXISTS (SELECT 1 FROM wallets WHERE id = NEW.wallet AND retired_at IS NULL);
  SELECT RAISE(ABORT, 'forbidden')
    WHERE NOT EXISTS (
      SELECT 1 FROM users WHERE id = NEW.issued_to AND role = 'operator'
        AND disabled_at IS NULL AND instr(' ' || operator_roles || ' ', ' treasurer ') > 0);
END;
CREATE TRIGGER wallet_challenges_never_change BEFORE UPDATE ON wallet_challenges
BEGIN
  SELECT RAISE(ABORT, 'wallets: what was issued never changes');
END;
CREATE TRIGGER wallet_challenges_keep BEFORE DELETE ON wallet_challenges
BEGIN
  SELECT RAISE(ABORT, 'wallets: what was issued is never deleted');
END;

CREATE TABLE wallet_proofs (
  seq INTEGER PRIMARY KEY AUTOINCREMENT,
  wallet TEXT NOT NULL REFERENCES wallets (id),
  challenge TEXT NOT NULL UNIQUE REFERENCES wallet_challenges (id),
  method TEXT NOT NULL,                     -- the standard by which the signature was checked
  signature TEXT NOT NULL,
  proved_by TEXT NOT NULL,
  proved_at INTEGER NOT NULL
) STRICT;
CREATE INDEX wallet_proofs_by_wallet ON wallet_proofs (wallet, seq);
CREATE TRIGGER wallet_proofs_of_what_was_issued BEFORE INSERT ON wallet_proofs
BEGIN
  SELECT RAISE(ABORT, 'already_decided')
    WHERE EXISTS (SELECT 1 FROM wallet_proofs WHERE challenge = NEW.challenge OR seq = NEW.seq);
  SELECT RAISE(ABORT, 'conflict')
    WHERE NOT EXISTS (SELECT 1 FROM wallets WHERE id = NEW.wallet AND retired_at IS NULL);
  SELECT RAISE(ABORT, 'wallets: a proof signs what was issued for its wallet, in time')
    WHERE NOT EXISTS (
      SELECT 1 FROM wallet_challenges
      WHERE id = NEW.challenge AND wallet = NEW.wallet AND NEW.proved_at BETWEEN created_at AND expires_at);
  SELECT RAISE(ABORT, 'forbidden')
    WHERE NOT EXISTS (
      SELECT 1 FROM users WHERE id = NEW.proved_by AND role = 'operator'
        AND disabled_at IS NULL AND instr(' ' || operator_roles || ' ', ' treasurer ') > 0);
END;
CREATE TRIGGER wallet_proofs_never_change BEFORE UPDATE ON wallet_proofs
BEGIN
  SELECT RAISE(ABORT, 'wallets: a proof never changes');
END;
CREATE TRIGGER wallet_proofs_keep BEFORE DELETE ON wallet_proofs
BEGIN
  SELECT RAISE(ABORT, 'wallets: a proof is never deleted');
END;
