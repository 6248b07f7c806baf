-- Data of an approved document, which reminds when it runs out, and rejections that are final.
ALTER TABLE kyc_submissions ADD COLUMN document_number TEXT;       -- HMAC: equal numbers are found, none can be read
ALTER TABLE kyc_submissions ADD COLUMN document_expires_on TEXT CHECK (document_expires_on GLOB '[0-9][0-9][0-9][0-9]-[0-9][0-9]-[0-9][0-9]');
ALTER TABLE kyc_submissions ADD COLUMN born_on TEXT CHECK (born_on GLOB '[0-9][0-9][0-9][0-9]-[0-9][0-9]-[0-9][0-9]');
ALTER TABLE kyc_submissions ADD COLUMN expiry_told_at INTEGER;     -- the investor was told that it runs out
-- 1: no other document is accepted, until two operators agree to accept one again.
ALTER TABLE kyc_submissions ADD COLUMN final INTEGER NOT NULL DEFAULT 0 CHECK (final = 0 OR (final = 1 AND status = 'rejected'));
ALTER TABLE kyc_submissions ADD COLUMN reopening TEXT REFERENCES proposals (id);
CREATE INDEX kyc_by_number ON kyc_submissions (document_number) WHERE document_number IS NOT NULL;
-- Owners to tell, and documents that are no longer valid.
CREATE INDEX kyc_expiring ON kyc_submissions (document_expires_on) WHERE status = 'approved' AND expiry_told_at IS NULL;
CREATE INDEX kyc_expired ON kyc_submissions (document_expires_on) WHERE status = 'approved' AND document_expires_on IS NOT NULL;
CREATE INDEX kyc_final ON kyc_submissions (user_id) WHERE final = 1;

INSERT INTO proposal_kinds (kind) VALUES ('identity_reopening');
INSERT INTO proposal_roles (kind, role) VALUES ('identity_reopening', 'administrator');

CREATE TRIGGER kyc_not_after_final BEFORE INSERT ON kyc_submissions
BEGIN
  SELECT RAISE(ABORT, 'kyc_final') WHERE EXISTS (SELECT 1 FROM kyc_submissions WHERE user_id = NEW.user_id AND final = 1);
END;
-- One document, one person.
CREATE TRIGGER kyc_numbered_once BEFORE UPDATE OF document_number ON kyc_submissions
BEGIN
  SELECT RAISE(ABORT, 'same_document')
    WHERE EXISTS (SELECT 1 FROM kyc_submissions WHERE document_number = NEW.document_number AND user_id <> NEW.user_id);
END;
CREATE TRIGGER kyc_reopened_by_two BEFORE UPDATE OF final ON kyc_submissions
WHEN OLD.final = 1 AND NEW.final = 0
BEGIN
  SELECT RAISE(ABORT, 'second_operator_required')
    WHERE NOT EXISTS (
      SELECT 1 FROM proposals
      WHERE id = NEW.reopening AND kind = 'identity_reopening' AND status = 'approved' AND investor = OLD.user_id
        AND decided_at >= OLD.decided_at);
END;
