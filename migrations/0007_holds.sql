-- A new destination that was confirmed by e-mail alone waits for a day, and saved addresses.

-- Withdrawals to this destination are paid from this moment on; NULL: at once. Every withdrawal that is filed meanwhile
-- takes the moment over, so that later ones wait no longer, and the second factor lifts it for those still to come.
ALTER TABLE known_destinations ADD COLUMN held_until INTEGER;

CREATE TRIGGER known_destinations_keep_hold BEFORE UPDATE OF held_until ON known_destinations
WHEN NEW.held_until IS NOT NULL AND NEW.held_until IS NOT OLD.held_until
BEGIN
  SELECT RAISE(ABORT, 'destinations: a hold keeps its moment until it is lifted');
END;

-- What is filed waits exactly as its destination does at that moment, whatever was read before.
CREATE TRIGGER withdrawal_details_on_hold BEFORE INSERT ON withdrawal_details
BEGIN
  SELECT RAISE(ABORT, 'destination_on_hold')
    FROM requests r LEFT JOIN known_destinations k
      ON k.investor = r.investor AND k.destination_hash = NEW.destination_hash AND k.held_until > r.created_at
    WHERE r.id = NEW.request AND NEW.held_until IS NOT k.held_until;
END;

-- Nothing is paid before its moment, however late whoever records it says it is.
CREATE TRIGGER request_events_on_hold BEFORE INSERT ON request_events
WHEN NEW.status = 'completed'
BEGIN
  SELECT RAISE(ABORT, 'destination_on_hold')
    WHERE EXISTS (
      SELECT 1 FROM withdrawal_details
      WHERE request = NEW.request AND held_until > min(NEW.at, CAST(unixepoch('subsec') * 1000 AS INTEGER)));
END;

-- A second factor that was turned on without the password: until then its codes leave a new destination on hold.
ALTER TABLE second_factors ADD COLUMN doubted_until INTEGER;

-- An investor's address book. An address in it is no destination that was ever confirmed.
CREATE TABLE saved_addresses (
  seq INTEGER PRIMARY KEY AUTOINCREMENT,
  id TEXT NOT NULL UNIQUE,
  investor TEXT NOT NULL REFERENCES users (id),
  label TEXT NOT NULL COLLATE NOCASE,
  network TEXT NOT NULL,
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
