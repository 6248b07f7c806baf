-- One operator with a role for it suspends a strategy, two resume it or stop it for good. As before for resuming; a decision to stop never
-- resumes, nor the other way round.
DROP TRIGGER strategy_events_resumed_by_two;
CREATE TRIGGER strategy_events_decided_by_two BEFORE INSERT ON strategy_events
WHEN NEW.kind IN ('resumed', 'stopped')
BEGIN
  SELECT RAISE(ABORT, 'conflict')
    WHERE NOT EXISTS (SELECT 1 FROM strategies WHERE slug = NEW.strategy AND status = 'suspended');
  SELECT RAISE(ABORT, 'second_operator_required')
    WHERE NOT EXISTS (
      SELECT 1 FROM proposals p
      WHERE p.kind = 'strategy' AND p.status = 'approved' AND p.decided_by = NEW.actor AND p.decided_at = NEW.at
        AND json_extract(p.payload, '$.strategy') = NEW.strategy
        AND coalesce(json_extract(p.payload, '$.action'), 'resume') = CASE NEW.kind WHEN 'resumed' THEN 'resume' ELSE 'stop' END
        AND p.created_at >= (
          SELECT max(at) FROM strategy_events WHERE strategy = NEW.strategy AND kind = 'suspended'));
END;
CREATE TRIGGER strategy_events_suspended_by_one BEFORE INSERT ON strategy_events
WHEN NEW.kind = 'suspended'
BEGIN
  SELECT RAISE(ABORT, 'forbidden')
    WHERE NEW.actor <> 'system' AND NOT EXISTS (
      SELECT 1 FROM users WHERE id = NEW.actor AND role = 'operator' AND disabled_at IS NULL
        AND (instr(' ' || operator_roles || ' ', ' treasurer ') > 0 OR instr(' ' || operator_roles || ' ', ' administrator ') > 0));
END;

-- What the page of strategies counts.
CREATE INDEX unit_movements_fees ON unit_movements (strategy, at, cents) WHERE code = 'fee';
