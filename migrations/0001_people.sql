-- People, their sessions and proofs. Times are epoch milliseconds, money is integer cents.

CREATE TABLE users (
  seq INTEGER PRIMARY KEY AUTOINCREMENT,              -- order of registration, for paging
  id TEXT NOT NULL UNIQUE,
  role TEXT NOT NULL CHECK (role IN ('investor', 'operator')),
  operator_roles TEXT NOT NULL DEFAULT '',  -- space-separated: reviewer treasurer administrator auditor
  email TEXT NOT NULL UNIQUE CHECK (email = lower(email)),
  fullname TEXT NOT NULL,
  display_name TEXT NOT NULL,
  phone TEXT NOT NULL,
  country TEXT NOT NULL,
  address TEXT,
  marital_status TEXT,
  gender TEXT,
  password_hash TEXT NOT NULL,
  email_verified_at INTEGER,
  created_at INTEGER NOT NULL,
  referral_code TEXT NOT NULL UNIQUE,
  referred_by TEXT REFERENCES users (id),
  terms_version TEXT,
  terms_accepted_at INTEGER,
  security_changed_at INTEGER,
  frozen_at INTEGER,
  frozen_reason TEXT,
  kyc_status TEXT NOT NULL DEFAULT 'none' CHECK (kyc_status IN ('none', 'pending', 'approved', 'rejected'))
) STRICT;
CREATE INDEX users_by_role ON users (role, seq);
-- Who decides is made an operator from the start: no investor ever becomes one.
CREATE TRIGGER users_keep_role BEFORE UPDATE OF id, role ON users
BEGIN
  SELECT RAISE(ABORT, 'users: an id and a role never change') WHERE NEW.id IS NOT OLD.id OR NEW.role IS NOT OLD.role;
END;

CREATE TABLE sessions (
  id TEXT PRIMARY KEY,
  user_id TEXT NOT NULL REFERENCES users (id),
  secret_hash TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  last_seen_at INTEGER NOT NULL,
  expires_at INTEGER NOT NULL,
  ended_at INTEGER,
  confirmed_at INTEGER,                     -- a withdrawal was confirmed from here: the session counts as a known device
  device_hash TEXT,
  ip TEXT,
  user_agent TEXT
) STRICT;
CREATE INDEX sessions_by_user ON sessions (user_id, created_at);
CREATE INDEX sessions_by_expiry ON sessions (expires_at);

CREATE TABLE devices (
  user_id TEXT NOT NULL REFERENCES users (id),
  device_hash TEXT NOT NULL,
  first_seen_at INTEGER NOT NULL,
  confirmed_at INTEGER,                     -- a withdrawal was confirmed from here
  PRIMARY KEY (user_id, device_hash)
) STRICT;

-- Tokens that travel by mail: single use, bound to one purpose.
CREATE TABLE email_tokens (
  token_hash TEXT PRIMARY KEY,
  user_id TEXT NOT NULL REFERENCES users (id),
  purpose TEXT NOT NULL CHECK (purpose IN ('verify-email', 'reset-password')),
  created_at INTEGER NOT NULL,
  expires_at INTEGER NOT NULL,
  used_at INTEGER
) STRICT;
CREATE INDEX email_tokens_by_user ON email_tokens (user_id, purpose);
CREATE INDEX email_tokens_by_expiry ON email_tokens (expires_at);

CREATE TABLE second_factors (
  user_id TEXT PRIMARY KEY REFERENCES users (id),
  secret_sealed TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  enabled_at INTEGER,
  last_step INTEGER NOT NULL DEFAULT 0      -- the newest time step used: an older or equal one is a replay
) STRICT;

CREATE TRIGGER second_factors_no_replay BEFORE UPDATE OF last_step ON second_factors
WHEN NEW.last_step <= OLD.last_step AND NEW.secret_sealed = OLD.secret_sealed
BEGIN
  SELECT RAISE(ABORT, 'invalid_code');
END;

CREATE TABLE recovery_codes (
  user_id TEXT NOT NULL REFERENCES users (id),
  code_hash TEXT NOT NULL,
  used_at INTEGER,
  PRIMARY KEY (user_id, code_hash)
) STRICT;

CREATE TABLE notifications (
  user_id TEXT PRIMARY KEY REFERENCES users (id),
  title TEXT NOT NULL,
  content TEXT NOT NULL,
  persistent INTEGER NOT NULL CHECK (persistent IN (0, 1)),
  seen INTEGER NOT NULL DEFAULT 0 CHECK (seen IN (0, 1)),
  created_at INTEGER NOT NULL
) STRICT;

CREATE TABLE kyc_submissions (
  seq INTEGER PRIMARY KEY AUTOINCREMENT,
  id TEXT NOT NULL UNIQUE,
  ref TEXT NOT NULL UNIQUE,
  user_id TEXT NOT NULL REFERENCES users (id),
  status TEXT NOT NULL DEFAULT 'pending' CHECK (status IN ('pending', 'approved', 'rejected')),
  document TEXT NOT NULL,
  media_type TEXT NOT NULL,
  file_key TEXT NOT NULL UNIQUE,            -- the encrypted document's key in the bucket
  wrapped_key TEXT,                         -- its own key, wrapped; gone once shredded
  key_version INTEGER,
  created_at INTEGER NOT NULL,
  reason TEXT,
  decided_by TEXT REFERENCES users (id),
  decided_at INTEGER
) STRICT;
-- One document waits or stands at a time: a second one fails here, whoever sends it.
CREATE UNIQUE INDEX kyc_one_open ON kyc_submissions (user_id) WHERE status IN ('pending', 'approved');
CREATE INDEX kyc_by_user ON kyc_submissions (user_id, seq);
CREATE INDEX kyc_by_status ON kyc_submissions (status, seq);

CREATE TRIGGER kyc_starts_pending BEFORE INSERT ON kyc_submissions
WHEN NEW.status <> 'pending'
BEGIN
  SELECT RAISE(ABORT, 'kyc: a document starts as pending');
END;
CREATE TRIGGER kyc_decided_once BEFORE UPDATE OF status ON kyc_submissions
BEGIN
  SELECT RAISE(ABORT, 'already_decided') WHERE OLD.status <> 'pending' OR NEW.status NOT IN ('approved', 'rejected');
  SELECT RAISE(ABORT, 'kyc: an operator decides, and not on their own document')
    WHERE NEW.decided_by IS NULL OR NEW.decided_by = OLD.user_id
      OR NOT EXISTS (SELECT 1 FROM users WHERE id = NEW.decided_by AND role = 'operator');
END;
CREATE TRIGGER kyc_submitted AFTER INSERT ON kyc_submissions
BEGIN
  UPDATE users SET kyc_status = NEW.status WHERE id = NEW.user_id;
END;
CREATE TRIGGER kyc_decided AFTER UPDATE OF status ON kyc_submissions
BEGIN
  UPDATE users SET kyc_status = NEW.status WHERE id = NEW.user_id;
END;

CREATE TABLE contact_messages (
  seq INTEGER PRIMARY KEY AUTOINCREMENT,
  id TEXT NOT NULL UNIQUE,
  name TEXT NOT NULL,
  email TEXT NOT NULL,
  message TEXT NOT NULL,
  status TEXT NOT NULL DEFAULT 'open' CHECK (status IN ('open', 'closed')),
  created_at INTEGER NOT NULL,
  closed_by TEXT REFERENCES users (id),
  closed_at INTEGER
) STRICT;
CREATE INDEX contact_messages_by_status ON contact_messages (status, seq);
CREATE TRIGGER contact_messages_closed_once BEFORE UPDATE OF status ON contact_messages
WHEN OLD.status <> 'open'
BEGIN
  SELECT RAISE(ABORT, 'already_decided');
END;
