-- 0012 compares the time of closing, which two requests of one millisecond share: the second one closed the account again, with a
-- mail and an entry of the audit log of its own.
CREATE TRIGGER users_close_once BEFORE UPDATE OF closed_at ON users
WHEN OLD.closed_at IS NOT NULL
BEGIN
  SELECT RAISE(ABORT, 'account_closed');
END;
