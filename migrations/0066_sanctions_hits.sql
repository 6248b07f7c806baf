-- Possible hits on the sanctions list are work of compliance, and hold back what they concern until they are cleared.
CREATE TABLE sanctions_hits (
  seq INTEGER PRIMARY KEY AUTOINCREMENT,
  id TEXT NOT NULL UNIQUE,
  investor TEXT NOT NULL REFERENCES users (id),
  entries TEXT NOT NULL,                    -- JSON: the entries that may be meant. One that the list changes is another one
  found_at INTEGER NOT NULL,
  cleared_by TEXT REFERENCES users (id),
  cleared_at INTEGER,
  note TEXT,                                -- why it was cleared: one of the notes about the investor
  CHECK ((cleared_by IS NULL) = (cleared_at IS NULL))
) STRICT;
-- Further entries are added to the open one.
CREATE UNIQUE INDEX sanctions_hits_open ON sanctions_hits (investor) WHERE cleared_at IS NULL;
CREATE INDEX sanctions_hits_by_investor ON sanctions_hits (investor, seq);

CREATE TRIGGER sanctions_hits_cleared BEFORE UPDATE ON sanctions_hits
BEGIN
  SELECT RAISE(ABORT, 'already_decided') WHERE OLD.cleared_at IS NOT NULL;
  SELECT RAISE(ABORT, 'forbidden')
    WHERE NEW.cleared_at IS NOT NULL AND NOT EXISTS (
      SELECT 1 FROM users WHERE id = NEW.cleared_by AND role = 'operator' AND disabled_at IS NULL
        AND (instr(' ' || operator_roles || ' ', ' compliance ') > 0 OR instr(' ' || operator_roles || ' ', ' administrator ') > 0));
END;

-- An open hit: no identity is approved and no money is paid out. The other rules about these rows are older triggers.
CREATE TRIGGER kyc_not_listed BEFORE UPDATE OF status ON kyc_submissions
WHEN NEW.status = 'approved'
BEGIN
  SELECT RAISE(ABORT, 'sanctions_hit_open')
    WHERE EXISTS (SELECT 1 FROM sanctions_hits WHERE investor = NEW.user_id AND cleared_at IS NULL);
END;
-- A payout that is on its way is booked.
CREATE TRIGGER request_events_not_listed BEFORE INSERT ON request_events
WHEN NEW.status = 'approved' OR (NEW.status = 'completed' AND NEW.actor <> 'system')
BEGIN
  SELECT RAISE(ABORT, 'sanctions_hit_open')
    WHERE EXISTS (SELECT 1 FROM sanctions_hits WHERE investor = NEW.investor AND cleared_at IS NULL)
      AND EXISTS (SELECT 1 FROM requests WHERE id = NEW.request AND queue = 'withdrawals');
END;
-- A version that replaces a released one pays the same and may go on.
CREATE TRIGGER payout_transactions_not_listed BEFORE UPDATE ON payout_transactions
WHEN OLD.version = 1
BEGIN
  SELECT RAISE(ABORT, 'sanctions_hit_open')
    WHERE EXISTS (
      SELECT 1 FROM payout_items i JOIN requests r ON r.id = i.request JOIN sanctions_hits h ON h.investor = r.investor
      WHERE i.payout = NEW.payout AND h.cleared_at IS NULL);
END;

-- How far the customers without an open case were compared with the list of this version.
CREATE TABLE screening_passes (
  list_version TEXT PRIMARY KEY,
  after_row INTEGER NOT NULL,               -- the rowid of the last person who was compared
  compared INTEGER NOT NULL,
  begun_at INTEGER NOT NULL,
  finished_at INTEGER
) STRICT;

-- Compliance freezes silently and writes confidential notes, whichever role the settings name besides.
DROP VIEW confidential_operators;
CREATE VIEW confidential_operators (id) AS
  SELECT id FROM users
  WHERE role = 'operator' AND disabled_at IS NULL
    AND (instr(' ' || operator_roles || ' ', ' compliance ') > 0
      OR instr(' ' || operator_roles || ' ', ' ' || coalesce(
        (SELECT json_extract(value, '$') FROM settings WHERE key = 'confidentialRole'), 'administrator') || ' ') > 0);
