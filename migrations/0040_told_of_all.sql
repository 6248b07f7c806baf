-- Who holds units is told of what becomes of a suspended strategy, too.
DROP TRIGGER strategy_events_told;
CREATE TRIGGER strategy_events_told AFTER INSERT ON strategy_events
WHEN NEW.kind IN ('suspended', 'resumed', 'stopped')
BEGIN
  INSERT INTO strategy_notices (event) VALUES (NEW.seq);
END;
