-- One switch pauses every payout. One operator pauses, two administrators resume. docs/decisions/0050-treasury.md
INSERT INTO proposal_kinds (kind) VALUES ('payout_resumption');
INSERT INTO proposal_roles (kind, role) VALUES ('payout_resumption', 'administrator');

CREATE TABLE payout_pauses (
  seq INTEGER PRIMARY KEY AUTOINCREMENT,
  at INTEGER NOT NULL,
  actor TEXT NOT NULL,                      -- an operator
  reason TEXT NOT NULL,
  lifted_by TEXT REFERENCES proposals (id),
  lifted_at INTEGER
) STRICT;
CREATE INDEX payout_pauses_open ON payout_pauses (seq) WHERE lifted_at IS NULL;

CREATE TRIGGER payout_pauses_start BEFORE INSERT ON payout_pauses
BEGIN
  SELECT RAISE(ABORT, 'payout_pauses: already stored')
    WHERE NEW.lifted_by IS NOT NULL OR NEW.lifted_at IS NOT NULL OR EXISTS (SELECT 1 FROM payout_pauses WHERE seq = NEW.seq);
  SELECT RAISE(ABORT, 'forbidden')
    WHERE NOT EXISTS (
      SELECT 1 FROM users u
      WHERE u.id = NEW.actor AND u.role = 'operator' AND u.disabled_at IS NULL
        AND (instr(' ' || u.operator_roles || ' ', ' treasurer ') > 0 OR instr(' ' || u.operator_roles || ' ', ' administrator ') > 0));
  SELECT RAISE(ABORT, 'already_decided') WHERE EXISTS (SELECT 1 FROM payout_pauses WHERE lifted_at IS NULL);
END;
CREATE TRIGGER payout_pauses_lifted BEFORE UPDATE ON payout_pauses
BEGIN
  SELECT RAISE(ABORT, 'payout_pauses: already ended or immutable columns')
    WHERE OLD.lifted_at IS NOT NULL OR NEW.lifted_at IS NULL OR NEW.seq IS NOT OLD.seq OR NEW.at IS NOT OLD.at
      OR NEW.actor IS NOT OLD.actor OR NEW.reason IS NOT OLD.reason;
  SELECT RAISE(ABORT, 'second_operator_required')
    WHERE NOT EXISTS (
      SELECT 1 FROM proposals p
      WHERE p.id = NEW.lifted_by AND p.kind = 'payout_resumption' AND p.status = 'approved' AND p.decided_at = NEW.lifted_at
        AND p.created_at >= OLD.at);
END;
CREATE TRIGGER payout_pauses_no_delete BEFORE DELETE ON payout_pauses BEGIN SELECT RAISE(ABORT, 'payout_pauses: never deleted'); END;

-- While payouts are paused nobody approves, pays, builds, signs or releases one. Payments by the chain are still recorded.
CREATE TRIGGER request_events_payouts_paused BEFORE INSERT ON request_events
WHEN NEW.status IN ('approved', 'completed') AND NEW.actor <> 'system'
BEGIN
  SELECT RAISE(ABORT, 'payouts_paused')
    WHERE EXISTS (SELECT 1 FROM payout_pauses WHERE lifted_at IS NULL)
      AND EXISTS (SELECT 1 FROM requests WHERE id = NEW.request AND queue = 'withdrawals');
END;
CREATE TRIGGER payouts_paused BEFORE INSERT ON payouts
BEGIN
  SELECT RAISE(ABORT, 'payouts_paused') WHERE EXISTS (SELECT 1 FROM payout_pauses WHERE lifted_at IS NULL);
END;
CREATE TRIGGER payout_signatures_paused BEFORE INSERT ON payout_signatures
WHEN NEW.version = 1
BEGIN
  SELECT RAISE(ABORT, 'payouts_paused') WHERE EXISTS (SELECT 1 FROM payout_pauses WHERE lifted_at IS NULL);
END;
-- A version that replaces a released one pays the same and may go on.
CREATE TRIGGER payout_transactions_paused BEFORE UPDATE ON payout_transactions
WHEN OLD.version = 1
BEGIN
  SELECT RAISE(ABORT, 'payouts_paused') WHERE EXISTS (SELECT 1 FROM payout_pauses WHERE lifted_at IS NULL);
END;
