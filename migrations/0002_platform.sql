-- What every call leans on: counters, idempotency, mail on its way out, the audit log, the market snapshot.

CREATE TABLE rate_counters (
  key TEXT PRIMARY KEY,
  window_start INTEGER NOT NULL,
  used INTEGER NOT NULL,                    -- tries begun in this window, the ones still running among them
  failed INTEGER NOT NULL DEFAULT 0         -- tries that failed
) STRICT;
CREATE INDEX rate_counters_by_window ON rate_counters (window_start);

CREATE TABLE idempotency (
  user_id TEXT NOT NULL REFERENCES users (id),
  key TEXT NOT NULL,
  path TEXT NOT NULL,
  fingerprint TEXT NOT NULL,
  state TEXT NOT NULL CHECK (state IN ('running', 'done')),
  claim TEXT NOT NULL,                      -- which run holds the key
  at INTEGER NOT NULL,
  status INTEGER,
  body TEXT,
  PRIMARY KEY (user_id, key)
) STRICT;
CREATE INDEX idempotency_by_time ON idempotency (at);

-- The answer is stored in the batch of its effect. A run that lost its claim to another must not take effect as well.
CREATE TRIGGER idempotency_one_winner BEFORE UPDATE ON idempotency
WHEN NEW.state = 'done' AND (OLD.state <> 'running' OR NEW.claim <> OLD.claim)
BEGIN
  SELECT RAISE(ABORT, 'idempotency_in_progress');
END;

CREATE TABLE outbox (
  seq INTEGER PRIMARY KEY AUTOINCREMENT,
  id TEXT NOT NULL UNIQUE,
  recipient TEXT NOT NULL,
  subject TEXT NOT NULL,
  text TEXT,                                -- emptied after delivery: mails carry tokens
  html TEXT,
  created_at INTEGER NOT NULL,
  next_attempt_at INTEGER,                  -- null once delivered
  attempts INTEGER NOT NULL DEFAULT 0,
  delivered_at INTEGER,
  last_error TEXT
) STRICT;
CREATE INDEX outbox_due ON outbox (next_attempt_at) WHERE next_attempt_at IS NOT NULL;
CREATE INDEX outbox_by_recipient ON outbox (recipient, seq);

CREATE TABLE audit_log (
  seq INTEGER PRIMARY KEY AUTOINCREMENT,
  id TEXT NOT NULL UNIQUE,
  at INTEGER NOT NULL,
  actor TEXT NOT NULL,                      -- a user's id, or 'system'
  action TEXT NOT NULL,
  subject TEXT NOT NULL,                    -- ids only: names and papers stand elsewhere
  detail TEXT NOT NULL DEFAULT '{}'
) STRICT;
CREATE TABLE audit_blocks (
  seq INTEGER PRIMARY KEY AUTOINCREMENT,
  first_seq INTEGER NOT NULL UNIQUE,
  last_seq INTEGER NOT NULL UNIQUE,
  previous_hash TEXT NOT NULL UNIQUE,       -- UNIQUE: the chain cannot fork
  hash TEXT NOT NULL UNIQUE,
  sealed_at INTEGER NOT NULL
) STRICT;

CREATE TRIGGER audit_log_keeps_rows BEFORE UPDATE ON audit_log
BEGIN
  SELECT RAISE(ABORT, 'audit: entries never change');
END;
CREATE TRIGGER audit_log_keeps_all_rows BEFORE DELETE ON audit_log
BEGIN
  SELECT RAISE(ABORT, 'audit: entries are never deleted');
END;
CREATE TRIGGER audit_log_never_replaces BEFORE INSERT ON audit_log
BEGIN
  SELECT RAISE(ABORT, 'audit: entries never change')
    WHERE EXISTS (SELECT 1 FROM audit_log WHERE id = NEW.id OR seq = NEW.seq);
END;
CREATE TRIGGER audit_blocks_never_replace BEFORE INSERT ON audit_blocks
BEGIN
  SELECT RAISE(ABORT, 'audit: blocks never change')
    WHERE EXISTS (SELECT 1 FROM audit_blocks WHERE seq = NEW.seq OR first_seq = NEW.first_seq OR last_seq = NEW.last_seq
      OR previous_hash = NEW.previous_hash OR hash = NEW.hash);
END;
CREATE TRIGGER audit_blocks_keep BEFORE UPDATE ON audit_blocks
BEGIN
  SELECT RAISE(ABORT, 'audit: blocks never change');
END;
CREATE TRIGGER audit_blocks_keep_all BEFORE DELETE ON audit_blocks
BEGIN
  SELECT RAISE(ABORT, 'audit: blocks are never deleted');
END;

CREATE TABLE market_snapshots (
  name TEXT PRIMARY KEY CHECK (name IN ('coins', 'trending')),
  body TEXT NOT NULL,
  source TEXT NOT NULL,
  at INTEGER NOT NULL
) STRICT;

-- What the self-check found, and up to where it has looked.
CREATE TABLE self_checks (
  name TEXT PRIMARY KEY,
  checkpoint TEXT NOT NULL,
  ok INTEGER NOT NULL CHECK (ok IN (0, 1)),
  finding TEXT,
  at INTEGER NOT NULL
) STRICT;
