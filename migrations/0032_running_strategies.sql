-- What running strategies needs beside their books: the band within which each is expected to grow, frozen when it starts, and telling
-- investors of one that was suspended.

ALTER TABLE strategies ADD COLUMN band TEXT;            -- JSON, of the backtest; none: it is not compared
CREATE TRIGGER strategies_keep_band BEFORE UPDATE ON strategies
WHEN NEW.band IS NOT OLD.band
BEGIN
  SELECT RAISE(ABORT, 'strategies: what one is never changes');
END;

CREATE TABLE strategy_notices (
  event INTEGER PRIMARY KEY REFERENCES strategy_events (seq),
  told_to_seq INTEGER NOT NULL DEFAULT 0,   -- whoever registered up to here and holds units was told
  finished_at INTEGER
) STRICT;
CREATE INDEX strategy_notices_open ON strategy_notices (event) WHERE finished_at IS NULL;
CREATE TRIGGER strategy_events_told AFTER INSERT ON strategy_events
WHEN NEW.kind = 'suspended'
BEGIN
  INSERT INTO strategy_notices (event) VALUES (NEW.seq);
END;
-- Of two runs that tell the same investors, one fails with all of it.
CREATE TRIGGER strategy_notices_go_on BEFORE UPDATE ON strategy_notices
BEGIN
  SELECT RAISE(ABORT, 'already_decided')
    WHERE OLD.finished_at IS NOT NULL OR NEW.event IS NOT OLD.event OR NEW.told_to_seq <= OLD.told_to_seq;
END;
