-- Wrong codes that are counted over days, mails that wait encrypted, the log that is streamed out, and the head of the audit
-- log that is mailed to a witness.

-- Wrong codes of an authenticator app, one row each, for as long as they count: seven days.
CREATE TABLE code_failures (
  id TEXT PRIMARY KEY,
  user_id TEXT NOT NULL REFERENCES users (id),
  at INTEGER NOT NULL,
  told INTEGER NOT NULL DEFAULT 0 CHECK (told IN (0, 1))  -- whether its owner was mailed because of this one
) STRICT;
CREATE INDEX code_failures_by_user ON code_failures (user_id, at, id);
CREATE INDEX code_failures_by_time ON code_failures (at);

-- After 30 wrong codes within seven days a right one confirms nothing either. A step is 30 seconds, so that it tells the time.
-- Wrong codes of an app that was set up before do not count.
CREATE TRIGGER second_factors_limit_codes BEFORE UPDATE OF last_step ON second_factors
WHEN OLD.enabled_at IS NOT NULL AND NEW.last_step > OLD.last_step
BEGIN
  SELECT RAISE(ABORT, 'too_many_codes')
    WHERE (SELECT count(*) FROM code_failures
           WHERE user_id = NEW.user_id AND at > max(OLD.enabled_at, NEW.last_step * 30000 - 604800000)) >= 30;
END;

-- Text, HTML and headers of a mail as JSON, sealed under a version of VAULT_KEYS and bound to the row's id. A row from before
-- this migration has them in clear, and is still sent.
ALTER TABLE outbox ADD COLUMN sealed TEXT;

-- Mailed codes from before were hashed without a key, and six digits are soon searched. Whoever waits asks for another one.
DELETE FROM withdrawal_codes;

-- Sign-ins that failed, until they are streamed out: keyed hashes, nobody's address. Kept for a week at most.
CREATE TABLE failed_sign_ins (
  seq INTEGER PRIMARY KEY AUTOINCREMENT,
  id TEXT NOT NULL UNIQUE,
  at INTEGER NOT NULL,
  cause TEXT NOT NULL,
  account TEXT,                             -- a keyed hash of the e-mail address that was given
  network TEXT NOT NULL                     -- a keyed hash of the client's network
) STRICT;
CREATE INDEX failed_sign_ins_by_time ON failed_sign_ins (at);

-- How far each stream of the log came.
CREATE TABLE log_streams (
  name TEXT PRIMARY KEY,
  sent_to_seq INTEGER NOT NULL DEFAULT 0,   -- the last line that the destination has taken
  next_attempt_at INTEGER NOT NULL DEFAULT 0,
  failures INTEGER NOT NULL DEFAULT 0 CHECK (failures >= 0),  -- since the destination last took anything
  error TEXT                                -- what the last failure was
) STRICT;
CREATE TRIGGER log_streams_go_on BEFORE UPDATE OF sent_to_seq ON log_streams
WHEN NEW.sent_to_seq < OLD.sent_to_seq
BEGIN
  SELECT RAISE(ABORT, 'log_streams: what was sent is not sent again');
END;

-- The head of the audit log that was mailed to the witness, once a day (UTC).
CREATE TABLE witnessed_heads (
  day TEXT PRIMARY KEY,
  last_seq INTEGER NOT NULL,
  hash TEXT NOT NULL,
  at INTEGER NOT NULL
) STRICT;
