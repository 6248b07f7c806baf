-- What investors do to protect their own withdrawals: the lock "only to my saved destinations", and proofs of their own wallets.

-- The lock. It is on from `on_since`, and 48 hours longer than its owner asked to switch it off.
CREATE TABLE destination_locks (
  investor TEXT PRIMARY KEY REFERENCES users (id),
  on_since INTEGER NOT NULL,
  off_asked_at INTEGER,
  off_session TEXT,                         -- the owner's session that asked
  CHECK ((off_asked_at IS NULL) = (off_session IS NULL))
) STRICT, WITHOUT ROWID;

-- Times may differ from the database's clock by five minutes, so that no caller dates a request back and shortens the 48 hours.
CREATE TRIGGER destination_locks_on BEFORE INSERT ON destination_locks
BEGIN
  SELECT RAISE(ABORT, 'conflict') WHERE EXISTS (SELECT 1 FROM destination_locks WHERE investor = NEW.investor);
  SELECT RAISE(ABORT, 'destination_locks: not switched on, or wrong time')
    WHERE NEW.off_asked_at IS NOT NULL OR NEW.on_since > CAST(unixepoch('subsec') * 1000 AS INTEGER) + 300000;
  SELECT RAISE(ABORT, 'forbidden')
    WHERE NOT EXISTS (SELECT 1 FROM users WHERE id = NEW.investor AND role = 'investor');
END;
CREATE TRIGGER destination_locks_changed BEFORE UPDATE ON destination_locks
BEGIN
  SELECT RAISE(ABORT, 'destination_locks: immutable columns') WHERE NEW.investor IS NOT OLD.investor;
  -- It begins anew only after it was off.
  SELECT RAISE(ABORT, 'conflict')
    WHERE (NEW.off_asked_at IS NOT NULL AND OLD.off_asked_at IS NOT NULL)
      OR (NEW.on_since IS NOT OLD.on_since AND (NEW.off_asked_at IS NOT NULL
        OR coalesce(OLD.off_asked_at > CAST(unixepoch('subsec') * 1000 AS INTEGER) - 172800000, 1)));
  SELECT RAISE(ABORT, 'destination_locks: wrong time')
    WHERE (NEW.on_since IS NOT OLD.on_since AND NEW.on_since > CAST(unixepoch('subsec') * 1000 AS INTEGER) + 300000)
      OR NEW.off_asked_at < CAST(unixepoch('subsec') * 1000 AS INTEGER) - 300000;
  -- Only its owner asks: no session of an operator is a session of an investor.
  SELECT RAISE(ABORT, 'forbidden')
    WHERE NEW.off_asked_at IS NOT NULL AND NOT EXISTS (
      SELECT 1 FROM sessions WHERE id = NEW.off_session AND user_id = NEW.investor AND ended_at IS NULL);
END;
CREATE TRIGGER destination_locks_no_delete BEFORE DELETE ON destination_locks BEGIN SELECT RAISE(ABORT, 'destination_locks: never deleted'); END;

-- While the lock is on, money goes only to addresses that were in the address book before it, or for 48 hours, and to bank accounts
-- that were confirmed before it. The database's clock counts too, so a later time given by the caller does not end the 48 hours.
CREATE TRIGGER withdrawal_details_locked BEFORE INSERT ON withdrawal_details
BEGIN
  SELECT RAISE(ABORT, 'destination_locked')
    FROM (SELECT r.investor, l.on_since, l.off_asked_at,
        min(r.created_at, CAST(unixepoch('subsec') * 1000 AS INTEGER)) - 172800000 AS passed
      FROM requests r JOIN destination_locks l ON l.investor = r.investor WHERE r.id = NEW.request) l
    WHERE (l.off_asked_at IS NULL OR l.off_asked_at > l.passed)
      AND NOT EXISTS (
        SELECT 1 FROM saved_addresses WHERE investor = l.investor AND destination_hash = NEW.destination_hash
          AND created_at <= max(l.on_since, l.passed))
      AND NOT (NEW.bank IS NOT NULL AND EXISTS (
        SELECT 1 FROM known_destinations WHERE investor = l.investor AND destination_hash = NEW.destination_hash));
END;
-- A withdrawal makes its destination known in the same batch, which must not be its excuse.
CREATE TRIGGER known_destinations_locked BEFORE INSERT ON known_destinations
BEGIN
  SELECT RAISE(ABORT, 'destination_locked')
    FROM (SELECT on_since, off_asked_at,
        min(NEW.confirmed_at, CAST(unixepoch('subsec') * 1000 AS INTEGER)) - 172800000 AS passed
      FROM destination_locks WHERE investor = NEW.investor) l
    WHERE (l.off_asked_at IS NULL OR l.off_asked_at > l.passed)
      AND NOT EXISTS (
        SELECT 1 FROM saved_addresses WHERE investor = NEW.investor AND destination_hash = NEW.destination_hash
          AND created_at <= max(l.on_since, l.passed))
      -- This trigger also runs for an upsert of a known destination.
      AND NOT EXISTS (
        SELECT 1 FROM known_destinations WHERE investor = NEW.investor AND destination_hash = NEW.destination_hash);
END;
CREATE TRIGGER saved_addresses_dated BEFORE INSERT ON saved_addresses
BEGIN
  SELECT RAISE(ABORT, 'saved_addresses: wrong time')
    WHERE NEW.created_at < CAST(unixepoch('subsec') * 1000 AS INTEGER) - 300000
      AND EXISTS (SELECT 1 FROM destination_locks WHERE investor = NEW.investor);
END;
CREATE TRIGGER saved_addresses_renamed BEFORE UPDATE ON saved_addresses WHEN NEW.seq IS NOT OLD.seq OR NEW.id IS NOT OLD.id OR NEW.investor IS NOT OLD.investor OR NEW.network IS NOT OLD.network OR NEW.address IS NOT OLD.address OR NEW.destination_hash IS NOT OLD.destination_hash OR NEW.created_at IS NOT OLD.created_at BEGIN SELECT RAISE(ABORT, 'saved_addresses: immutable columns'); END;

-- Messages for the key of an investor's saved address to sign, and the signatures. docs/decisions/0029
CREATE TABLE owner_proofs (
  seq INTEGER PRIMARY KEY AUTOINCREMENT,
  id TEXT NOT NULL UNIQUE,
  investor TEXT NOT NULL REFERENCES users (id),
  network TEXT NOT NULL REFERENCES networks (name),
  address TEXT NOT NULL,
  destination_hash TEXT NOT NULL,
  message TEXT NOT NULL UNIQUE,
  created_at INTEGER NOT NULL,
  expires_at INTEGER NOT NULL CHECK (expires_at > created_at AND expires_at <= created_at + 604800000),
  -- Once it was signed: the standard that was checked, and when.
  method TEXT,
  signature TEXT,
  proved_at INTEGER,
  CHECK ((method IS NULL) = (signature IS NULL)),
  CHECK ((method IS NULL) = (proved_at IS NULL))
) STRICT;
CREATE INDEX owner_proofs_by_destination ON owner_proofs (investor, destination_hash, seq);

CREATE TRIGGER owner_proofs_issued BEFORE INSERT ON owner_proofs
BEGIN
  SELECT RAISE(ABORT, 'owner_proofs: already issued')
    WHERE NEW.proved_at IS NOT NULL
      OR EXISTS (SELECT 1 FROM owner_proofs WHERE id = NEW.id OR seq = NEW.seq OR message = NEW.message);
  SELECT RAISE(ABORT, 'owner_proofs: not a saved address of the investor')
    WHERE NOT EXISTS (
      SELECT 1 FROM saved_addresses WHERE investor = NEW.investor AND destination_hash = NEW.destination_hash
        AND network = NEW.network AND address = NEW.address);
END;
CREATE TRIGGER owner_proofs_signed BEFORE UPDATE ON owner_proofs
BEGIN
  SELECT RAISE(ABORT, 'already_decided') WHERE OLD.proved_at IS NOT NULL;
  SELECT RAISE(ABORT, 'owner_proofs: immutable columns or not signed in time')
    WHERE NEW.seq IS NOT OLD.seq OR NEW.id IS NOT OLD.id OR NEW.investor IS NOT OLD.investor OR NEW.network IS NOT OLD.network
      OR NEW.address IS NOT OLD.address OR NEW.destination_hash IS NOT OLD.destination_hash OR NEW.message IS NOT OLD.message
      OR NEW.created_at IS NOT OLD.created_at OR NEW.expires_at IS NOT OLD.expires_at
      OR coalesce(NEW.proved_at NOT BETWEEN OLD.created_at AND OLD.expires_at, 1);
END;
CREATE TRIGGER owner_proofs_deleted_on_erasure BEFORE DELETE ON owner_proofs
WHEN OLD.proved_at IS NOT NULL
BEGIN
  SELECT RAISE(ABORT, 'owner_proofs: never deleted')
    WHERE NOT EXISTS (SELECT 1 FROM users WHERE id = OLD.investor AND erased_at IS NOT NULL);
END;

-- A new destination has no delay only with a second factor, or if the investor proved this address after the last security change.
CREATE TRIGGER known_destinations_delay BEFORE INSERT ON known_destinations
WHEN NEW.held_until IS NULL OR NEW.held_until < NEW.confirmed_at + 86400000
BEGIN
  SELECT RAISE(ABORT, 'destination_on_hold')
    WHERE NOT EXISTS (SELECT 1 FROM second_factors WHERE user_id = NEW.investor AND enabled_at IS NOT NULL)
      AND NOT EXISTS (SELECT 1 FROM passkeys WHERE user_id = NEW.investor)
      AND NOT EXISTS (
        SELECT 1 FROM owner_proofs p JOIN users u ON u.id = p.investor
        WHERE p.investor = NEW.investor AND p.destination_hash = NEW.destination_hash
          AND p.proved_at > coalesce(u.security_changed_at, 0))
      AND NOT EXISTS (
        SELECT 1 FROM known_destinations WHERE investor = NEW.investor AND destination_hash = NEW.destination_hash);
END;
CREATE TRIGGER known_destinations_lifted BEFORE UPDATE OF held_until ON known_destinations
WHEN NEW.held_until IS NULL AND OLD.held_until > CAST(unixepoch('subsec') * 1000 AS INTEGER)
BEGIN
  SELECT RAISE(ABORT, 'destination_on_hold')
    WHERE NOT EXISTS (SELECT 1 FROM second_factors WHERE user_id = NEW.investor AND enabled_at IS NOT NULL)
      AND NOT EXISTS (SELECT 1 FROM passkeys WHERE user_id = NEW.investor)
      AND NOT EXISTS (
        SELECT 1 FROM owner_proofs p JOIN users u ON u.id = p.investor
        WHERE p.investor = NEW.investor AND p.destination_hash = NEW.destination_hash
          AND p.proved_at > coalesce(u.security_changed_at, 0));
END;
