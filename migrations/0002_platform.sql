-- What every part of the platform uses: rate limits, idempotency, outgoing mail, the audit log and checks of the system.

CREATE TABLE rate_counters (
  key TEXT PRIMARY KEY,
  window_start INTEGER NOT NULL,
  used INTEGER NOT NULL,                    -- attempts started in this window, including those still running
  failed INTEGER NOT NULL DEFAULT 0         -- attempts that failed
) STRICT;
CREATE INDEX rate_counters_by_window ON rate_counters (window_start);
CREATE INDEX rate_counters_full ON rate_counters (window_start) WHERE failed >= 10;

-- A run claims its key before it takes effect. A refusal deletes the claim; a success stores the answer.
CREATE TABLE idempotency (
  user_id TEXT NOT NULL REFERENCES users (id),
  key TEXT NOT NULL,
  state TEXT NOT NULL CHECK (state IN ('running', 'done')),
  claim TEXT NOT NULL,                      -- the run that owns the key
  at INTEGER NOT NULL,
  -- Of the request and its answer. Null while it is running.
  fingerprint TEXT,
  status INTEGER,
  body TEXT,
  PRIMARY KEY (user_id, key)
) STRICT;
CREATE INDEX idempotency_by_time ON idempotency (at);
CREATE INDEX idempotency_running ON idempotency (user_id) WHERE state = 'running';

-- At most 20 requests of one account run at once.
CREATE TRIGGER idempotency_few_running BEFORE INSERT ON idempotency
WHEN NEW.state = 'running'
  AND (SELECT count(*) FROM idempotency WHERE user_id = NEW.user_id AND state = 'running' AND key <> NEW.key) >= 20
BEGIN
  SELECT RAISE(ABORT, 'too_many_requests');
END;

-- The answer is stored in the same batch as its effect. A run that lost its claim must not take effect.
CREATE TRIGGER idempotency_one_winner BEFORE INSERT ON idempotency
WHEN NEW.state = 'done' AND NOT EXISTS (
  SELECT 1 FROM idempotency
  WHERE user_id = NEW.user_id AND key = NEW.key AND claim = NEW.claim AND state = 'running')
BEGIN
  SELECT RAISE(ABORT, 'idempotency_in_progress');
END;

CREATE TABLE outbox (
  seq INTEGER PRIMARY KEY AUTOINCREMENT,
  id TEXT NOT NULL UNIQUE,
  recipient TEXT NOT NULL,
  subject TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  next_attempt_at INTEGER,                  -- null once delivered
  attempts INTEGER NOT NULL DEFAULT 0,
  delivered_at INTEGER,
  last_error TEXT,
  list TEXT,                                -- the mailing list; its mails are deleted once delivered
  -- Text, HTML and headers as JSON, sealed with VAULT_KEYS and bound to the row's id. Null after delivery, because mails carry tokens.
  sealed TEXT
) STRICT;
CREATE INDEX outbox_due ON outbox (next_attempt_at) WHERE next_attempt_at IS NOT NULL;
CREATE INDEX outbox_by_recipient ON outbox (recipient, seq);
-- Mails that failed at least once: retried, or ended because the carrier refuses the recipient.
CREATE INDEX outbox_failing ON outbox (created_at) WHERE delivered_at IS NULL AND last_error IS NOT NULL;

-- A mail of a kind that its reader turned off is not queued.
CREATE TRIGGER outbox_wanted BEFORE INSERT ON outbox WHEN NEW.list IN ('salesNews', 'features', 'tips')
BEGIN
  SELECT RAISE(IGNORE)
    WHERE EXISTS (
      SELECT 1 FROM users u JOIN preferences p ON p.user_id = u.id
      WHERE u.email = NEW.recipient AND (CASE NEW.list
        WHEN 'salesNews' THEN p.sales_news WHEN 'features' THEN p.features ELSE p.tips END) = 0);
END;

CREATE TABLE audit_log (
  seq INTEGER PRIMARY KEY AUTOINCREMENT,
  id TEXT NOT NULL UNIQUE,
  at INTEGER NOT NULL,
  actor TEXT NOT NULL,                      -- a user's id, or 'system'
  action TEXT NOT NULL,
  subject TEXT NOT NULL,                    -- ids only: personal data is stored elsewhere
  detail TEXT NOT NULL DEFAULT '{}'
) STRICT;
-- All entries about one person are a range of an index.
CREATE INDEX audit_log_by_actor ON audit_log (actor, seq);
CREATE INDEX audit_log_by_subject ON audit_log (subject, seq);
-- Filters of the audit log: by time, by action, by actor.
CREATE INDEX audit_log_by_time ON audit_log (at, seq);
CREATE INDEX audit_log_by_action ON audit_log (action, at, seq);
CREATE INDEX audit_log_by_actor_and_time ON audit_log (actor, at, seq);

CREATE TRIGGER audit_log_no_replace BEFORE INSERT ON audit_log
BEGIN
  SELECT RAISE(ABORT, 'audit_log: immutable')
    WHERE EXISTS (SELECT 1 FROM audit_log WHERE id = NEW.id OR seq = NEW.seq);
END;
-- Each entry is copied to audit_unsealed in the same statement.
CREATE TRIGGER audit_log_queue_seal AFTER INSERT ON audit_log
BEGIN
  INSERT INTO audit_unsealed (seq, id, at, actor, action, subject, detail)
    VALUES (NEW.seq, NEW.id, NEW.at, NEW.actor, NEW.action, NEW.subject, NEW.detail);
END;

CREATE TABLE audit_unsealed (
  seq INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  at INTEGER NOT NULL,
  actor TEXT NOT NULL,
  action TEXT NOT NULL,
  subject TEXT NOT NULL,
  detail TEXT NOT NULL
) STRICT;

CREATE TRIGGER audit_unsealed_as_logged BEFORE INSERT ON audit_unsealed
BEGIN
  SELECT RAISE(ABORT, 'audit_unsealed: immutable')
    WHERE EXISTS (SELECT 1 FROM audit_unsealed WHERE seq = NEW.seq OR id = NEW.id);
  SELECT RAISE(ABORT, 'audit_unsealed: entry not in the log')
    WHERE NOT EXISTS (
      SELECT 1 FROM audit_log WHERE seq = NEW.seq AND id = NEW.id AND at = NEW.at AND actor = NEW.actor
        AND action = NEW.action AND subject = NEW.subject AND detail = NEW.detail);
END;
CREATE TRIGGER audit_unsealed_until_sealed BEFORE DELETE ON audit_unsealed
BEGIN
  SELECT RAISE(ABORT, 'audit_unsealed: entry not sealed')
    WHERE OLD.seq > coalesce((SELECT max(last_seq) FROM audit_blocks), 0);
END;

CREATE TABLE audit_blocks (
  seq INTEGER PRIMARY KEY AUTOINCREMENT,
  first_seq INTEGER NOT NULL UNIQUE,
  last_seq INTEGER NOT NULL UNIQUE,
  previous_hash TEXT NOT NULL UNIQUE,       -- UNIQUE: the chain cannot fork
  hash TEXT NOT NULL UNIQUE,
  sealed_at INTEGER NOT NULL,
  -- Each block lists the digest of every entry that it seals, so that every single entry can be verified.
  entries TEXT NOT NULL                     -- one "<seq> <sha-256>" per line
) STRICT;

CREATE TRIGGER audit_blocks_no_replace BEFORE INSERT ON audit_blocks
BEGIN
  SELECT RAISE(ABORT, 'audit_blocks: immutable')
    WHERE EXISTS (SELECT 1 FROM audit_blocks WHERE seq = NEW.seq OR first_seq = NEW.first_seq OR last_seq = NEW.last_seq
      OR previous_hash = NEW.previous_hash OR hash = NEW.hash);
END;

-- The head of the audit log that was mailed to the witness, one per day (UTC).
CREATE TABLE witnessed_heads (
  day TEXT PRIMARY KEY,
  last_seq INTEGER NOT NULL,
  hash TEXT NOT NULL,
  at INTEGER NOT NULL
) STRICT;

-- The latest result of each self-check, and how far it has read.
CREATE TABLE self_checks (
  name TEXT PRIMARY KEY,
  checkpoint TEXT NOT NULL,
  ok INTEGER NOT NULL CHECK (ok IN (0, 1)),
  finding TEXT,
  at INTEGER NOT NULL,
  -- Administrators are mailed about each finding once.
  told TEXT,                                -- the finding that was mailed; null while nothing is wrong
  told_at INTEGER
) STRICT;

-- The health of each job of the cron. The row 'cron' is the whole run.
CREATE TABLE cron_work (
  name TEXT PRIMARY KEY,
  at INTEGER NOT NULL,                      -- start of the last recorded run: recorded every half hour, the whole every minute
  longest_ms INTEGER NOT NULL CHECK (longest_ms >= 0),  -- of the runs of that day (UTC)
  failed_since INTEGER,                     -- the first failure since the last success
  error TEXT,                               -- the kind of the last error, never its message
  running TEXT                              -- of cron itself: the job that it began last, until its run ended
) STRICT;

-- Failed sign-ins per hour and cause. Only counts.
CREATE TABLE sign_in_failures (
  hour INTEGER NOT NULL,                    -- start of the hour, epoch milliseconds
  cause TEXT NOT NULL,
  count INTEGER NOT NULL CHECK (count > 0),
  PRIMARY KEY (hour, cause)
) STRICT;

-- The sums of the ledger and of custody at one moment. The cron counts them once there are too many accounts to count per request.
CREATE TABLE counted_books (
  only INTEGER PRIMARY KEY CHECK (only = 1),
  at INTEGER NOT NULL,
  kinds TEXT NOT NULL CHECK (json_valid(kinds)),
  custody TEXT NOT NULL CHECK (json_valid(custody))
) STRICT;
