-- What one operator can't do alone, and not with an old session: a fresh second factor for acts that move money, two
-- administrators for contact settings, a cap on notifications, two operators to lift a lock that the owner set.

ALTER TABLE sessions ADD COLUMN factor_at INTEGER;      -- when a second factor was last shown in this session
ALTER TABLE sessions ADD COLUMN factor_by TEXT;         -- totp or passkey; a recovery code signs in and counts as neither
CREATE TRIGGER sessions_factor_rises BEFORE UPDATE OF factor_at ON sessions
WHEN NEW.factor_at IS NULL OR NEW.factor_at < OLD.factor_at OR coalesce(NEW.factor_by, '') NOT IN ('totp', 'passkey')
BEGIN
  SELECT RAISE(ABORT, 'sessions: a later proof takes the place of an earlier one');
END;

-- Where people write to support decides whom they trust: it stands as two administrators decided. Here `IS` compares, because
-- "none" is a value of these settings.
CREATE TRIGGER settings_contact_insert BEFORE INSERT ON settings
WHEN NEW.key IN ('messagingNumber', 'supportAddress')
BEGIN
  SELECT RAISE(ABORT, 'second_operator_required')
    WHERE NOT EXISTS (
      SELECT 1 FROM proposals p
      WHERE p.id = NEW.proposal AND p.kind = 'settings' AND p.status = 'approved'
        AND json_type(p.payload, '$.' || NEW.key) IS NOT NULL
        AND json_extract(p.payload, '$.' || NEW.key) IS json_extract(NEW.value, '$')
        AND p.decided_at >= coalesce((
          SELECT max(o.decided_at) FROM settings s JOIN proposals o ON o.id = s.proposal WHERE s.key = NEW.key), 0));
END;
CREATE TRIGGER settings_contact_update BEFORE UPDATE ON settings
WHEN NEW.key IN ('messagingNumber', 'supportAddress') OR OLD.key IN ('messagingNumber', 'supportAddress')
BEGIN
  SELECT RAISE(ABORT, 'second_operator_required')
    WHERE NEW.key <> OLD.key OR NOT EXISTS (
      SELECT 1 FROM proposals p
      WHERE p.id = NEW.proposal AND p.kind = 'settings' AND p.status = 'approved'
        AND json_type(p.payload, '$.' || NEW.key) IS NOT NULL
        AND json_extract(p.payload, '$.' || NEW.key) IS json_extract(NEW.value, '$')
        AND p.decided_at >= coalesce((
          SELECT max(o.decided_at) FROM settings s JOIN proposals o ON o.id = s.proposal WHERE s.key = NEW.key), 0));
END;
CREATE TRIGGER settings_contact_keep BEFORE DELETE ON settings
WHEN OLD.key IN ('messagingNumber', 'supportAddress')
BEGIN
  SELECT RAISE(ABORT, 'second_operator_required');
END;

-- Notifications that operators sent. One operator sends so many within 24 hours; a mail to many is an announcement, which two decide.
CREATE TABLE notification_sends (
  seq INTEGER PRIMARY KEY AUTOINCREMENT,
  operator TEXT NOT NULL REFERENCES users (id),
  at INTEGER NOT NULL
) STRICT;
CREATE INDEX notification_sends_by_operator ON notification_sends (operator, at);
CREATE TRIGGER notification_sends_limit BEFORE INSERT ON notification_sends
BEGIN
  SELECT RAISE(ABORT, 'notification_sends: what was sent never changes')
    WHERE EXISTS (SELECT 1 FROM notification_sends WHERE seq = NEW.seq);
  SELECT RAISE(ABORT, 'too_many_notifications')
    WHERE (SELECT count(*) FROM notification_sends WHERE operator = NEW.operator AND at > NEW.at - 86400000)
      >= coalesce((SELECT CAST(value AS INTEGER) FROM settings WHERE key = 'notificationsPerDay'), 20);
END;
CREATE TRIGGER notification_sends_stay BEFORE UPDATE ON notification_sends
BEGIN
  SELECT RAISE(ABORT, 'notification_sends: what was sent never changes');
END;
CREATE TRIGGER notification_sends_keep BEFORE DELETE ON notification_sends
BEGIN
  SELECT RAISE(ABORT, 'notification_sends: what was sent never changes');
END;

-- The owner locked the account with the link of a security mail. A freeze by an operator is something else and may stand beside it.
ALTER TABLE users ADD COLUMN locked_at INTEGER;
UPDATE users SET locked_at = frozen_at
  WHERE frozen_at IS NOT NULL AND frozen_reason = 'Locked by its owner, with the link in a mail';

-- Who agreed to lift which lock. A lock that was set again is another one.
CREATE TABLE lock_liftings (
  seq INTEGER PRIMARY KEY AUTOINCREMENT,
  investor TEXT NOT NULL REFERENCES users (id),
  locked_at INTEGER NOT NULL,
  operator TEXT NOT NULL REFERENCES users (id),
  step INTEGER NOT NULL CHECK (step IN (1, 2)),   -- the first agreement, and the one that lifts it
  at INTEGER NOT NULL,
  UNIQUE (investor, locked_at, step)
) STRICT;
CREATE TRIGGER lock_liftings_begin BEFORE INSERT ON lock_liftings
BEGIN
  SELECT RAISE(ABORT, 'conflict')
    WHERE NOT EXISTS (SELECT 1 FROM users WHERE id = NEW.investor AND locked_at = NEW.locked_at)
      OR EXISTS (SELECT 1 FROM lock_liftings WHERE seq = NEW.seq);
  SELECT RAISE(ABORT, 'second_operator_required')
    WHERE EXISTS (
      SELECT 1 FROM lock_liftings
      WHERE investor = NEW.investor AND locked_at = NEW.locked_at AND operator = NEW.operator);
  SELECT RAISE(ABORT, 'forbidden')
    WHERE NOT EXISTS (
      SELECT 1 FROM users u
      WHERE u.id = NEW.operator AND u.role = 'operator' AND u.disabled_at IS NULL
        AND (instr(' ' || u.operator_roles || ' ', ' reviewer ') > 0
          OR instr(' ' || u.operator_roles || ' ', ' administrator ') > 0));
END;
CREATE TRIGGER lock_liftings_stay BEFORE UPDATE ON lock_liftings
BEGIN
  SELECT RAISE(ABORT, 'lock_liftings: who agreed to what never changes');
END;
CREATE TRIGGER lock_liftings_keep BEFORE DELETE ON lock_liftings
BEGIN
  SELECT RAISE(ABORT, 'lock_liftings: who agreed to what never changes');
END;
-- A locked account is frozen until two operators have agreed.
CREATE TRIGGER users_lock_takes_two BEFORE UPDATE OF locked_at, frozen_at ON users
WHEN OLD.locked_at IS NOT NULL
  AND (NEW.locked_at IS NULL OR NEW.locked_at < OLD.locked_at OR NEW.frozen_at IS NULL)
BEGIN
  SELECT RAISE(ABORT, 'second_operator_required')
    WHERE NEW.locked_at IS NOT NULL
      OR (SELECT count(*) FROM lock_liftings WHERE investor = OLD.id AND locked_at = OLD.locked_at) < 2;
END;
CREATE TRIGGER users_lock_freezes BEFORE UPDATE OF locked_at ON users
WHEN NEW.locked_at IS NOT NULL AND NEW.frozen_at IS NULL
BEGIN
  SELECT RAISE(ABORT, 'users: a locked account is frozen');
END;
