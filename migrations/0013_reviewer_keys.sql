-- Identity documents that a browser encrypts to the reviewers' keys; those keys; who looked at a document.

-- Kinds of proposals become rows, so that a further one needs no new table. A copy is filled again under the old name,
-- because renaming a table that triggers name fails; what refers to it is looked at when all of it is done.
PRAGMA defer_foreign_keys = ON;
CREATE TABLE proposal_kinds (
  kind TEXT PRIMARY KEY
) STRICT;
INSERT INTO proposal_kinds (kind) VALUES ('bonus'), ('wallet'), ('settings'), ('reversal'), ('reviewer_key');
CREATE TABLE proposals_before AS SELECT * FROM proposals;
DROP TABLE proposals;
CREATE TABLE proposals (
  seq INTEGER PRIMARY KEY AUTOINCREMENT,
  id TEXT NOT NULL UNIQUE,
  kind TEXT NOT NULL REFERENCES proposal_kinds (kind),
  status TEXT NOT NULL DEFAULT 'pending' CHECK (status IN ('pending', 'approved', 'rejected')),
  created_at INTEGER NOT NULL,
  proposed_by TEXT NOT NULL REFERENCES users (id),
  decided_by TEXT REFERENCES users (id),
  decided_at INTEGER,
  reason TEXT,
  rejection TEXT,
  investor TEXT REFERENCES users (id),      -- bonus
  amount INTEGER CHECK (amount > 0),        -- bonus
  request TEXT,                             -- reversal
  payload TEXT NOT NULL DEFAULT '{}'        -- JSON: a wallet's fields, settings by key as they will stand, or a reviewer's key
) STRICT;
INSERT INTO proposals (seq, id, kind, status, created_at, proposed_by, decided_by, decided_at, reason, rejection, investor, amount, request, payload)
  SELECT seq, id, kind, status, created_at, proposed_by, decided_by, decided_at, reason, rejection, investor, amount, request, payload
  FROM proposals_before ORDER BY seq;
DROP TABLE proposals_before;
CREATE INDEX proposals_by_status ON proposals (status, seq);
CREATE INDEX proposals_by_request ON proposals (request, status) WHERE request IS NOT NULL;
CREATE INDEX proposals_by_investor ON proposals (investor, seq) WHERE investor IS NOT NULL;

CREATE TRIGGER proposals_start_pending BEFORE INSERT ON proposals
BEGIN
  SELECT RAISE(ABORT, 'proposals: one starts as pending')
    WHERE NEW.status <> 'pending' OR NEW.decided_by IS NOT NULL OR NEW.decided_at IS NOT NULL
      OR EXISTS (SELECT 1 FROM proposals WHERE id = NEW.id OR seq = NEW.seq);
  SELECT RAISE(ABORT, 'proposals: an operator proposes')
    WHERE NOT EXISTS (SELECT 1 FROM users WHERE id = NEW.proposed_by AND role = 'operator');
END;
-- Four eyes: who proposed cannot approve. No code path and no hand-written statement gets past this.
CREATE TRIGGER proposals_decided_once BEFORE UPDATE ON proposals
BEGIN
  SELECT RAISE(ABORT, 'already_decided') WHERE OLD.status <> 'pending' OR NEW.status NOT IN ('approved', 'rejected');
  SELECT RAISE(ABORT, 'proposals: what was proposed never changes')
    WHERE NEW.id IS NOT OLD.id OR NEW.kind IS NOT OLD.kind OR NEW.proposed_by IS NOT OLD.proposed_by
      OR NEW.investor IS NOT OLD.investor OR NEW.amount IS NOT OLD.amount OR NEW.request IS NOT OLD.request
      OR NEW.payload IS NOT OLD.payload OR NEW.reason IS NOT OLD.reason OR NEW.seq IS NOT OLD.seq
      OR NEW.created_at IS NOT OLD.created_at;
  SELECT RAISE(ABORT, 'proposals: an operator decides')
    WHERE NEW.decided_by IS NULL OR NEW.decided_at IS NULL
      OR NOT EXISTS (SELECT 1 FROM users WHERE id = NEW.decided_by AND role = 'operator');
  SELECT RAISE(ABORT, 'second_operator_required')
    WHERE NEW.status = 'approved' AND NEW.decided_by = OLD.proposed_by;
END;
CREATE TRIGGER proposals_keep BEFORE DELETE ON proposals
BEGIN
  SELECT RAISE(ABORT, 'proposals: one is never deleted');
END;

-- A key counts from its approval by another operator until it is retired. It awaits while its proposal is pending.
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
  SELECT RAISE(ABORT, 'reviewer_keys: an operator proposes a key of their own')
    WHERE NOT EXISTS (
      SELECT 1 FROM proposals p JOIN users u ON u.id = p.proposed_by
      WHERE p.id = NEW.proposal AND p.kind = 'reviewer_key' AND p.status = 'pending' AND u.role = 'operator'
        AND p.proposed_by = NEW.user_id AND json_extract(p.payload, '$.key') = NEW.id
        AND json_extract(p.payload, '$.recipient') = NEW.recipient);
END;
-- Who stole one operator's session cannot slip a key of theirs among the recipients: another operator has to approve it.
CREATE TRIGGER reviewer_keys_change BEFORE UPDATE ON reviewer_keys
BEGIN
  SELECT RAISE(ABORT, 'reviewer_keys: a key never changes')
    WHERE NEW.seq IS NOT OLD.seq OR NEW.id IS NOT OLD.id OR NEW.user_id IS NOT OLD.user_id
      OR NEW.recipient IS NOT OLD.recipient OR NEW.identity IS NOT OLD.identity OR NEW.method IS NOT OLD.method
      OR NEW.proposal IS NOT OLD.proposal OR NEW.created_at IS NOT OLD.created_at;
  SELECT RAISE(ABORT, 'already_decided') WHERE OLD.retired_at IS NOT NULL;
  SELECT RAISE(ABORT, 'already_decided')
    WHERE OLD.approved_at IS NOT NULL AND (NEW.approved_at IS NOT OLD.approved_at OR NEW.approved_by IS NOT OLD.approved_by);
  SELECT RAISE(ABORT, 'second_operator_required')
    WHERE NEW.approved_at IS NOT NULL AND OLD.approved_at IS NULL
      AND (NEW.approved_by = OLD.user_id OR NOT EXISTS (
        SELECT 1 FROM proposals p
        WHERE p.id = OLD.proposal AND p.kind = 'reviewer_key' AND p.status = 'approved' AND p.proposed_by = OLD.user_id
          AND p.decided_by = NEW.approved_by AND json_extract(p.payload, '$.recipient') = OLD.recipient));
  SELECT RAISE(ABORT, 'reviewer_keys: an operator retires a key that counted')
    WHERE NEW.retired_at IS NOT NULL
      AND (OLD.approved_at IS NULL OR NOT EXISTS (SELECT 1 FROM users WHERE id = NEW.retired_by AND role = 'operator'));
  -- Without a key browsers would send documents unencrypted.
  SELECT RAISE(ABORT, 'last_reviewer_key')
    WHERE NEW.retired_at IS NOT NULL
      AND NOT EXISTS (SELECT 1 FROM reviewer_keys WHERE id <> OLD.id AND approved_at IS NOT NULL AND retired_at IS NULL);
END;
-- One key an operator: the newer one takes the older one's place. Its owner still opens with it what was sealed to it.
CREATE TRIGGER reviewer_keys_approved AFTER UPDATE OF approved_at ON reviewer_keys
WHEN OLD.approved_at IS NULL AND NEW.approved_at IS NOT NULL
BEGIN
  UPDATE reviewer_keys SET retired_by = NEW.approved_by, retired_at = NEW.approved_at
    WHERE user_id = NEW.user_id AND id <> NEW.id AND approved_at IS NOT NULL AND retired_at IS NULL;
END;
CREATE TRIGGER reviewer_keys_keep BEFORE DELETE ON reviewer_keys
BEGIN
  SELECT RAISE(ABORT, 'reviewer_keys: one is retired, never deleted');
END;

ALTER TABLE kyc_submissions ADD COLUMN sealed_by TEXT NOT NULL DEFAULT 'server' CHECK (sealed_by IN ('server', 'browser'));
-- The file whose place the present one took, when a reviewer's browser sealed the document anew.
ALTER TABLE kyc_submissions ADD COLUMN replaced_file TEXT;

-- Of two who seal a document anew at once, one comes second and names a file that no longer stands.
CREATE TRIGGER kyc_resealed BEFORE UPDATE OF file_key, sealed_by ON kyc_submissions
WHEN NEW.file_key IS NOT OLD.file_key OR NEW.sealed_by IS NOT OLD.sealed_by
BEGIN
  SELECT RAISE(ABORT, 'conflict')
    WHERE OLD.sealed_by <> 'browser' OR NEW.sealed_by <> 'browser' OR OLD.wrapped_key IS NULL OR NEW.wrapped_key IS NULL
      OR NEW.wrapped_key IS OLD.wrapped_key OR NEW.replaced_file IS NOT OLD.file_key;
END;

-- To which keys a browser sealed a document, as it said and the server found them to be that day's.
CREATE TABLE kyc_document_recipients (
  submission_id TEXT NOT NULL REFERENCES kyc_submissions (id),
  recipient TEXT NOT NULL,
  PRIMARY KEY (submission_id, recipient)
) STRICT;

-- Each time that a reviewer was given a document.
CREATE TABLE kyc_looks (
  seq INTEGER PRIMARY KEY AUTOINCREMENT,
  submission_id TEXT NOT NULL REFERENCES kyc_submissions (id),
  reviewer TEXT NOT NULL REFERENCES users (id),
  at INTEGER NOT NULL
) STRICT;
CREATE INDEX kyc_looks_by_submission ON kyc_looks (submission_id, seq);
INSERT INTO kyc_looks (submission_id, reviewer, at)
  SELECT a.subject, a.actor, a.at FROM audit_log a JOIN kyc_submissions k ON k.id = a.subject JOIN users u ON u.id = a.actor
  WHERE a.action = 'kyc.document_viewed' ORDER BY a.seq;
CREATE TRIGGER kyc_looks_never_change BEFORE UPDATE ON kyc_looks
BEGIN
  SELECT RAISE(ABORT, 'kyc: a look that was had stays had');
END;
