-- Identity documents, who may decrypt them, and who has.

CREATE TABLE kyc_submissions (
  seq INTEGER PRIMARY KEY AUTOINCREMENT,
  id TEXT NOT NULL UNIQUE,
  ref TEXT NOT NULL UNIQUE,
  user_id TEXT NOT NULL REFERENCES users (id),
  status TEXT NOT NULL DEFAULT 'pending' CHECK (status IN ('pending', 'approved', 'rejected')),
  document TEXT NOT NULL,
  media_type TEXT NOT NULL,
  file_key TEXT NOT NULL UNIQUE,            -- the encrypted document's key in the bucket
  wrapped_key TEXT,                         -- the document's own key, wrapped; null once shredded
  key_version INTEGER,
  created_at INTEGER NOT NULL,
  reason TEXT,
  document_name TEXT,                       -- the name on the document, as the reviewer who approved it read it
  decided_by TEXT REFERENCES users (id),
  decided_at INTEGER,
  -- The key is deleted first, which makes the document unreadable, then the file. An interrupted run is resumed.
  shredded_at INTEGER,                      -- its key was deleted
  file_deleted_at INTEGER,                  -- its file was deleted
  sealed_by TEXT NOT NULL DEFAULT 'server' CHECK (sealed_by IN ('server', 'browser')),
  -- The previous file, if a reviewer's browser sealed the document again.
  replaced_file TEXT,
  sample INTEGER NOT NULL DEFAULT 0 CHECK (sample IN (0, 1))  -- 1: our sample passport, for practice (0028)
) STRICT;
-- One document per person is pending or approved. Of two at the same moment, the second fails here.
CREATE UNIQUE INDEX kyc_one_open ON kyc_submissions (user_id) WHERE status IN ('pending', 'approved');
CREATE INDEX kyc_by_user ON kyc_submissions (user_id, seq);
CREATE INDEX kyc_by_status ON kyc_submissions (status, seq);
CREATE INDEX kyc_files_left ON kyc_submissions (shredded_at) WHERE shredded_at IS NOT NULL AND file_deleted_at IS NULL;
CREATE INDEX kyc_rejected_left ON kyc_submissions (decided_at) WHERE status = 'rejected' AND shredded_at IS NULL;
CREATE INDEX kyc_documents_left ON kyc_submissions (user_id) WHERE shredded_at IS NULL;
-- Documents by the version of the wrapping keys.
CREATE INDEX kyc_by_key_version ON kyc_submissions (key_version, seq) WHERE wrapped_key IS NOT NULL;
-- Decisions of a period are one range.
CREATE INDEX kyc_by_decision ON kyc_submissions (decided_at, created_at) WHERE decided_at IS NOT NULL;

CREATE TRIGGER kyc_starts_pending BEFORE INSERT ON kyc_submissions
WHEN NEW.status <> 'pending'
BEGIN
  SELECT RAISE(ABORT, 'kyc_submissions: must start pending');
END;
CREATE TRIGGER kyc_submitted AFTER INSERT ON kyc_submissions
BEGIN
  UPDATE users SET kyc_status = NEW.status WHERE id = NEW.user_id;
END;
CREATE TRIGGER kyc_decided AFTER UPDATE OF status ON kyc_submissions
BEGIN
  UPDATE users SET kyc_status = NEW.status WHERE id = NEW.user_id;
END;
-- A shredded document never comes back, even if somebody read its key before.
CREATE TRIGGER kyc_shredded_for_good BEFORE UPDATE ON kyc_submissions
BEGIN
  SELECT RAISE(ABORT, 'not_found')
    WHERE OLD.shredded_at IS NOT NULL AND (
      NEW.wrapped_key IS NOT NULL OR NEW.file_key IS NOT OLD.file_key OR NEW.shredded_at IS NOT OLD.shredded_at);
  SELECT RAISE(ABORT, 'kyc_submissions: the key must be destroyed before the file')
    WHERE (NEW.shredded_at IS NOT NULL AND NEW.wrapped_key IS NOT NULL)
      OR (NEW.file_deleted_at IS NOT NULL AND NEW.shredded_at IS NULL);
END;
CREATE TRIGGER kyc_decided_once BEFORE UPDATE OF status ON kyc_submissions
BEGIN
  -- An approval goes back to review, without a decision, when its owner changes the full name.
  SELECT RAISE(ABORT, 'already_decided')
    WHERE (OLD.status <> 'pending' OR NEW.status NOT IN ('approved', 'rejected'))
      AND NOT (OLD.status = 'approved' AND NEW.status = 'pending' AND NEW.decided_by IS NULL AND NEW.decided_at IS NULL);
  SELECT RAISE(ABORT, 'account_closed')
    WHERE EXISTS (SELECT 1 FROM users WHERE id = OLD.user_id AND closed_at IS NOT NULL)
      AND (NEW.status <> 'rejected' OR NEW.decided_by IS NOT NULL);
  SELECT RAISE(ABORT, 'kyc_submissions: decider must be an operator, not the owner')
    WHERE NEW.status <> 'pending' AND NOT EXISTS (SELECT 1 FROM users WHERE id = OLD.user_id AND closed_at IS NOT NULL)
      AND (NEW.decided_by IS NULL OR NEW.decided_by = OLD.user_id
        OR NOT EXISTS (SELECT 1 FROM users WHERE id = NEW.decided_by AND role = 'operator'));
END;
-- The approval was for the name before. Deposits and withdrawals need an approved identity, so they wait for the review.
CREATE TRIGGER users_renamed_reviewed AFTER UPDATE OF fullname_folded ON users
WHEN NEW.fullname_folded <> OLD.fullname_folded AND NEW.closed_at IS NULL
BEGIN
  UPDATE kyc_submissions SET status = 'pending', decided_by = NULL, decided_at = NULL
    WHERE user_id = NEW.id AND status = 'approved';
END;
-- If two reviewers seal a document again at the same moment, the second names a file that was already replaced.
CREATE TRIGGER kyc_resealed BEFORE UPDATE OF file_key, sealed_by ON kyc_submissions
WHEN NEW.file_key IS NOT OLD.file_key OR NEW.sealed_by IS NOT OLD.sealed_by
BEGIN
  SELECT RAISE(ABORT, 'conflict')
    WHERE OLD.sealed_by <> 'browser' OR NEW.sealed_by <> 'browser' OR OLD.wrapped_key IS NULL OR NEW.wrapped_key IS NULL
      OR NEW.wrapped_key IS OLD.wrapped_key OR NEW.replaced_file IS NOT OLD.file_key;
END;
CREATE TRIGGER kyc_decided_by_reviewers BEFORE UPDATE OF status ON kyc_submissions
WHEN NEW.decided_by IS NOT NULL
BEGIN
  SELECT RAISE(ABORT, 'forbidden')
    WHERE EXISTS (
      SELECT 1 FROM users WHERE id = NEW.decided_by AND role = 'operator'
        AND (disabled_at IS NOT NULL OR instr(' ' || operator_roles || ' ', ' reviewer ') = 0));
END;

-- The keys to which a browser sealed a document, as it said. The server checked that they were the current ones.
CREATE TABLE kyc_document_recipients (
  submission_id TEXT NOT NULL REFERENCES kyc_submissions (id),
  recipient TEXT NOT NULL,
  PRIMARY KEY (submission_id, recipient)
) STRICT;

-- Each time a reviewer opened a document.
CREATE TABLE kyc_looks (
  seq INTEGER PRIMARY KEY AUTOINCREMENT,
  submission_id TEXT NOT NULL REFERENCES kyc_submissions (id),
  reviewer TEXT NOT NULL REFERENCES users (id),
  at INTEGER NOT NULL
) STRICT;
CREATE INDEX kyc_looks_by_submission ON kyc_looks (submission_id, seq);

-- A key is active from its approval by another operator until it is retired.
CREATE TABLE reviewer_keys (
  seq INTEGER PRIMARY KEY AUTOINCREMENT,
  id TEXT NOT NULL UNIQUE,
  user_id TEXT NOT NULL REFERENCES users (id),
  recipient TEXT NOT NULL UNIQUE CHECK (recipient GLOB 'age1*' AND length(recipient) = 62),
  identity TEXT NOT NULL,                   -- the private key, encrypted in its owner's browser: the server cannot read it
  method TEXT NOT NULL CHECK (method IN ('passphrase', 'passkey')),
  proposal TEXT NOT NULL UNIQUE REFERENCES proposals (id),
  created_at INTEGER NOT NULL,
  approved_by TEXT REFERENCES users (id),
  approved_at INTEGER,
  retired_by TEXT REFERENCES users (id),
  retired_at INTEGER,
  CHECK ((approved_by IS NULL) = (approved_at IS NULL)),
  CHECK ((retired_by IS NULL) = (retired_at IS NULL))
) STRICT;
CREATE INDEX reviewer_keys_by_user ON reviewer_keys (user_id, seq);
CREATE INDEX reviewer_keys_active ON reviewer_keys (seq) WHERE approved_at IS NOT NULL AND retired_at IS NULL;

CREATE TRIGGER reviewer_keys_start_awaiting BEFORE INSERT ON reviewer_keys
BEGIN
  SELECT RAISE(ABORT, 'second_operator_required') WHERE NEW.approved_at IS NOT NULL OR NEW.retired_at IS NOT NULL;
  SELECT RAISE(ABORT, 'conflict')
    WHERE EXISTS (SELECT 1 FROM reviewer_keys
        WHERE id = NEW.id OR seq = NEW.seq OR recipient = NEW.recipient OR proposal = NEW.proposal)
      OR EXISTS (SELECT 1 FROM reviewer_keys k JOIN proposals p ON p.id = k.proposal
        WHERE k.user_id = NEW.user_id AND p.status = 'pending');
  SELECT RAISE(ABORT, 'reviewer_keys: no pending proposal by the owner')
    WHERE NOT EXISTS (
      SELECT 1 FROM proposals p JOIN users u ON u.id = p.proposed_by
      WHERE p.id = NEW.proposal AND p.kind = 'reviewer_key' AND p.status = 'pending' AND u.role = 'operator'
        AND p.proposed_by = NEW.user_id AND json_extract(p.payload, '$.key') = NEW.id
        AND json_extract(p.payload, '$.recipient') = NEW.recipient);
END;
-- Another operator approves a key. So a stolen session cannot add a key of the thief to the recipients.
CREATE TRIGGER reviewer_keys_change BEFORE UPDATE ON reviewer_keys
BEGIN
  SELECT RAISE(ABORT, 'already_decided') WHERE OLD.retired_at IS NOT NULL;
  SELECT RAISE(ABORT, 'already_decided')
    WHERE OLD.approved_at IS NOT NULL AND (NEW.approved_at IS NOT OLD.approved_at OR NEW.approved_by IS NOT OLD.approved_by);
  SELECT RAISE(ABORT, 'second_operator_required')
    WHERE NEW.approved_at IS NOT NULL AND OLD.approved_at IS NULL
      AND (NEW.approved_by = OLD.user_id OR NOT EXISTS (
        SELECT 1 FROM proposals p
        WHERE p.id = OLD.proposal AND p.kind = 'reviewer_key' AND p.status = 'approved' AND p.proposed_by = OLD.user_id
          AND p.decided_by = NEW.approved_by AND json_extract(p.payload, '$.recipient') = OLD.recipient));
  SELECT RAISE(ABORT, 'reviewer_keys: not approved or retired by no operator')
    WHERE NEW.retired_at IS NOT NULL
      AND (OLD.approved_at IS NULL OR NOT EXISTS (SELECT 1 FROM users WHERE id = NEW.retired_by AND role = 'operator'));
  -- Without any key, browsers would send documents unencrypted.
  SELECT RAISE(ABORT, 'last_reviewer_key')
    WHERE NEW.retired_at IS NOT NULL
      AND NOT EXISTS (SELECT 1 FROM reviewer_keys WHERE id <> OLD.id AND approved_at IS NOT NULL AND retired_at IS NULL);
END;
CREATE TRIGGER reviewer_keys_of_reviewers BEFORE INSERT ON reviewer_keys
BEGIN
  SELECT RAISE(ABORT, 'forbidden') WHERE NEW.user_id NOT IN (SELECT id FROM active_reviewers);
END;
-- The owner may have stopped being a reviewer while the key was pending.
CREATE TRIGGER reviewer_keys_count_for_reviewers BEFORE UPDATE OF approved_at ON reviewer_keys
WHEN OLD.approved_at IS NULL AND NEW.approved_at IS NOT NULL
BEGIN
  SELECT RAISE(ABORT, 'conflict') WHERE NEW.user_id NOT IN (SELECT id FROM active_reviewers);
END;
-- One active key per operator: a new key retires the old one. Its owner can still open documents that were sealed to it.
CREATE TRIGGER reviewer_keys_approved AFTER UPDATE OF approved_at ON reviewer_keys
WHEN OLD.approved_at IS NULL AND NEW.approved_at IS NOT NULL
BEGIN
  INSERT INTO audit_log (id, at, actor, action, subject, detail)
    SELECT lower(hex(randomblob(16))), NEW.approved_at, NEW.approved_by, 'reviewer_key.retired', id, json_object('owner', user_id)
    FROM reviewer_keys
    WHERE user_id NOT IN (SELECT id FROM active_reviewers) AND approved_at IS NOT NULL AND retired_at IS NULL;
  UPDATE reviewer_keys SET retired_by = NEW.approved_by, retired_at = NEW.approved_at
    WHERE (user_id = NEW.user_id OR user_id NOT IN (SELECT id FROM active_reviewers))
      AND id <> NEW.id AND approved_at IS NOT NULL AND retired_at IS NULL;
END;
