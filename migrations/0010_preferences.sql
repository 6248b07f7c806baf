-- What somebody chose about their activity log and their mails, and the log itself. Nobody who chose nothing has a row.
CREATE TABLE preferences (
  user_id TEXT PRIMARY KEY REFERENCES users (id),
  activity_log INTEGER NOT NULL DEFAULT 1 CHECK (activity_log IN (0, 1)),
  unusual_activity INTEGER NOT NULL DEFAULT 1 CHECK (unusual_activity IN (0, 1)),
  new_browser_sign_in INTEGER NOT NULL DEFAULT 0 CHECK (new_browser_sign_in IN (0, 1)),
  sales_news INTEGER NOT NULL DEFAULT 1 CHECK (sales_news IN (0, 1)),
  features INTEGER NOT NULL DEFAULT 1 CHECK (features IN (0, 1)),
  tips INTEGER NOT NULL DEFAULT 1 CHECK (tips IN (0, 1)),
  changed_at INTEGER NOT NULL
) STRICT;

-- For its owner alone to read: nothing is decided by it, so that turning it off weakens nothing.
CREATE TABLE activity (
  seq INTEGER PRIMARY KEY AUTOINCREMENT,
  id TEXT NOT NULL UNIQUE,
  user_id TEXT NOT NULL REFERENCES users (id),
  at INTEGER NOT NULL,
  event TEXT NOT NULL,
  ip TEXT,
  user_agent TEXT
) STRICT;
CREATE INDEX activity_by_user ON activity (user_id, at, seq);
CREATE INDEX activity_by_time ON activity (at);
CREATE INDEX activity_failures ON activity (user_id, at) WHERE event = 'sign_in_failed';

-- Whoever writes it: where the log is off nothing is written, and what a stranger fails at never drowns the rest.
CREATE TRIGGER activity_wanted BEFORE INSERT ON activity
BEGIN
  SELECT RAISE(IGNORE) WHERE EXISTS (SELECT 1 FROM preferences WHERE user_id = NEW.user_id AND activity_log = 0);
  SELECT RAISE(IGNORE)
    WHERE NEW.event = 'sign_in_failed' AND (
      SELECT count(*) FROM activity
      WHERE user_id = NEW.user_id AND event = 'sign_in_failed' AND at > NEW.at - 86400000) >= 30;
END;
CREATE TRIGGER activity_kept_as_written BEFORE UPDATE ON activity
BEGIN
  SELECT RAISE(ABORT, 'activity: what happened never changes');
END;

-- Turned off, it is empty at once.
CREATE TRIGGER preferences_log_off_at_first AFTER INSERT ON preferences WHEN NEW.activity_log = 0
BEGIN
  DELETE FROM activity WHERE user_id = NEW.user_id;
END;
CREATE TRIGGER preferences_log_off AFTER UPDATE ON preferences WHEN NEW.activity_log = 0
BEGIN
  DELETE FROM activity WHERE user_id = NEW.user_id;
END;
