-- A change of somebody's e-mail address: the old mailbox and the new one confirm it, each with a link of its own.
CREATE TABLE email_changes (
  id TEXT PRIMARY KEY,
  user_id TEXT NOT NULL REFERENCES users (id),
  session_id TEXT NOT NULL,                 -- who asked from it goes on; all other sessions end with the change
  old_email TEXT NOT NULL,
  new_email TEXT NOT NULL CHECK (new_email = lower(new_email) AND new_email <> old_email),
  old_token_hash TEXT NOT NULL UNIQUE,
  new_token_hash TEXT NOT NULL UNIQUE,
  created_at INTEGER NOT NULL,
  expires_at INTEGER NOT NULL,
  old_confirmed_at INTEGER,
  new_confirmed_at INTEGER,
  completed_at INTEGER,
  ended_at INTEGER,                         -- completed, or called off: by a newer one, a new password, or a lock
  CHECK (completed_at IS NULL OR ended_at IS NOT NULL)
) STRICT;
CREATE UNIQUE INDEX email_changes_one_open ON email_changes (user_id) WHERE ended_at IS NULL;
CREATE INDEX email_changes_by_user ON email_changes (user_id, created_at, id);
CREATE INDEX email_changes_by_expiry ON email_changes (expires_at);

CREATE TRIGGER email_changes_start_open BEFORE INSERT ON email_changes
BEGIN
  SELECT RAISE(ABORT, 'email_changes: nothing is confirmed at the start')
    WHERE NEW.old_confirmed_at IS NOT NULL OR NEW.new_confirmed_at IS NOT NULL
      OR NEW.completed_at IS NOT NULL OR NEW.ended_at IS NOT NULL;
  SELECT RAISE(ABORT, 'account_frozen')
    WHERE EXISTS (SELECT 1 FROM users WHERE id = NEW.user_id AND frozen_at IS NOT NULL);
END;

-- It happens once, in time, with both mailboxes' word, to the account as it was when it was asked for.
CREATE TRIGGER email_changes_completed BEFORE UPDATE OF completed_at ON email_changes
WHEN NEW.completed_at IS NOT NULL
BEGIN
  SELECT RAISE(ABORT, 'already_decided') WHERE OLD.completed_at IS NOT NULL;
  SELECT RAISE(ABORT, 'invalid_token')
    WHERE OLD.ended_at IS NOT NULL OR NEW.completed_at >= OLD.expires_at
      OR NEW.old_confirmed_at IS NULL OR NEW.new_confirmed_at IS NULL
      OR NOT EXISTS (SELECT 1 FROM users WHERE id = OLD.user_id AND email = OLD.old_email);
  SELECT RAISE(ABORT, 'account_frozen')
    WHERE EXISTS (SELECT 1 FROM users WHERE id = OLD.user_id AND frozen_at IS NOT NULL);
END;
CREATE TRIGGER email_changes_keep BEFORE UPDATE OF
  id, user_id, session_id, old_email, new_email, old_token_hash, new_token_hash, created_at, expires_at ON email_changes
BEGIN
  SELECT RAISE(ABORT, 'email_changes: what was asked for never changes');
END;
CREATE TRIGGER email_changes_ended BEFORE UPDATE OF ended_at ON email_changes
WHEN OLD.ended_at IS NOT NULL AND NEW.ended_at IS NOT OLD.ended_at
BEGIN
  SELECT RAISE(ABORT, 'already_decided') WHERE OLD.completed_at IS NOT NULL;
  SELECT RAISE(ABORT, 'invalid_token');
END;
