-- The system withdraws the reversal that it prepared, once the payment is back on its chain.
DROP TRIGGER proposals_decided_by_people;
CREATE TRIGGER proposals_decided_by_people BEFORE UPDATE ON proposals
WHEN NEW.decided_by IN ('system', 'practice')
BEGIN
  SELECT RAISE(ABORT, 'forbidden')
    WHERE NEW.decided_by <> 'system' OR OLD.proposed_by <> 'system' OR NEW.status <> 'rejected'
      OR EXISTS (SELECT 1 FROM payments WHERE request = OLD.request AND state = 'undone');
END;
