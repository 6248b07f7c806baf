-- Two operators credit or pay a case of high risk. The batch of a decision ends with the audit line 'risk.accepted'
-- (worker/console/risk/accept.ts). This trigger refuses the line, and with it the batch, if one operator decided alone.
CREATE TRIGGER audit_log_risk_by_two BEFORE INSERT ON audit_log
WHEN NEW.action = 'risk.accepted'
BEGIN
  SELECT RAISE(ABORT, 'second_operator_required')
    WHERE EXISTS (
      SELECT 1 FROM request_events
      WHERE request = NEW.subject AND second_operator IS NULL
        AND (status = 'completed' OR (status = 'approved' AND reference_key IS NOT NULL)));
END;
-- A withdrawal that was approved despite a high risk is paid by another operator, even if its risk is lower by then.
CREATE TRIGGER request_events_risk_by_two AFTER INSERT ON request_events
WHEN NEW.status = 'completed' AND NEW.second_operator IS NULL
BEGIN
  SELECT RAISE(ABORT, 'second_operator_required')
    WHERE EXISTS (SELECT 1 FROM audit_log WHERE action = 'risk.accepted' AND subject = NEW.request);
END;
