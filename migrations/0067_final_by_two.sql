-- A final rejection of an identity takes two reviewers: one proposes it, and another confirms it.
ALTER TABLE kyc_submissions ADD COLUMN final_by TEXT REFERENCES users (id);
ALTER TABLE kyc_submissions ADD COLUMN final_at INTEGER;
ALTER TABLE kyc_submissions ADD COLUMN final_reason TEXT;          -- what its owner would read

CREATE TRIGGER kyc_final_proposed BEFORE UPDATE OF final_by ON kyc_submissions
WHEN NEW.final_by IS NOT NULL
BEGIN
  SELECT RAISE(ABORT, 'already_decided') WHERE OLD.status <> 'pending' OR NEW.status <> 'pending';
  SELECT RAISE(ABORT, 'conflict') WHERE OLD.final_by IS NOT NULL AND OLD.final_by <> NEW.final_by;
  SELECT RAISE(ABORT, 'forbidden')
    WHERE NEW.final_by = OLD.user_id OR NOT EXISTS (
      SELECT 1 FROM users WHERE id = NEW.final_by AND role = 'operator' AND disabled_at IS NULL
        AND instr(' ' || operator_roles || ' ', ' reviewer ') > 0);
END;
CREATE TRIGGER kyc_final_by_two BEFORE UPDATE OF final ON kyc_submissions
WHEN NEW.final = 1 AND OLD.final = 0
BEGIN
  SELECT RAISE(ABORT, 'second_operator_required')
    WHERE OLD.final_by IS NULL OR NEW.decided_by IS NULL OR OLD.final_by = NEW.decided_by;
END;
-- Another decision, or another review, begins without the proposal.
CREATE TRIGGER kyc_final_dropped AFTER UPDATE OF status ON kyc_submissions
WHEN NEW.final = 0 AND NEW.final_by IS NOT NULL
BEGIN
  UPDATE kyc_submissions SET final_by = NULL, final_at = NULL, final_reason = NULL WHERE seq = NEW.seq;
END;

-- The reasons why operators decided cases of high risk.
CREATE INDEX audit_log_accepted ON audit_log (subject, seq) WHERE action = 'risk.accepted';
