-- Closing an account, shredding its documents once their time is over, erasing the person, and changing the wrapping keys.

ALTER TABLE users ADD COLUMN closed_at INTEGER;   -- by its owner, for good: nothing opens it again
ALTER TABLE users ADD COLUMN erased_at INTEGER;   -- what names the person is gone
CREATE INDEX users_to_erase ON users (closed_at) WHERE closed_at IS NOT NULL AND erased_at IS NULL;

-- The key goes first, which makes the document unreadable, then the file. A run that dies in between is taken up again.
ALTER TABLE kyc_submissions ADD COLUMN shredded_at INTEGER;      -- its key is gone
ALTER TABLE kyc_submissions ADD COLUMN file_deleted_at INTEGER;  -- so is its file
CREATE INDEX kyc_files_left ON kyc_submissions (shredded_at) WHERE shredded_at IS NOT NULL AND file_deleted_at IS NULL;
CREATE INDEX kyc_rejected_left ON kyc_submissions (decided_at) WHERE status = 'rejected' AND shredded_at IS NULL;
CREATE INDEX kyc_documents_left ON kyc_submissions (user_id) WHERE shredded_at IS NULL;

-- What stands under which version of the wrapping keys.
CREATE INDEX kyc_by_key_version ON kyc_submissions (key_version, seq) WHERE wrapped_key IS NOT NULL;
CREATE INDEX second_factors_by_key_version ON second_factors (CAST(secret_sealed AS INTEGER));

ALTER TABLE devices ADD COLUMN last_seen_at INTEGER;             -- the newest sign-in from it
UPDATE devices SET last_seen_at = coalesce(
  (SELECT max(s.created_at) FROM sessions s WHERE s.user_id = devices.user_id AND s.device_hash = devices.device_hash),
  first_seen_at);
CREATE INDEX devices_by_last_seen ON devices (last_seen_at);

-- No account closes with money in it, with anything open or owed, or with somebody still signed in. What only tells where
-- money came from and went ('paid_in' and so on) may stand; every other account must be empty, one that comes later too.
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
  SELECT RAISE(ABORT, 'users: every session ends before an account closes')
    WHERE EXISTS (SELECT 1 FROM sessions WHERE user_id = OLD.id AND ended_at IS NULL);
END;

-- A closed account takes nothing new, whoever writes it, and nobody signs in to it.
CREATE TRIGGER closed_files_nothing BEFORE INSERT ON requests
BEGIN
  SELECT RAISE(ABORT, 'account_closed')
    WHERE EXISTS (SELECT 1 FROM users WHERE id = NEW.investor AND closed_at IS NOT NULL);
END;
CREATE TRIGGER closed_moves_nothing BEFORE INSERT ON transfers
BEGIN
  SELECT RAISE(ABORT, 'account_closed')
    WHERE EXISTS (
      SELECT 1 FROM accounts a JOIN users u ON u.id = a.owner
      WHERE a.id IN (NEW.from_account, NEW.to_account) AND u.closed_at IS NOT NULL);
END;
CREATE TRIGGER closed_opens_no_session BEFORE INSERT ON sessions
BEGIN
  SELECT RAISE(ABORT, 'account_closed')
    WHERE EXISTS (SELECT 1 FROM users WHERE id = NEW.user_id AND closed_at IS NOT NULL);
END;
CREATE TRIGGER closed_resumes_no_session BEFORE UPDATE OF user_id, ended_at ON sessions
WHEN NEW.ended_at IS NULL
BEGIN
  SELECT RAISE(ABORT, 'account_closed')
    WHERE EXISTS (SELECT 1 FROM users WHERE id = NEW.user_id AND closed_at IS NOT NULL);
END;
CREATE TRIGGER closed_gets_no_link BEFORE INSERT ON email_tokens
BEGIN
  SELECT RAISE(ABORT, 'account_closed')
    WHERE EXISTS (SELECT 1 FROM users WHERE id = NEW.user_id AND closed_at IS NOT NULL);
END;
CREATE TRIGGER closed_changes_no_address BEFORE INSERT ON email_changes
BEGIN
  SELECT RAISE(ABORT, 'account_closed')
    WHERE EXISTS (SELECT 1 FROM users WHERE id = NEW.user_id AND closed_at IS NOT NULL);
END;
CREATE TRIGGER closed_stays_as_it_was BEFORE UPDATE OF
  email, fullname, display_name, phone, country, address, marital_status, gender, password_hash, email_verified_at,
  created_at, referral_code, referred_by, terms_version, terms_accepted_at ON users
WHEN OLD.closed_at IS NOT NULL AND (OLD.erased_at IS NOT NULL OR NEW.erased_at IS NULL)
BEGIN
  SELECT RAISE(ABORT, 'account_closed');
END;

-- A person is erased once, after closing, and after the keys of all their documents. What an operator froze stays for as
-- long as it is frozen.
CREATE TRIGGER users_erase BEFORE UPDATE OF erased_at ON users
WHEN NEW.erased_at IS NOT OLD.erased_at
BEGIN
  SELECT RAISE(ABORT, 'users: somebody is erased once, after their account was closed')
    WHERE OLD.erased_at IS NOT NULL OR OLD.closed_at IS NULL OR NEW.erased_at < OLD.closed_at;
  SELECT RAISE(ABORT, 'account_frozen') WHERE OLD.frozen_at IS NOT NULL;
  SELECT RAISE(ABORT, 'users: documents are shredded before their owner is erased')
    WHERE EXISTS (SELECT 1 FROM kyc_submissions WHERE user_id = OLD.id AND wrapped_key IS NOT NULL);
END;

-- What was shredded never comes back, whoever read its key before.
CREATE TRIGGER kyc_shredded_for_good BEFORE UPDATE ON kyc_submissions
BEGIN
  SELECT RAISE(ABORT, 'not_found')
    WHERE OLD.shredded_at IS NOT NULL AND (
      NEW.wrapped_key IS NOT NULL OR NEW.file_key IS NOT OLD.file_key OR NEW.shredded_at IS NOT OLD.shredded_at);
  SELECT RAISE(ABORT, 'kyc: what is shredded has no key, and its file goes after the key')
    WHERE (NEW.shredded_at IS NOT NULL AND NEW.wrapped_key IS NOT NULL)
      OR (NEW.file_deleted_at IS NOT NULL AND NEW.shredded_at IS NULL);
END;

-- As before, and: a document that waits while its owner closes the account is set aside, which no operator decides.
DROP TRIGGER kyc_decided_once;
CREATE TRIGGER kyc_decided_once BEFORE UPDATE OF status ON kyc_submissions
BEGIN
  SELECT RAISE(ABORT, 'already_decided') WHERE OLD.status <> 'pending' OR NEW.status NOT IN ('approved', 'rejected');
  SELECT RAISE(ABORT, 'account_closed')
    WHERE EXISTS (SELECT 1 FROM users WHERE id = OLD.user_id AND closed_at IS NOT NULL)
      AND (NEW.status <> 'rejected' OR NEW.decided_by IS NOT NULL);
  SELECT RAISE(ABORT, 'kyc: an operator decides, and not on their own document')
    WHERE NOT EXISTS (SELECT 1 FROM users WHERE id = OLD.user_id AND closed_at IS NOT NULL)
      AND (NEW.decided_by IS NULL OR NEW.decided_by = OLD.user_id
        OR NOT EXISTS (SELECT 1 FROM users WHERE id = NEW.decided_by AND role = 'operator'));
END;

-- As before, and: of somebody who was erased, what names them is made blank, and nothing else is ever put there.
DROP TRIGGER deposit_details_never_change;
CREATE TRIGGER deposit_details_never_change BEFORE UPDATE ON deposit_details
BEGIN
  SELECT RAISE(ABORT, 'deposits: what was filed never changes')
    WHERE NEW.request IS NOT OLD.request OR NEW.coin IS NOT OLD.coin OR NEW.network IS NOT OLD.network
      OR NEW.payment_to IS NOT OLD.payment_to
      OR NEW.receipt_key IS NOT OLD.receipt_key OR NEW.receipt_type IS NOT OLD.receipt_type
      OR (OLD.quantity IS NOT NULL AND NEW.quantity IS NOT OLD.quantity)
      OR (OLD.rate IS NOT NULL AND NEW.rate IS NOT OLD.rate)
      OR (NEW.txid IS NOT OLD.txid AND (NEW.txid IS NOT NULL OR NOT EXISTS (
        SELECT 1 FROM requests r JOIN users u ON u.id = r.investor WHERE r.id = OLD.request AND u.erased_at IS NOT NULL)));
END;
DROP TRIGGER withdrawal_details_never_change;
CREATE TRIGGER withdrawal_details_never_change BEFORE UPDATE ON withdrawal_details
BEGIN
  SELECT RAISE(ABORT, 'withdrawals: what was filed never changes')
    WHERE NEW.request IS NOT OLD.request OR NEW.coin IS NOT OLD.coin OR NEW.network IS NOT OLD.network
      OR NEW.session_id IS NOT OLD.session_id
      OR NEW.proof IS NOT OLD.proof OR NEW.reasons IS NOT OLD.reasons OR NEW.held_until IS NOT OLD.held_until
      OR (OLD.quantity IS NOT NULL AND NEW.quantity IS NOT OLD.quantity)
      OR (OLD.rate IS NOT NULL AND NEW.rate IS NOT OLD.rate)
      OR ((NEW.address IS NOT OLD.address OR NEW.bank IS NOT OLD.bank OR NEW.destination_hash IS NOT OLD.destination_hash)
        AND (coalesce(NEW.address, '') <> '' OR NEW.destination_hash <> ''
          OR EXISTS (SELECT 1 FROM json_each(coalesce(NEW.bank, '{}')) WHERE value IS NOT '')
          OR NOT EXISTS (
            SELECT 1 FROM requests r JOIN users u ON u.id = r.investor
            WHERE r.id = OLD.request AND u.erased_at IS NOT NULL)));
END;
