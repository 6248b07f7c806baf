-- Proofs of address: a second kind of identity submission, and withdrawals that need one.

-- The documents that people send, and what each proves.
CREATE TABLE kyc_documents (
  document TEXT PRIMARY KEY,
  kind TEXT NOT NULL                        -- identity, address
) STRICT, WITHOUT ROWID;
INSERT INTO kyc_documents VALUES
  ('Passport', 'identity'), ('Utility bill', 'address'), ('Bank statement', 'address'), ('Official letter', 'address');

ALTER TABLE kyc_submissions ADD COLUMN kind TEXT NOT NULL DEFAULT 'identity';
-- As the reviewer who approved a proof of address read it.
ALTER TABLE kyc_submissions ADD COLUMN issued_on TEXT CHECK (issued_on GLOB '[0-9][0-9][0-9][0-9]-[0-9][0-9]-[0-9][0-9]');
ALTER TABLE kyc_submissions ADD COLUMN address_country TEXT;       -- a code of two letters

-- One document of each kind is pending or approved.
DROP INDEX kyc_one_open;
CREATE UNIQUE INDEX kyc_one_open ON kyc_submissions (user_id, kind) WHERE status IN ('pending', 'approved');

CREATE TRIGGER kyc_known_document BEFORE INSERT ON kyc_submissions
BEGIN
  SELECT RAISE(ABORT, 'kyc_submissions: unknown document')
    WHERE NOT EXISTS (SELECT 1 FROM kyc_documents WHERE document = NEW.document AND kind = NEW.kind);
END;
CREATE TRIGGER kyc_kind_fixed BEFORE UPDATE OF kind ON kyc_submissions
WHEN NEW.kind IS NOT OLD.kind
BEGIN
  SELECT RAISE(ABORT, 'kyc_submissions: immutable columns');
END;

-- The status of a person's identity follows their identity document alone.
DROP TRIGGER kyc_submitted;
CREATE TRIGGER kyc_submitted AFTER INSERT ON kyc_submissions
WHEN NEW.kind = 'identity'
BEGIN
  UPDATE users SET kyc_status = NEW.status WHERE id = NEW.user_id;
END;
DROP TRIGGER kyc_decided;
CREATE TRIGGER kyc_decided AFTER UPDATE OF status ON kyc_submissions
WHEN NEW.kind = 'identity'
BEGIN
  UPDATE users SET kyc_status = NEW.status WHERE id = NEW.user_id;
END;
DROP TRIGGER users_renamed_reviewed;
CREATE TRIGGER users_renamed_reviewed AFTER UPDATE OF fullname_folded ON users
WHEN NEW.fullname_folded <> OLD.fullname_folded AND NEW.closed_at IS NULL
BEGIN
  UPDATE kyc_submissions SET status = 'pending', decided_by = NULL, decided_at = NULL
    WHERE user_id = NEW.id AND kind = 'identity' AND status = 'approved';
END;

-- What an investor withdrew and has asked for, with this request, needs a proof of address above the amount in the settings.
CREATE TRIGGER requests_address_proved BEFORE INSERT ON requests
WHEN NEW.queue = 'withdrawals'
BEGIN
  SELECT RAISE(ABORT, 'address_required')
    WHERE NEW.amount + (
        SELECT coalesce(sum(balance), 0) FROM accounts WHERE id IN (NEW.investor || ':held', NEW.investor || ':paid_out'))
      > (SELECT CAST(value AS INTEGER) FROM settings WHERE key = 'addressProofAbove' AND CAST(value AS INTEGER) > 0)
      AND NOT EXISTS (
        SELECT 1 FROM kyc_submissions WHERE user_id = NEW.investor AND kind = 'address' AND status = 'approved');
END;
