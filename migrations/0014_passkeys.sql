-- Passkeys (WebAuthn, W3C Recommendation level 2) as a second factor beside the authenticator app.

CREATE TABLE passkeys (
  seq INTEGER PRIMARY KEY AUTOINCREMENT,
  id TEXT NOT NULL UNIQUE,
  user_id TEXT NOT NULL REFERENCES users (id),
  credential_id TEXT NOT NULL UNIQUE,       -- as the authenticator named it, base64url
  public_key TEXT NOT NULL,                 -- COSE_Key, base64url
  sign_count INTEGER NOT NULL CHECK (sign_count >= 0),
  transports TEXT NOT NULL,                 -- space-separated: how a browser reaches the authenticator
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
CREATE TRIGGER passkeys_keep BEFORE UPDATE OF seq, id, user_id, credential_id, public_key, created_at ON passkeys
BEGIN
  SELECT RAISE(ABORT, 'passkeys: whose key it is and which one never change');
END;
-- A counter that does not rise tells of a copied authenticator. Those that keep none say 0 each time.
CREATE TRIGGER passkeys_count_up BEFORE UPDATE OF sign_count ON passkeys
WHEN NEW.sign_count <= OLD.sign_count AND (NEW.sign_count > 0 OR OLD.sign_count > 0)
BEGIN
  SELECT RAISE(ABORT, 'invalid_passkey');
END;

-- What a passkey is asked to sign. Each is for one purpose of one person, bound to what it shall confirm.
CREATE TABLE passkey_challenges (
  challenge_hash TEXT PRIMARY KEY,
  user_id TEXT NOT NULL REFERENCES users (id),
  purpose TEXT NOT NULL,                    -- register, sign-in, withdrawal, account
  context TEXT NOT NULL,                    -- a hash of what it is bound to
  created_at INTEGER NOT NULL,
  expires_at INTEGER NOT NULL,
  used_at INTEGER,
  used_by TEXT                              -- the passkey that answered
) STRICT;
CREATE INDEX passkey_challenges_by_user ON passkey_challenges (user_id, created_at, challenge_hash);
CREATE INDEX passkey_challenges_by_expiry ON passkey_challenges (expires_at);
CREATE TRIGGER passkey_challenges_keep BEFORE UPDATE OF
  challenge_hash, user_id, purpose, context, created_at, expires_at ON passkey_challenges
BEGIN
  SELECT RAISE(ABORT, 'passkey_challenges: what was asked never changes');
END;
-- Answered once, in time, by a key that its owner still has.
CREATE TRIGGER passkey_challenges_once BEFORE UPDATE OF used_at ON passkey_challenges
BEGIN
  SELECT RAISE(ABORT, 'invalid_passkey')
    WHERE OLD.used_at IS NOT NULL OR NEW.used_at IS NULL OR NEW.used_at >= OLD.expires_at
      OR NOT EXISTS (SELECT 1 FROM passkeys WHERE id = NEW.used_by AND user_id = OLD.user_id);
END;

-- An operator's last second factor stays, whichever it is and however many are taken off at once.
CREATE TRIGGER passkeys_operator_keeps_one BEFORE DELETE ON passkeys
WHEN (SELECT role FROM users WHERE id = OLD.user_id) = 'operator'
BEGIN
  SELECT RAISE(ABORT, 'two_factor_mandatory')
    WHERE NOT EXISTS (SELECT 1 FROM passkeys WHERE user_id = OLD.user_id AND id <> OLD.id)
      AND NOT EXISTS (SELECT 1 FROM second_factors WHERE user_id = OLD.user_id AND enabled_at IS NOT NULL);
END;
CREATE TRIGGER second_factors_operator_keeps_one BEFORE DELETE ON second_factors
WHEN OLD.enabled_at IS NOT NULL AND (SELECT role FROM users WHERE id = OLD.user_id) = 'operator'
BEGIN
  SELECT RAISE(ABORT, 'two_factor_mandatory')
    WHERE NOT EXISTS (SELECT 1 FROM passkeys WHERE user_id = OLD.user_id);
END;

-- Recovery codes stand in for any second factor, and go with the last one.
CREATE TRIGGER passkeys_last_takes_codes AFTER DELETE ON passkeys
WHEN NOT EXISTS (SELECT 1 FROM passkeys WHERE user_id = OLD.user_id)
  AND NOT EXISTS (SELECT 1 FROM second_factors WHERE user_id = OLD.user_id AND enabled_at IS NOT NULL)
BEGIN
  DELETE FROM recovery_codes WHERE user_id = OLD.user_id;
END;
CREATE TRIGGER second_factors_last_takes_codes AFTER DELETE ON second_factors
WHEN NOT EXISTS (SELECT 1 FROM passkeys WHERE user_id = OLD.user_id)
BEGIN
  DELETE FROM recovery_codes WHERE user_id = OLD.user_id;
END;

-- Which passkey confirmed a withdrawal. Its `proof` is 'totp' then: of the words that its column takes, the second factor's.
ALTER TABLE withdrawal_details ADD COLUMN passkey TEXT;
CREATE TRIGGER withdrawal_details_by_passkey BEFORE INSERT ON withdrawal_details
WHEN NEW.passkey IS NOT NULL AND NEW.proof <> 'totp'
BEGIN
  SELECT RAISE(ABORT, 'withdrawals: a passkey is a second factor');
END;
CREATE TRIGGER withdrawal_details_keep_passkey BEFORE UPDATE OF passkey ON withdrawal_details
WHEN NEW.passkey IS NOT OLD.passkey
BEGIN
  SELECT RAISE(ABORT, 'withdrawals: what was filed never changes');
END;
