-- Keys of monitoring programs: they read the platform's health and the lengths of the queues, and nothing else. An administrator
-- makes one alone, because it opens neither money nor people. docs/operations.md

CREATE TABLE monitoring_tokens (
  seq INTEGER PRIMARY KEY AUTOINCREMENT,
  id TEXT NOT NULL UNIQUE,
  name TEXT NOT NULL CHECK (length(name) BETWEEN 1 AND 60),
  token_hash TEXT NOT NULL UNIQUE CHECK (length(token_hash) = 64),   -- SHA-256
  created_by TEXT NOT NULL,                 -- an administrator
  created_at INTEGER NOT NULL,
  expires_at INTEGER NOT NULL CHECK (expires_at > created_at AND expires_at <= created_at + 31536000000),  -- a year at most
  last_used_at INTEGER,
  revoked_by TEXT,                          -- an administrator
  revoked_at INTEGER,
  CHECK ((revoked_by IS NULL) = (revoked_at IS NULL))
) STRICT;

CREATE TRIGGER monitoring_tokens_created BEFORE INSERT ON monitoring_tokens
BEGIN
  SELECT RAISE(ABORT, 'monitoring_tokens: already stored')
    WHERE NEW.revoked_at IS NOT NULL
      OR EXISTS (SELECT 1 FROM monitoring_tokens WHERE id = NEW.id OR seq = NEW.seq OR token_hash = NEW.token_hash);
  SELECT RAISE(ABORT, 'forbidden') WHERE NEW.created_by NOT IN (SELECT id FROM active_administrators);
END;
CREATE TRIGGER monitoring_tokens_changed BEFORE UPDATE ON monitoring_tokens
BEGIN
  SELECT RAISE(ABORT, 'monitoring_tokens: revoked or immutable columns')
    WHERE OLD.revoked_at IS NOT NULL OR NEW.seq IS NOT OLD.seq OR NEW.id IS NOT OLD.id OR NEW.name IS NOT OLD.name
      OR NEW.token_hash IS NOT OLD.token_hash OR NEW.created_by IS NOT OLD.created_by OR NEW.created_at IS NOT OLD.created_at
      OR NEW.expires_at IS NOT OLD.expires_at;
END;
CREATE TRIGGER monitoring_tokens_no_delete BEFORE DELETE ON monitoring_tokens BEGIN SELECT RAISE(ABORT, 'monitoring_tokens: never deleted'); END;
