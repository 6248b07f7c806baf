-- One operator suspends a strategy, two resume it.
INSERT INTO proposal_kinds (kind) VALUES ('strategy');
INSERT INTO proposal_roles (kind, role) VALUES ('strategy', 'treasurer'), ('strategy', 'administrator');

-- By a decision of two about exactly this strategy, made just now: an older one never counts again.
CREATE TRIGGER strategy_events_resumed_by_two BEFORE INSERT ON strategy_events
WHEN NEW.kind = 'resumed'
BEGIN
  SELECT RAISE(ABORT, 'second_operator_required')
    WHERE NOT EXISTS (
      SELECT 1 FROM proposals p
      WHERE p.kind = 'strategy' AND p.status = 'approved' AND p.decided_by = NEW.actor AND p.decided_at = NEW.at
        AND json_extract(p.payload, '$.strategy') = NEW.strategy AND p.created_at >= (
          SELECT max(at) FROM strategy_events WHERE strategy = NEW.strategy AND kind = 'suspended'));
END;
