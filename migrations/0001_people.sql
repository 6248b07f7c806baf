-- People: accounts, sessions, devices and everything that proves who somebody is.
-- Times are epoch milliseconds. Amounts of money are integer cents.

CREATE TABLE users (
  seq INTEGER PRIMARY KEY AUTOINCREMENT,    -- registration order, for paging
  id TEXT NOT NULL UNIQUE,
  role TEXT NOT NULL CHECK (role IN ('investor', 'operator')),
  operator_roles TEXT NOT NULL DEFAULT '',  -- space-separated: reviewer treasurer administrator auditor
  email TEXT NOT NULL UNIQUE CHECK (email = lower(email)),
  fullname TEXT NOT NULL,
  display_name TEXT NOT NULL,
  -- Both names without case and accents, as operators search for them: worker/lib/foldName.ts.
  fullname_folded TEXT NOT NULL DEFAULT '',
  display_name_folded TEXT NOT NULL DEFAULT '',
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
  kyc_status TEXT NOT NULL DEFAULT 'none' CHECK (kyc_status IN ('none', 'pending', 'approved', 'rejected')),
  -- Set when the owner closes the account. Nothing reopens it.
  closed_at INTEGER,
  erased_at INTEGER,                        -- when the personal data was erased
  -- Two administrators decide about an operator's roles and access. One administrator is enough to disable somebody. While
  -- fewer than two administrators are active, the owner of the database appoints ('owner').
  disabled_at INTEGER,                      -- an operator who can no longer sign in
  disabled_by TEXT,                         -- an administrator's id, or 'owner'
  disabled_reason TEXT,
  access_proposal TEXT REFERENCES proposals (id),  -- the decision that set the current roles and access
  -- Set when the owner locks the account with the link in a security mail. An operator's freeze is separate.
  locked_at INTEGER
) STRICT;
CREATE INDEX users_by_role ON users (role, seq);
CREATE INDEX users_by_referrer ON users (referred_by) WHERE referred_by IS NOT NULL;
CREATE INDEX users_to_erase ON users (closed_at) WHERE closed_at IS NOT NULL AND erased_at IS NULL;
-- Investors are found by the start of their display name, full name, further names, last name or phone number.
CREATE INDEX users_by_display_name ON users (lower(display_name)) WHERE role = 'investor';
CREATE INDEX users_by_fullname ON users (lower(fullname)) WHERE role = 'investor';
CREATE INDEX users_by_further_names ON users (lower(substr(fullname, instr(fullname, ' ') + 1))) WHERE role = 'investor';
-- The last name: what remains after everything up to the last space is removed.
CREATE INDEX users_by_last_name ON users (lower(replace(fullname, rtrim(fullname, replace(fullname, ' ', '')), '')))
  WHERE role = 'investor';
CREATE INDEX users_by_phone ON users (replace(phone, ' ', '')) WHERE role = 'investor';
-- Filters of the investors' list.
CREATE INDEX users_frozen ON users (seq) WHERE role = 'investor' AND frozen_at IS NOT NULL;
CREATE INDEX users_closed ON users (seq) WHERE role = 'investor' AND closed_at IS NOT NULL;
CREATE INDEX users_by_identity ON users (kyc_status, seq) WHERE role = 'investor';

-- An account closes only when it is empty: no money, no open request, no debt, no session. Accounts that only record where
-- money came from or went ('paid_in' and so on) may have a balance. A new kind of account must be empty unless it is listed.
CREATE TRIGGER users_close BEFORE UPDATE OF closed_at ON users
WHEN NEW.closed_at IS NOT OLD.closed_at
BEGIN
  SELECT RAISE(ABORT, 'account_closed') WHERE OLD.closed_at IS NOT NULL;
  SELECT RAISE(ABORT, 'forbidden') WHERE OLD.role <> 'investor';
  SELECT RAISE(ABORT, 'account_frozen') WHERE OLD.frozen_at IS NOT NULL;
  SELECT RAISE(ABORT, 'money_left')
    WHERE EXISTS (
        SELECT 1 FROM accounts WHERE owner = OLD.id AND balance <> 0
          AND kind NOT IN ('paid_in', 'granted', 'paid_out', 'result', 'fees'))
      OR EXISTS (
        SELECT 1 FROM requests WHERE investor = OLD.id
          AND status IN ('pending', 'approved') AND NOT (queue = 'deposits' AND status = 'approved'))
      OR EXISTS (
        SELECT 1 FROM proposals p JOIN requests r ON r.id = p.request
        WHERE p.status = 'pending' AND p.kind = 'reversal' AND r.investor = OLD.id);
  SELECT RAISE(ABORT, 'users: open sessions')
    WHERE EXISTS (SELECT 1 FROM sessions WHERE user_id = OLD.id AND ended_at IS NULL);
END;
CREATE TRIGGER users_closed_immutable BEFORE UPDATE OF
  email, fullname, display_name, phone, country, address, marital_status, gender, password_hash, email_verified_at,
  created_at, referral_code, referred_by, terms_version, terms_accepted_at ON users
WHEN OLD.closed_at IS NOT NULL AND (OLD.erased_at IS NOT NULL OR NEW.erased_at IS NULL)
BEGIN
  SELECT RAISE(ABORT, 'account_closed');
END;
-- A person is erased once, after closing, and after the keys of all their documents. A frozen account is not erased.
CREATE TRIGGER users_erase BEFORE UPDATE OF erased_at ON users
WHEN NEW.erased_at IS NOT OLD.erased_at
BEGIN
  SELECT RAISE(ABORT, 'users: already erased or not closed')
    WHERE OLD.erased_at IS NOT NULL OR OLD.closed_at IS NULL OR NEW.erased_at < OLD.closed_at;
  SELECT RAISE(ABORT, 'account_frozen')
    WHERE OLD.frozen_at IS NOT NULL
      OR EXISTS (SELECT 1 FROM silent_freezes WHERE investor = OLD.id AND ended_at IS NULL);
  SELECT RAISE(ABORT, 'users: documents not shredded')
    WHERE EXISTS (SELECT 1 FROM kyc_submissions WHERE user_id = OLD.id AND wrapped_key IS NOT NULL);
END;
-- Once two administrators are active, an operator is created only by an accepted invitation.
CREATE TRIGGER users_appointed BEFORE INSERT ON users
WHEN NEW.role = 'operator'
BEGIN
  SELECT RAISE(ABORT, 'second_operator_required')
    WHERE NEW.id <> 'practice' AND (SELECT count(*) FROM active_administrators) >= 2
      AND NOT EXISTS (
        SELECT 1 FROM operator_invitations i
        WHERE i.operator = NEW.id AND i.email = NEW.email AND i.roles = NEW.operator_roles);
  SELECT RAISE(ABORT, 'users: must start enabled')
    WHERE NEW.disabled_at IS NOT NULL OR NEW.disabled_by IS NOT NULL OR NEW.access_proposal IS NOT NULL;
END;
CREATE TRIGGER users_no_operator_replace BEFORE INSERT ON users
BEGIN
  SELECT RAISE(ABORT, 'users: operators never replaced')
    WHERE EXISTS (
      SELECT 1 FROM users WHERE (id = NEW.id OR seq = NEW.seq OR referral_code = NEW.referral_code) AND role = 'operator');
  SELECT RAISE(ABORT, 'UNIQUE constraint failed: users.email')
    WHERE EXISTS (SELECT 1 FROM users WHERE email = NEW.email AND role = 'operator');
END;
CREATE TRIGGER users_no_operator_delete BEFORE DELETE ON users
WHEN OLD.role = 'operator'
BEGIN
  SELECT RAISE(ABORT, 'users: operators never deleted');
END;
-- A role change or a re-enabled operator needs a decision of two others about exactly that. An older decision does not count.
CREATE TRIGGER users_access BEFORE UPDATE OF operator_roles, disabled_at, disabled_by, disabled_reason, access_proposal ON users
WHEN NEW.operator_roles IS NOT OLD.operator_roles OR NEW.disabled_at IS NOT OLD.disabled_at OR NEW.disabled_by IS NOT OLD.disabled_by
  OR NEW.disabled_reason IS NOT OLD.disabled_reason OR NEW.access_proposal IS NOT OLD.access_proposal
BEGIN
  SELECT RAISE(ABORT, 'forbidden') WHERE OLD.role <> 'operator' OR (NEW.disabled_at IS NULL) <> (NEW.disabled_by IS NULL);
  SELECT RAISE(ABORT, 'forbidden')
    WHERE OLD.disabled_at IS NULL AND NEW.disabled_at IS NOT NULL
      AND (NEW.operator_roles IS NOT OLD.operator_roles OR NEW.access_proposal IS NOT OLD.access_proposal
        OR NEW.disabled_by = OLD.id
        OR (NEW.disabled_by <> 'owner' AND NOT EXISTS (SELECT 1 FROM active_administrators WHERE id = NEW.disabled_by)));
  SELECT RAISE(ABORT, 'second_operator_required')
    WHERE NOT (OLD.disabled_at IS NULL AND NEW.disabled_at IS NOT NULL)
      AND NOT (OLD.disabled_at IS NOT NULL AND NEW.disabled_at IS NULL AND NEW.operator_roles = OLD.operator_roles
        AND NEW.access_proposal IS OLD.access_proposal AND (SELECT count(*) FROM active_administrators) < 2)
      AND NOT EXISTS (
        SELECT 1 FROM proposals p
        WHERE p.id = NEW.access_proposal AND p.id IS NOT OLD.access_proposal
          AND p.kind = 'operator' AND p.status = 'approved' AND p.operator = OLD.id
          AND p.decided_at > coalesce((SELECT o.decided_at FROM proposals o WHERE o.id = OLD.access_proposal), 0)
          AND (CASE json_extract(p.payload, '$.action')
            WHEN 'roles' THEN NEW.operator_roles = json_extract(p.payload, '$.roles') AND NEW.disabled_at IS OLD.disabled_at
              AND NEW.disabled_by IS OLD.disabled_by AND NEW.disabled_reason IS OLD.disabled_reason
            WHEN 'enable' THEN OLD.disabled_at IS NOT NULL AND NEW.disabled_at IS NULL AND NEW.operator_roles = OLD.operator_roles
              AND p.created_at >= OLD.disabled_at
            ELSE 0 END));
  SELECT RAISE(ABORT, 'last_administrator')
    WHERE EXISTS (SELECT 1 FROM active_administrators WHERE id = OLD.id)
      AND NOT EXISTS (SELECT 1 FROM active_administrators WHERE id <> OLD.id)
      AND (NEW.disabled_at IS NOT NULL OR instr(' ' || NEW.operator_roles || ' ', ' administrator ') = 0);
  -- If the owner re-enables an operator, the second factors are removed while the operator is still disabled.
  INSERT INTO audit_log (id, at, actor, action, subject, detail)
    SELECT lower(hex(randomblob(16))), CAST(unixepoch('subsec') * 1000 AS INTEGER), 'owner', 'operator.enabled', OLD.id, '{}'
    WHERE OLD.disabled_at IS NOT NULL AND NEW.disabled_at IS NULL AND NEW.access_proposal IS OLD.access_proposal;
  DELETE FROM second_factors
    WHERE user_id = OLD.id AND OLD.disabled_at IS NOT NULL AND NEW.disabled_at IS NULL AND NEW.access_proposal IS OLD.access_proposal;
  DELETE FROM passkeys
    WHERE user_id = OLD.id AND OLD.disabled_at IS NOT NULL AND NEW.disabled_at IS NULL AND NEW.access_proposal IS OLD.access_proposal;
END;
-- Disabling ends the operator's sessions, whoever does it. The owner's act is written to the audit log.
CREATE TRIGGER users_disabled AFTER UPDATE OF disabled_at ON users
WHEN OLD.disabled_at IS NULL AND NEW.disabled_at IS NOT NULL
BEGIN
  UPDATE sessions SET ended_at = NEW.disabled_at WHERE user_id = NEW.id AND ended_at IS NULL;
  INSERT INTO audit_log (id, at, actor, action, subject, detail)
    SELECT lower(hex(randomblob(16))), NEW.disabled_at, 'owner', 'operator.disabled', NEW.id, '{}' WHERE NEW.disabled_by = 'owner';
END;
CREATE TRIGGER users_retire_reviewer_key AFTER UPDATE OF operator_roles, disabled_at ON users
WHEN NEW.role = 'operator' AND NEW.id NOT IN (SELECT id FROM active_reviewers)
  AND EXISTS (
    SELECT 1 FROM reviewer_keys
    WHERE user_id IN (SELECT id FROM active_reviewers) AND approved_at IS NOT NULL AND retired_at IS NULL)
BEGIN
  INSERT INTO audit_log (id, at, actor, action, subject, detail)
    SELECT lower(hex(randomblob(16))), coalesce(NEW.disabled_at, p.decided_at), coalesce(NEW.disabled_by, p.decided_by),
      'reviewer_key.retired', k.id, json_object('owner', k.user_id)
    FROM reviewer_keys k LEFT JOIN proposals p ON p.id = NEW.access_proposal
    WHERE k.user_id = NEW.id AND k.approved_at IS NOT NULL AND k.retired_at IS NULL;
  -- "owner" is not an operator, so the key is recorded as retired by its own holder.
  UPDATE reviewer_keys
    SET retired_by = (CASE NEW.disabled_by WHEN 'owner' THEN NEW.id
        ELSE coalesce(NEW.disabled_by, (SELECT decided_by FROM proposals WHERE id = NEW.access_proposal)) END),
      retired_at = coalesce(NEW.disabled_at, (SELECT decided_at FROM proposals WHERE id = NEW.access_proposal))
    WHERE user_id = NEW.id AND approved_at IS NOT NULL AND retired_at IS NULL;
END;
-- Refuses a second closing in the same millisecond, which users_close cannot see. It would send another mail and write
-- another audit entry.
CREATE TRIGGER users_close_once BEFORE UPDATE OF closed_at ON users
WHEN OLD.closed_at IS NOT NULL
BEGIN
  SELECT RAISE(ABORT, 'account_closed');
END;
-- The code records a password change itself, because signing in may rehash an unchanged password.
CREATE TRIGGER users_note_email_change AFTER UPDATE OF email ON users
WHEN NEW.email <> OLD.email
BEGIN
  UPDATE users SET security_changed_at = max(coalesce(security_changed_at, 0), CAST(unixepoch('subsec') * 1000 AS INTEGER))
    WHERE id = NEW.id;
END;
CREATE TRIGGER users_security_change_increases BEFORE UPDATE OF security_changed_at ON users
WHEN OLD.security_changed_at IS NOT NULL
BEGIN
  SELECT RAISE(ABORT, 'users: security_changed_at only increases')
    WHERE NEW.security_changed_at IS NULL OR NEW.security_changed_at < OLD.security_changed_at;
END;
-- A locked account stays frozen until two operators agree to unlock it.
CREATE TRIGGER users_unlock_by_two BEFORE UPDATE OF locked_at, frozen_at ON users
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
  SELECT RAISE(ABORT, 'users: locked without a freeze');
END;

CREATE TABLE sessions (
  id TEXT PRIMARY KEY,
  user_id TEXT NOT NULL REFERENCES users (id),
  secret_hash TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  last_seen_at INTEGER NOT NULL,
  expires_at INTEGER NOT NULL,
  ended_at INTEGER,
  confirmed_at INTEGER,                     -- a withdrawal was confirmed here, so the session counts as a known device
  device_hash TEXT,
  ip TEXT,
  user_agent TEXT,
  -- Acts that move money need a second factor that was given recently in this session.
  factor_at INTEGER,                        -- when a second factor was last given in this session
  factor_by TEXT                            -- totp or passkey; a recovery code counts as neither
) STRICT;
CREATE INDEX sessions_by_user ON sessions (user_id, created_at);
CREATE INDEX sessions_by_expiry ON sessions (expires_at);

CREATE TRIGGER sessions_not_closed_insert BEFORE INSERT ON sessions
BEGIN
  SELECT RAISE(ABORT, 'account_closed')
    WHERE EXISTS (SELECT 1 FROM users WHERE id = NEW.user_id AND closed_at IS NOT NULL);
END;
CREATE TRIGGER sessions_not_closed_update BEFORE UPDATE OF user_id, ended_at ON sessions
WHEN NEW.ended_at IS NULL
BEGIN
  SELECT RAISE(ABORT, 'account_closed')
    WHERE EXISTS (SELECT 1 FROM users WHERE id = NEW.user_id AND closed_at IS NOT NULL);
END;
-- A disabled operator cannot sign in, and an ended session cannot be reopened.
CREATE TRIGGER sessions_not_disabled_insert BEFORE INSERT ON sessions
BEGIN
  SELECT RAISE(ABORT, 'operator_disabled')
    WHERE EXISTS (SELECT 1 FROM users WHERE id = NEW.user_id AND disabled_at IS NOT NULL);
END;
CREATE TRIGGER sessions_not_disabled_update BEFORE UPDATE OF user_id, ended_at ON sessions
WHEN NEW.ended_at IS NULL
BEGIN
  SELECT RAISE(ABORT, 'operator_disabled')
    WHERE EXISTS (SELECT 1 FROM users WHERE id = NEW.user_id AND disabled_at IS NOT NULL);
END;
-- A locked account gets no session until two operators lift the lock. Locking ends those that it has.
CREATE TRIGGER sessions_not_locked_insert BEFORE INSERT ON sessions
BEGIN
  SELECT RAISE(ABORT, 'account_locked')
    WHERE EXISTS (SELECT 1 FROM users WHERE id = NEW.user_id AND locked_at IS NOT NULL);
END;
CREATE TRIGGER sessions_not_locked_update BEFORE UPDATE OF user_id, ended_at ON sessions
WHEN NEW.ended_at IS NULL
BEGIN
  SELECT RAISE(ABORT, 'account_locked')
    WHERE EXISTS (SELECT 1 FROM users WHERE id = NEW.user_id AND locked_at IS NOT NULL);
END;
CREATE TRIGGER sessions_factor_rises BEFORE UPDATE OF factor_at ON sessions
WHEN NEW.factor_at IS NULL OR NEW.factor_at < OLD.factor_at OR coalesce(NEW.factor_by, '') NOT IN ('totp', 'passkey')
BEGIN
  SELECT RAISE(ABORT, 'sessions: factor_at only increases');
END;

CREATE TABLE devices (
  user_id TEXT NOT NULL REFERENCES users (id),
  device_hash TEXT NOT NULL,
  first_seen_at INTEGER NOT NULL,
  confirmed_at INTEGER,                     -- a withdrawal was confirmed on this device
  last_seen_at INTEGER,                     -- the latest sign-in
  PRIMARY KEY (user_id, device_hash)
) STRICT;
CREATE INDEX devices_by_last_seen ON devices (last_seen_at);

-- Registrations whose address is not verified yet. Several may wait for one address, each with its own link, so that nobody gains
-- by registering somebody else's. The link that is opened makes an account of its registration, with the same id, and ends the
-- others. A registration ends after 24 hours.
CREATE TABLE registrations (
  id TEXT PRIMARY KEY,
  email TEXT NOT NULL CHECK (email = lower(email)),
  fullname TEXT NOT NULL,
  display_name TEXT NOT NULL,
  phone TEXT NOT NULL,
  country TEXT NOT NULL,
  password_hash TEXT NOT NULL,
  referred_by TEXT,                         -- checked again when the account is opened
  terms_version TEXT,
  device_hash TEXT NOT NULL,                -- the browser that registered
  network TEXT NOT NULL,                    -- where it registered from
  created_at INTEGER NOT NULL
) STRICT;
CREATE INDEX registrations_by_email ON registrations (email, created_at, id);
CREATE INDEX registrations_by_time ON registrations (created_at);

-- Per address and day: three from one network and ten in all.
CREATE TRIGGER registrations_limit BEFORE INSERT ON registrations
BEGIN
  SELECT RAISE(ABORT, 'too_many_requests')
    WHERE (SELECT count(*) FROM registrations
           WHERE email = NEW.email AND created_at > NEW.created_at - 86400000) >= 10
      OR (SELECT count(*) FROM registrations
          WHERE email = NEW.email AND network = NEW.network AND created_at > NEW.created_at - 86400000) >= 3;
END;

-- Tokens sent by mail: single use, for one purpose.
CREATE TABLE email_tokens (
  token_hash TEXT PRIMARY KEY,
  user_id TEXT NOT NULL REFERENCES users (id),
  purpose TEXT NOT NULL CHECK (purpose IN ('reset-password', 'sign-in')),
  created_at INTEGER NOT NULL,
  expires_at INTEGER NOT NULL,
  used_at INTEGER
) STRICT;
CREATE INDEX email_tokens_by_user ON email_tokens (user_id, purpose);
CREATE INDEX email_tokens_by_expiry ON email_tokens (expires_at);

-- A token works once and in time. Of two requests at the same moment, the second fails here.
CREATE TRIGGER email_tokens_once BEFORE UPDATE OF used_at ON email_tokens
WHEN OLD.used_at IS NOT NULL OR NEW.used_at >= OLD.expires_at
BEGIN
  SELECT RAISE(ABORT, 'invalid_token');
END;
CREATE TRIGGER email_tokens_not_closed BEFORE INSERT ON email_tokens
BEGIN
  SELECT RAISE(ABORT, 'account_closed')
    WHERE EXISTS (SELECT 1 FROM users WHERE id = NEW.user_id AND closed_at IS NOT NULL);
END;

CREATE TABLE second_factors (
  user_id TEXT PRIMARY KEY REFERENCES users (id),
  secret_sealed TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  enabled_at INTEGER,
  last_step INTEGER NOT NULL DEFAULT 0      -- the latest time step used: an equal or older one is a replay
) STRICT;
CREATE INDEX second_factors_by_key_version ON second_factors (CAST(secret_sealed AS INTEGER));

CREATE TRIGGER second_factors_no_replay BEFORE UPDATE OF last_step ON second_factors
WHEN NEW.last_step <= OLD.last_step AND NEW.secret_sealed = OLD.secret_sealed
BEGIN
  SELECT RAISE(ABORT, 'invalid_code');
END;
CREATE TRIGGER second_factors_enabled_once BEFORE UPDATE OF enabled_at ON second_factors
WHEN OLD.enabled_at IS NOT NULL
BEGIN
  SELECT RAISE(ABORT, 'two_factor_enabled');
END;
CREATE TRIGGER second_factors_last_takes_codes AFTER DELETE ON second_factors
WHEN NOT EXISTS (SELECT 1 FROM passkeys WHERE user_id = OLD.user_id)
BEGIN
  DELETE FROM recovery_codes WHERE user_id = OLD.user_id;
END;
CREATE TRIGGER second_factors_operator_keeps_one BEFORE DELETE ON second_factors
WHEN OLD.enabled_at IS NOT NULL AND (SELECT role FROM users WHERE id = OLD.user_id) = 'operator'
BEGIN
  SELECT RAISE(ABORT, 'two_factor_mandatory')
    WHERE NOT EXISTS (SELECT 1 FROM passkeys WHERE user_id = OLD.user_id)
      AND NOT EXISTS (
        SELECT 1 FROM proposals p
        WHERE p.operator = OLD.user_id AND p.status = 'approved' AND p.kind = 'operator'
          AND json_extract(p.payload, '$.action') = 'reset_factor' AND p.decided_at > OLD.created_at)
      AND NOT EXISTS (
        SELECT 1 FROM users WHERE id = OLD.user_id AND disabled_at IS NOT NULL AND (SELECT count(*) FROM active_administrators) < 2);
END;
CREATE TRIGGER second_factors_inserted_noted AFTER INSERT ON second_factors
WHEN NEW.enabled_at IS NOT NULL
BEGIN
  UPDATE users SET security_changed_at = max(coalesce(security_changed_at, 0), NEW.enabled_at) WHERE id = NEW.user_id;
END;
CREATE TRIGGER second_factors_enabled_noted AFTER UPDATE OF enabled_at ON second_factors
WHEN NEW.enabled_at IS NOT NULL
BEGIN
  UPDATE users SET security_changed_at = max(coalesce(security_changed_at, 0), NEW.enabled_at) WHERE id = NEW.user_id;
END;
CREATE TRIGGER second_factors_removed_noted AFTER DELETE ON second_factors
WHEN OLD.enabled_at IS NOT NULL
BEGIN
  UPDATE users SET security_changed_at = max(coalesce(security_changed_at, 0), CAST(unixepoch('subsec') * 1000 AS INTEGER))
    WHERE id = OLD.user_id;
END;
-- After 30 wrong codes within seven days, correct codes are refused too. A time step is 30 seconds, so it gives the time.
-- Wrong codes for an earlier authenticator app do not count.
CREATE TRIGGER second_factors_limit_codes BEFORE UPDATE OF last_step ON second_factors
WHEN OLD.enabled_at IS NOT NULL AND NEW.last_step > OLD.last_step
BEGIN
  SELECT RAISE(ABORT, 'too_many_codes')
    WHERE (SELECT count(*) FROM code_failures
           WHERE user_id = NEW.user_id AND mailed = 0 AND at > max(OLD.enabled_at, NEW.last_step * 30000 - 604800000)) >= 30;
END;

CREATE TABLE recovery_codes (
  user_id TEXT NOT NULL REFERENCES users (id),
  code_hash TEXT NOT NULL,
  used_at INTEGER,
  created_at INTEGER NOT NULL DEFAULT 0,
  PRIMARY KEY (user_id, code_hash)
) STRICT;

CREATE TRIGGER recovery_codes_once BEFORE UPDATE OF used_at ON recovery_codes
WHEN OLD.used_at IS NOT NULL
BEGIN
  SELECT RAISE(ABORT, 'invalid_code');
END;
CREATE TRIGGER recovery_codes_issued_noted AFTER INSERT ON recovery_codes
BEGIN
  UPDATE users SET security_changed_at = max(coalesce(security_changed_at, 0), NEW.created_at) WHERE id = NEW.user_id;
END;

-- Passkeys (WebAuthn level 2) are a second factor, like the authenticator app.
CREATE TABLE passkeys (
  seq INTEGER PRIMARY KEY AUTOINCREMENT,
  id TEXT NOT NULL UNIQUE,
  user_id TEXT NOT NULL REFERENCES users (id),
  credential_id TEXT NOT NULL UNIQUE,       -- from the authenticator, base64url
  public_key TEXT NOT NULL,                 -- COSE_Key, base64url
  sign_count INTEGER NOT NULL CHECK (sign_count >= 0),
  transports TEXT NOT NULL,                 -- space-separated: how the browser reaches the authenticator
  name TEXT NOT NULL,
  backed_up INTEGER NOT NULL CHECK (backed_up IN (0, 1)),
  created_at INTEGER NOT NULL,
  last_used_at INTEGER
) STRICT;
CREATE INDEX passkeys_by_user ON passkeys (user_id, seq);

CREATE TRIGGER passkeys_limit BEFORE INSERT ON passkeys
WHEN (SELECT count(*) FROM passkeys WHERE user_id = NEW.user_id) >= 10
BEGIN
  SELECT RAISE(ABORT, 'too_many_passkeys');
END;
-- A counter that does not rise indicates a copied authenticator. Authenticators without a counter always report 0.
CREATE TRIGGER passkeys_count_up BEFORE UPDATE OF sign_count ON passkeys
WHEN NEW.sign_count <= OLD.sign_count AND (NEW.sign_count > 0 OR OLD.sign_count > 0)
BEGIN
  SELECT RAISE(ABORT, 'invalid_passkey');
END;
-- Recovery codes replace any second factor. They are deleted with the last one.
CREATE TRIGGER passkeys_last_takes_codes AFTER DELETE ON passkeys
WHEN NOT EXISTS (SELECT 1 FROM passkeys WHERE user_id = OLD.user_id)
  AND NOT EXISTS (SELECT 1 FROM second_factors WHERE user_id = OLD.user_id AND enabled_at IS NOT NULL)
BEGIN
  DELETE FROM recovery_codes WHERE user_id = OLD.user_id;
END;
-- An operator's last second factor cannot be removed, whatever its kind.
CREATE TRIGGER passkeys_operator_keeps_one BEFORE DELETE ON passkeys
WHEN (SELECT role FROM users WHERE id = OLD.user_id) = 'operator'
BEGIN
  SELECT RAISE(ABORT, 'two_factor_mandatory')
    WHERE NOT EXISTS (SELECT 1 FROM passkeys WHERE user_id = OLD.user_id AND id <> OLD.id)
      AND NOT EXISTS (SELECT 1 FROM second_factors WHERE user_id = OLD.user_id AND enabled_at IS NOT NULL)
      AND NOT EXISTS (
        SELECT 1 FROM proposals p
        WHERE p.operator = OLD.user_id AND p.status = 'approved' AND p.kind = 'operator'
          AND json_extract(p.payload, '$.action') = 'reset_factor' AND p.decided_at > OLD.created_at)
      AND NOT EXISTS (
        SELECT 1 FROM users WHERE id = OLD.user_id AND disabled_at IS NOT NULL AND (SELECT count(*) FROM active_administrators) < 2);
END;
CREATE TRIGGER passkeys_added_noted AFTER INSERT ON passkeys
BEGIN
  UPDATE users SET security_changed_at = max(coalesce(security_changed_at, 0), NEW.created_at) WHERE id = NEW.user_id;
END;
CREATE TRIGGER passkeys_removed_noted AFTER DELETE ON passkeys
BEGIN
  UPDATE users SET security_changed_at = max(coalesce(security_changed_at, 0), CAST(unixepoch('subsec') * 1000 AS INTEGER))
    WHERE id = OLD.user_id;
END;

-- Challenges that a passkey signs. Each is for one purpose of one person and is bound to what it confirms.
CREATE TABLE passkey_challenges (
  challenge_hash TEXT PRIMARY KEY,
  user_id TEXT NOT NULL REFERENCES users (id),
  purpose TEXT NOT NULL,                    -- register, sign-in, withdrawal, account
  context TEXT NOT NULL,                    -- a hash of what it confirms
  created_at INTEGER NOT NULL,
  expires_at INTEGER NOT NULL,
  used_at INTEGER,
  used_by TEXT                              -- the passkey that signed it
) STRICT;
CREATE INDEX passkey_challenges_by_user ON passkey_challenges (user_id, created_at, challenge_hash);
CREATE INDEX passkey_challenges_by_expiry ON passkey_challenges (expires_at);

-- A challenge is answered once, in time, by a passkey that its owner still has.
CREATE TRIGGER passkey_challenges_once BEFORE UPDATE OF used_at ON passkey_challenges
BEGIN
  SELECT RAISE(ABORT, 'invalid_passkey')
    WHERE OLD.used_at IS NOT NULL OR NEW.used_at IS NULL OR NEW.used_at >= OLD.expires_at
      OR NOT EXISTS (SELECT 1 FROM passkeys WHERE id = NEW.used_by AND user_id = OLD.user_id);
END;

-- A change of e-mail address. The old and the new mailbox each confirm it with a link.
CREATE TABLE email_changes (
  id TEXT PRIMARY KEY,
  user_id TEXT NOT NULL REFERENCES users (id),
  session_id TEXT NOT NULL,                 -- this session stays open; all others end with the change
  old_email TEXT NOT NULL,
  new_email TEXT NOT NULL CHECK (new_email = lower(new_email) AND new_email <> old_email),
  old_token_hash TEXT NOT NULL UNIQUE,
  new_token_hash TEXT NOT NULL UNIQUE,
  created_at INTEGER NOT NULL,
  expires_at INTEGER NOT NULL,
  old_confirmed_at INTEGER,
  new_confirmed_at INTEGER,
  completed_at INTEGER,
  ended_at INTEGER,                         -- completed, or cancelled by a newer change, a new password or a lock
  CHECK (completed_at IS NULL OR ended_at IS NOT NULL)
) STRICT;
CREATE UNIQUE INDEX email_changes_one_open ON email_changes (user_id) WHERE ended_at IS NULL;
CREATE INDEX email_changes_by_user ON email_changes (user_id, created_at, id);
CREATE INDEX email_changes_by_expiry ON email_changes (expires_at);

CREATE TRIGGER email_changes_start_open BEFORE INSERT ON email_changes
BEGIN
  SELECT RAISE(ABORT, 'email_changes: must start unconfirmed')
    WHERE NEW.old_confirmed_at IS NOT NULL OR NEW.new_confirmed_at IS NOT NULL
      OR NEW.completed_at IS NOT NULL OR NEW.ended_at IS NOT NULL;
  SELECT RAISE(ABORT, 'account_frozen')
    WHERE EXISTS (SELECT 1 FROM users WHERE id = NEW.user_id AND frozen_at IS NOT NULL);
END;
-- A change is completed once, in time, confirmed by both mailboxes, and only if the address has not changed meanwhile.
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
CREATE TRIGGER email_changes_ended BEFORE UPDATE OF ended_at ON email_changes
WHEN OLD.ended_at IS NOT NULL AND NEW.ended_at IS NOT OLD.ended_at
BEGIN
  SELECT RAISE(ABORT, 'already_decided') WHERE OLD.completed_at IS NOT NULL;
  SELECT RAISE(ABORT, 'invalid_token');
END;
CREATE TRIGGER email_changes_not_closed BEFORE INSERT ON email_changes
BEGIN
  SELECT RAISE(ABORT, 'account_closed')
    WHERE EXISTS (SELECT 1 FROM users WHERE id = NEW.user_id AND closed_at IS NOT NULL);
END;

-- Wrong codes, one row each. They count for seven days.
CREATE TABLE code_failures (
  id TEXT PRIMARY KEY,
  user_id TEXT NOT NULL REFERENCES users (id),
  at INTEGER NOT NULL,
  told INTEGER NOT NULL DEFAULT 0 CHECK (told IN (0, 1)),  -- whether the owner was mailed because of this one
  mailed INTEGER NOT NULL DEFAULT 0 CHECK (mailed IN (0, 1))  -- a code that we mailed, or one of the authenticator app
) STRICT;
CREATE INDEX code_failures_by_user ON code_failures (user_id, at, id);
CREATE INDEX code_failures_by_time ON code_failures (at);

-- Operators who agreed to unlock an account. If it is locked again, they have to agree again.
CREATE TABLE lock_liftings (
  seq INTEGER PRIMARY KEY AUTOINCREMENT,
  investor TEXT NOT NULL REFERENCES users (id),
  locked_at INTEGER NOT NULL,
  operator TEXT NOT NULL REFERENCES users (id),
  step INTEGER NOT NULL CHECK (step IN (1, 2)),  -- 1: the first agreement, 2: the one that unlocks
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

-- A person's choices about the activity log and mails. A person without a row has the defaults.
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

-- Turning the activity log off empties it.
CREATE TRIGGER preferences_log_off_insert AFTER INSERT ON preferences WHEN NEW.activity_log = 0
BEGIN
  DELETE FROM activity WHERE user_id = NEW.user_id;
END;
CREATE TRIGGER preferences_log_off_update AFTER UPDATE ON preferences WHEN NEW.activity_log = 0
BEGIN
  DELETE FROM activity WHERE user_id = NEW.user_id;
END;
-- Turning a kind of mail off deletes the unsent mails of that kind.
CREATE TRIGGER preferences_mails_off_insert AFTER INSERT ON preferences
WHEN NEW.sales_news = 0 OR NEW.features = 0 OR NEW.tips = 0
BEGIN
  DELETE FROM outbox
  WHERE recipient = (SELECT email FROM users WHERE id = NEW.user_id) AND next_attempt_at IS NOT NULL
    AND (CASE list WHEN 'salesNews' THEN NEW.sales_news WHEN 'features' THEN NEW.features WHEN 'tips' THEN NEW.tips END) = 0;
END;
CREATE TRIGGER preferences_mails_off_update AFTER UPDATE ON preferences
WHEN NEW.sales_news = 0 OR NEW.features = 0 OR NEW.tips = 0
BEGIN
  DELETE FROM outbox
  WHERE recipient = (SELECT email FROM users WHERE id = NEW.user_id) AND next_attempt_at IS NOT NULL
    AND (CASE list WHEN 'salesNews' THEN NEW.sales_news WHEN 'features' THEN NEW.features WHEN 'tips' THEN NEW.tips END) = 0;
END;

-- The activity log is only for its owner to read. No decision depends on it, so turning it off is safe.
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

-- Nothing is written while the log is off. Failed sign-ins are capped, so that a stranger cannot flood the log.
CREATE TRIGGER activity_wanted BEFORE INSERT ON activity
BEGIN
  SELECT RAISE(IGNORE) WHERE EXISTS (SELECT 1 FROM preferences WHERE user_id = NEW.user_id AND activity_log = 0);
  SELECT RAISE(IGNORE)
    WHERE NEW.event = 'sign_in_failed' AND (
      SELECT count(*) FROM activity
      WHERE user_id = NEW.user_id AND event = 'sign_in_failed' AND at > NEW.at - 86400000) >= 30;
END;
