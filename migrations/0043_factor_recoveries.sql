-- Recovering an account whose second factor is lost. The owner asks with the password and confirms a mailed code (filed), two
-- reviewers check who it is (a proposal), and 72 hours later the factors go, unless the owner stops it. See docs/decisions/0027.

INSERT INTO proposal_kinds (kind) VALUES ('factor_recovery');
INSERT INTO proposal_roles (kind, role) VALUES ('factor_recovery', 'reviewer');

CREATE TABLE factor_recoveries (
  seq INTEGER PRIMARY KEY AUTOINCREMENT,
  id TEXT NOT NULL UNIQUE,
  investor TEXT NOT NULL REFERENCES users (id),
  code_hash TEXT NOT NULL,                  -- of the mailed code
  tries INTEGER NOT NULL DEFAULT 0,         -- wrong codes given
  asked_at INTEGER NOT NULL,
  expires_at INTEGER,                       -- of the code; none once the request is filed
  filed_at INTEGER,                         -- the mailed code was given
  proposal TEXT UNIQUE REFERENCES proposals (id),  -- the decision of two reviewers
  effective_at INTEGER,                     -- 72 hours after that decision
  reminded_at INTEGER,                      -- the second mail before it takes effect
  ended_at INTEGER,
  outcome TEXT CHECK (outcome IN ('completed', 'stopped', 'rejected')),
  CHECK ((expires_at IS NULL) = (filed_at IS NOT NULL)),
  CHECK ((proposal IS NULL) = (effective_at IS NULL)),
  CHECK ((ended_at IS NULL) = (outcome IS NULL))
) STRICT;
CREATE UNIQUE INDEX factor_recoveries_one_open ON factor_recoveries (investor) WHERE filed_at IS NOT NULL AND ended_at IS NULL;
CREATE INDEX factor_recoveries_by_investor ON factor_recoveries (investor, seq);
CREATE INDEX factor_recoveries_by_expiry ON factor_recoveries (expires_at) WHERE expires_at IS NOT NULL;
CREATE INDEX factor_recoveries_open ON factor_recoveries (seq) WHERE filed_at IS NOT NULL AND ended_at IS NULL;
CREATE INDEX factor_recoveries_due ON factor_recoveries (effective_at) WHERE effective_at IS NOT NULL AND ended_at IS NULL;

CREATE TRIGGER factor_recoveries_begin BEFORE INSERT ON factor_recoveries
BEGIN
  SELECT RAISE(ABORT, 'factor_recoveries: one begins with a mailed code, and nothing else')
    WHERE NEW.filed_at IS NOT NULL OR NEW.effective_at IS NOT NULL OR NEW.ended_at IS NOT NULL OR NEW.tries <> 0
      OR EXISTS (SELECT 1 FROM factor_recoveries WHERE id = NEW.id OR seq = NEW.seq);
END;
CREATE TRIGGER factor_recoveries_keep BEFORE UPDATE ON factor_recoveries
BEGIN
  SELECT RAISE(ABORT, 'already_decided') WHERE OLD.ended_at IS NOT NULL;
  SELECT RAISE(ABORT, 'factor_recoveries: what was asked for never changes')
    WHERE NEW.seq IS NOT OLD.seq OR NEW.id IS NOT OLD.id OR NEW.investor IS NOT OLD.investor
      OR NEW.code_hash IS NOT OLD.code_hash OR NEW.asked_at IS NOT OLD.asked_at OR NEW.tries < OLD.tries
      OR NEW.expires_at > OLD.expires_at OR (OLD.filed_at IS NOT NULL AND NEW.filed_at IS NULL);
  SELECT RAISE(ABORT, 'factor_recoveries: the delay never changes')
    WHERE OLD.effective_at IS NOT NULL
      AND (NEW.effective_at IS NOT OLD.effective_at OR NEW.proposal IS NOT OLD.proposal);
  SELECT RAISE(ABORT, 'factor_recoveries: only what was filed is decided, and ends')
    WHERE NEW.filed_at IS NULL AND (NEW.effective_at IS NOT NULL OR NEW.ended_at IS NOT NULL);
END;
-- The code is right once, in time, and after four wrong ones at most; the account must be one that this is for.
CREATE TRIGGER factor_recoveries_filed BEFORE UPDATE OF filed_at ON factor_recoveries
WHEN NEW.filed_at IS NOT NULL
BEGIN
  SELECT RAISE(ABORT, 'invalid_code')
    WHERE OLD.filed_at IS NOT NULL OR NEW.filed_at < OLD.asked_at OR NEW.filed_at >= OLD.expires_at OR OLD.tries >= 5;
  SELECT RAISE(ABORT, 'forbidden')
    WHERE NOT EXISTS (
      SELECT 1 FROM users u
      WHERE u.id = OLD.investor AND u.role = 'investor' AND u.closed_at IS NULL AND u.frozen_at IS NULL
        AND (EXISTS (SELECT 1 FROM second_factors f WHERE f.user_id = u.id AND f.enabled_at IS NOT NULL)
          OR EXISTS (SELECT 1 FROM passkeys k WHERE k.user_id = u.id)));
END;
-- The delay begins with the decision of two reviewers about exactly this request, and is 72 hours.
CREATE TRIGGER factor_recoveries_approved BEFORE UPDATE OF effective_at, proposal ON factor_recoveries
WHEN OLD.effective_at IS NULL AND OLD.ended_at IS NULL AND NEW.effective_at IS NOT NULL
BEGIN
  SELECT RAISE(ABORT, 'second_operator_required')
    WHERE NOT EXISTS (
      SELECT 1 FROM proposals p
      WHERE p.id = NEW.proposal AND p.kind = 'factor_recovery' AND p.status = 'approved'
        AND p.investor = OLD.investor AND json_extract(p.payload, '$.recovery') = OLD.id
        AND p.proposed_by <> p.decided_by AND p.created_at >= OLD.filed_at AND p.decided_at >= p.created_at
        AND NEW.effective_at = p.decided_at + 259200000);
END;
-- Two runs of cron at the same moment remind once.
CREATE TRIGGER factor_recoveries_reminded BEFORE UPDATE OF reminded_at ON factor_recoveries
WHEN OLD.reminded_at IS NOT NULL
BEGIN
  SELECT RAISE(ABORT, 'already_decided');
END;
-- It takes effect after the delay, and not while the account is locked.
CREATE TRIGGER factor_recoveries_completed BEFORE UPDATE OF outcome ON factor_recoveries
WHEN OLD.ended_at IS NULL AND NEW.outcome = 'completed'
BEGIN
  SELECT RAISE(ABORT, 'factor_recoveries: the delay is not over')
    WHERE OLD.effective_at IS NULL OR NEW.ended_at < OLD.effective_at;
  SELECT RAISE(ABORT, 'account_frozen')
    WHERE EXISTS (SELECT 1 FROM users WHERE id = OLD.investor AND frozen_at IS NOT NULL);
  SELECT RAISE(ABORT, 'account_closed')
    WHERE EXISTS (SELECT 1 FROM users WHERE id = OLD.investor AND closed_at IS NOT NULL);
END;
-- Whoever stops it, and however: that it was stopped is on the audit log.
CREATE TRIGGER factor_recoveries_stopped AFTER UPDATE OF outcome ON factor_recoveries
WHEN OLD.ended_at IS NULL AND NEW.outcome = 'stopped'
BEGIN
  INSERT INTO audit_log (id, at, actor, action, subject, detail)
    VALUES (lower(hex(randomblob(16))), NEW.ended_at, NEW.investor, 'factor_recovery.stopped', NEW.investor, '{}');
END;

-- A reviewer proposes what an investor has filed and nobody has stopped; one proposal at a time. The existing triggers see to
-- it that proposer and approver are two reviewers who are let in.
CREATE TRIGGER proposals_of_factor_recoveries BEFORE INSERT ON proposals
WHEN NEW.kind = 'factor_recovery'
  AND EXISTS (
    SELECT 1 FROM users u WHERE u.id = NEW.proposed_by AND u.role = 'operator' AND u.disabled_at IS NULL
      AND instr(' ' || u.operator_roles || ' ', ' reviewer ') > 0)
BEGIN
  SELECT RAISE(ABORT, 'conflict')
    WHERE NOT EXISTS (
        SELECT 1 FROM factor_recoveries r
        WHERE r.id = json_extract(NEW.payload, '$.recovery') AND r.investor = NEW.investor
          AND r.filed_at <= NEW.created_at AND r.ended_at IS NULL AND r.effective_at IS NULL)
      OR EXISTS (
        SELECT 1 FROM proposals p
        WHERE p.investor = NEW.investor AND p.kind = 'factor_recovery' AND p.status = 'pending'
          AND json_extract(p.payload, '$.recovery') = json_extract(NEW.payload, '$.recovery'));
END;
CREATE TRIGGER proposals_approve_factor_recoveries BEFORE UPDATE OF status ON proposals
WHEN OLD.kind = 'factor_recovery' AND OLD.status = 'pending' AND NEW.status = 'approved'
BEGIN
  SELECT RAISE(ABORT, 'conflict')
    WHERE NEW.decided_at < OLD.created_at
      OR NOT EXISTS (
        SELECT 1 FROM factor_recoveries r
        WHERE r.id = json_extract(OLD.payload, '$.recovery') AND r.investor = OLD.investor
          AND r.filed_at IS NOT NULL AND r.ended_at IS NULL AND r.effective_at IS NULL);
END;
