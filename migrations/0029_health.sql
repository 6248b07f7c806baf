-- How the platform's own work goes: what the operators' overview reads, so that nobody has to read a log first.

-- Each piece of the cron's work; 'cron' is the whole of it.
CREATE TABLE cron_work (
  name TEXT PRIMARY KEY,
  at INTEGER NOT NULL,                      -- when its last run that is noted began: within five minutes, the whole within one
  longest_ms INTEGER NOT NULL CHECK (longest_ms >= 0),  -- of the runs of that day (UTC)
  failed_since INTEGER,                     -- the first of the failures since it last went well
  error TEXT                                -- of what kind the last failure was; never its message
) STRICT;

-- Sign-ins that failed, by hour and cause: counts, nobody's address.
CREATE TABLE sign_in_failures (
  hour INTEGER NOT NULL,                    -- epoch milliseconds of its beginning
  cause TEXT NOT NULL,
  count INTEGER NOT NULL CHECK (count > 0),
  PRIMARY KEY (hour, cause)
) STRICT;
CREATE INDEX rate_counters_full ON rate_counters (window_start) WHERE failed >= 10;

-- Mails that failed at least once and wait to be tried again.
CREATE INDEX outbox_failing ON outbox (created_at) WHERE next_attempt_at IS NOT NULL AND last_error IS NOT NULL;

-- The ledger's sums and what is held, counted at one moment by the cron, once there are too many accounts to do it for each look.
CREATE TABLE counted_books (
  only INTEGER PRIMARY KEY CHECK (only = 1),
  at INTEGER NOT NULL,
  kinds TEXT NOT NULL CHECK (json_valid(kinds)),
  custody TEXT NOT NULL CHECK (json_valid(custody))
) STRICT;
