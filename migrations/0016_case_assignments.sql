-- The operator who works on a case. An assignment informs the others. It blocks nobody's decision, and it expires.
CREATE TABLE case_assignments (
  case_id TEXT PRIMARY KEY,                 -- a request, an identity document or a factor recovery
  operator TEXT NOT NULL REFERENCES users (id),
  at INTEGER NOT NULL,
  expires_at INTEGER NOT NULL,
  CHECK (expires_at > at)
) STRICT, WITHOUT ROWID;                    -- REPLACE on a rowid table would delete a row without firing its triggers
CREATE INDEX case_assignments_by_operator ON case_assignments (operator, expires_at);

-- Two operators take one case at once: one wins. An expired assignment can be replaced.
CREATE TRIGGER case_assignments_one_operator BEFORE UPDATE ON case_assignments
WHEN NEW.operator <> OLD.operator AND OLD.expires_at > NEW.at
BEGIN
  SELECT RAISE(ABORT, 'case_assigned');
END;

-- Each decision ends the assignment, because another operator may have to act next.
CREATE TRIGGER case_assignments_end_with_events AFTER INSERT ON request_events
BEGIN
  DELETE FROM case_assignments WHERE case_id = NEW.request;
END;
CREATE TRIGGER case_assignments_end_with_first_approvals AFTER INSERT ON credit_approvals
BEGIN
  DELETE FROM case_assignments WHERE case_id = NEW.request;
END;
CREATE TRIGGER case_assignments_end_with_documents AFTER UPDATE OF status ON kyc_submissions
BEGIN
  DELETE FROM case_assignments WHERE case_id = NEW.id;
END;
CREATE TRIGGER case_assignments_end_with_recovery_proposals AFTER INSERT ON proposals
WHEN NEW.kind = 'factor_recovery'
BEGIN
  DELETE FROM case_assignments WHERE case_id = json_extract(NEW.payload, '$.recovery');
END;
CREATE TRIGGER case_assignments_end_with_recoveries AFTER UPDATE OF ended_at ON factor_recoveries
BEGIN
  DELETE FROM case_assignments WHERE case_id = NEW.id;
END;
