-- What proves a person works once, whoever sends it and however many at a time: a second use fails here.

CREATE TRIGGER email_tokens_once BEFORE UPDATE OF used_at ON email_tokens
WHEN OLD.used_at IS NOT NULL OR NEW.used_at >= OLD.expires_at
BEGIN
  SELECT RAISE(ABORT, 'invalid_token');
END;

CREATE TRIGGER recovery_codes_once BEFORE UPDATE OF used_at ON recovery_codes
WHEN OLD.used_at IS NOT NULL
BEGIN
  SELECT RAISE(ABORT, 'invalid_code');
END;

CREATE TRIGGER second_factors_enabled_once BEFORE UPDATE OF enabled_at ON second_factors
WHEN OLD.enabled_at IS NOT NULL
BEGIN
  SELECT RAISE(ABORT, 'two_factor_enabled');
END;

-- Choosing a second factor the first time is no change of security, choosing one again is.
ALTER TABLE users ADD COLUMN two_factor_first_at INTEGER;
