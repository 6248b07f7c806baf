-- What operators decide together: proposals that need two people, settings, operators themselves, recoveries of accounts.

CREATE TABLE proposal_kinds (
  kind TEXT PRIMARY KEY
) STRICT;
INSERT INTO proposal_kinds (kind) VALUES
  ('bonus'), ('wallet'), ('settings'), ('reversal'), ('reviewer_key'),
  ('announcement'),     -- a mail to everybody who wants it
  ('operator'),         -- an invitation, or a change of an operator's access
  ('strategy'),         -- resuming or stopping a strategy; suspending takes one operator
  ('factor_recovery');  -- an investor lost their second factor: docs/decisions/0027

-- The roles that may propose and decide each kind of proposal.
CREATE TABLE proposal_roles (
  kind TEXT NOT NULL REFERENCES proposal_kinds (kind),
  role TEXT NOT NULL,
  PRIMARY KEY (kind, role)
) STRICT;
INSERT INTO proposal_roles (kind, role) VALUES
  ('bonus', 'treasurer'), ('wallet', 'treasurer'), ('reversal', 'treasurer'),
  ('settings', 'administrator'), ('announcement', 'administrator'), ('operator', 'administrator'),
  ('reviewer_key', 'reviewer'), ('reviewer_key', 'administrator'),
  ('strategy', 'treasurer'), ('strategy', 'administrator'), ('factor_recovery', 'reviewer');

-- One operator proposes, another one decides.
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
  payload TEXT NOT NULL DEFAULT '{}',       -- JSON: a wallet's fields, new settings by key, a reviewer's key, …
  operator TEXT REFERENCES users (id)       -- operator: whose access changes; null for an invitation
) STRICT;
CREATE INDEX proposals_by_status ON proposals (status, seq);
CREATE INDEX proposals_by_request ON proposals (request, status) WHERE request IS NOT NULL;
CREATE INDEX proposals_by_investor ON proposals (investor, seq) WHERE investor IS NOT NULL;
CREATE INDEX proposals_by_operator ON proposals (operator, status) WHERE operator IS NOT NULL;

CREATE TRIGGER proposals_start_pending BEFORE INSERT ON proposals
BEGIN
  SELECT RAISE(ABORT, 'proposals: must start pending')
    WHERE NEW.status <> 'pending' OR NEW.decided_by IS NOT NULL OR NEW.decided_at IS NOT NULL
      OR EXISTS (SELECT 1 FROM proposals WHERE id = NEW.id OR seq = NEW.seq);
  SELECT RAISE(ABORT, 'proposals: proposer must be an operator')
    WHERE NOT EXISTS (SELECT 1 FROM users WHERE id = NEW.proposed_by AND role = 'operator');
  SELECT RAISE(ABORT, 'forbidden')
    WHERE NOT EXISTS (
        SELECT 1 FROM users u JOIN proposal_roles r ON r.kind = NEW.kind
        WHERE u.id = NEW.proposed_by AND u.disabled_at IS NULL AND instr(' ' || u.operator_roles || ' ', ' ' || r.role || ' ') > 0)
      OR (NEW.kind = 'operator' AND NOT EXISTS (SELECT 1 FROM active_administrators WHERE id = NEW.proposed_by))
      OR NEW.operator = NEW.proposed_by;
  SELECT RAISE(ABORT, 'proposals: operator required')
    WHERE (NEW.operator IS NOT NULL AND NEW.kind <> 'operator')
      OR (NEW.kind = 'operator' AND (NEW.operator IS NULL) <> (json_extract(NEW.payload, '$.action') = 'invite'))
      OR (NEW.operator IS NOT NULL AND NOT EXISTS (SELECT 1 FROM users WHERE id = NEW.operator AND role = 'operator'));
END;
-- The operator who proposed cannot approve. No code path and no hand-written statement gets past this.
CREATE TRIGGER proposals_decided_once BEFORE UPDATE ON proposals
BEGIN
  SELECT RAISE(ABORT, 'already_decided') WHERE OLD.status <> 'pending' OR NEW.status NOT IN ('approved', 'rejected');
  SELECT RAISE(ABORT, 'proposals: decider must be an operator')
    WHERE NEW.decided_by IS NULL OR NEW.decided_at IS NULL
      OR NOT EXISTS (SELECT 1 FROM users WHERE id = NEW.decided_by AND role = 'operator');
  SELECT RAISE(ABORT, 'second_operator_required')
    WHERE NEW.status = 'approved' AND NEW.decided_by = OLD.proposed_by;
  SELECT RAISE(ABORT, 'forbidden')
    WHERE NOT EXISTS (
        SELECT 1 FROM users u JOIN proposal_roles r ON r.kind = OLD.kind
        WHERE u.id = NEW.decided_by AND u.disabled_at IS NULL AND instr(' ' || u.operator_roles || ' ', ' ' || r.role || ' ') > 0)
      OR (OLD.kind = 'operator' AND NOT EXISTS (SELECT 1 FROM active_administrators WHERE id = NEW.decided_by))
      OR NEW.decided_by = OLD.operator;
  SELECT RAISE(ABORT, 'conflict')
    WHERE NEW.status = 'approved' AND EXISTS (SELECT 1 FROM users WHERE id = OLD.proposed_by AND disabled_at IS NOT NULL);
END;
-- A reviewer proposes a recovery that the investor filed and nobody stopped, one proposal at a time. The other triggers make
-- sure that proposer and approver are two active reviewers.
CREATE TRIGGER proposals_of_factor_recoveries BEFORE INSERT ON proposals
WHEN NEW.kind = 'factor_recovery'
  AND EXISTS (
    SELECT 1 FROM users u WHERE u.id = NEW.proposed_by AND u.role = 'operator' AND u.disabled_at IS NULL
      AND instr(' ' || u.operator_roles || ' ', ' reviewer ') > 0)
BEGIN
  SELECT RAISE(ABORT, 'conflict')
    WHERE NOT EXISTS (
        SELECT 1 FROM factor_recoveries r
        WHERE r.id = json_extract(NEW.payload, '$.recovery') AND r.investor = NEW.investor
          AND r.filed_at <= NEW.created_at AND r.ended_at IS NULL AND r.effective_at IS NULL)
      OR EXISTS (
        SELECT 1 FROM proposals p
        WHERE p.investor = NEW.investor AND p.kind = 'factor_recovery' AND p.status = 'pending'
          AND json_extract(p.payload, '$.recovery') = json_extract(NEW.payload, '$.recovery'));
END;
CREATE TRIGGER proposals_approve_factor_recoveries BEFORE UPDATE OF status ON proposals
WHEN OLD.kind = 'factor_recovery' AND OLD.status = 'pending' AND NEW.status = 'approved'
BEGIN
  SELECT RAISE(ABORT, 'conflict')
    WHERE NEW.decided_at < OLD.created_at
      OR NOT EXISTS (
        SELECT 1 FROM factor_recoveries r
        WHERE r.id = json_extract(OLD.payload, '$.recovery') AND r.investor = OLD.investor
          AND r.filed_at IS NOT NULL AND r.ended_at IS NULL AND r.effective_at IS NULL);
END;

CREATE TABLE settings (
  key TEXT PRIMARY KEY,
  value TEXT NOT NULL,                      -- JSON; amounts in cents
  proposal TEXT REFERENCES proposals (id),
  updated_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;                    -- REPLACE on a rowid table would delete a row without firing its triggers

-- A setting has the value that two people decided. An older decision cannot be applied again.
CREATE TRIGGER settings_guarded_insert BEFORE INSERT ON settings
WHEN NEW.key NOT IN ('messagingNumber', 'supportAddress')
BEGIN
  SELECT RAISE(ABORT, 'second_operator_required')
    WHERE NOT EXISTS (
      SELECT 1 FROM proposals p
      WHERE p.id = NEW.proposal AND p.kind = 'settings' AND p.status = 'approved'
        AND json_extract(p.payload, '$.' || NEW.key) = json_extract(NEW.value, '$')
        AND p.decided_at >= coalesce((
          SELECT max(o.decided_at) FROM settings s JOIN proposals o ON o.id = s.proposal WHERE s.key = NEW.key), 0));
END;
CREATE TRIGGER settings_guarded_update BEFORE UPDATE ON settings
WHEN NEW.key NOT IN ('messagingNumber', 'supportAddress')
  OR OLD.key NOT IN ('messagingNumber', 'supportAddress')
BEGIN
  SELECT RAISE(ABORT, 'second_operator_required') WHERE NEW.key <> OLD.key;
  SELECT RAISE(ABORT, 'second_operator_required')
    WHERE NOT EXISTS (
      SELECT 1 FROM proposals p
      WHERE p.id = NEW.proposal AND p.kind = 'settings' AND p.status = 'approved'
        -- A decision about part of a group is merged into the stored group.
        AND (CASE json_type(NEW.value)
          WHEN 'object' THEN json(NEW.value) = json_patch(OLD.value, json_extract(p.payload, '$.' || NEW.key))
          ELSE json_extract(p.payload, '$.' || NEW.key) = json_extract(NEW.value, '$') END)
        AND p.decided_at >= coalesce((
          SELECT max(o.decided_at) FROM settings s JOIN proposals o ON o.id = s.proposal WHERE s.key = NEW.key), 0));
END;
CREATE TRIGGER settings_guarded_delete BEFORE DELETE ON settings
WHEN OLD.key NOT IN ('messagingNumber', 'supportAddress')
BEGIN
  SELECT RAISE(ABORT, 'second_operator_required');
END;
-- Contact settings decide whom users trust, so two administrators decide them. `IS` compares, because null is a valid value
-- of these settings.
CREATE TRIGGER settings_contact_insert BEFORE INSERT ON settings
WHEN NEW.key IN ('messagingNumber', 'supportAddress')
BEGIN
  SELECT RAISE(ABORT, 'second_operator_required')
    WHERE NOT EXISTS (
      SELECT 1 FROM proposals p
      WHERE p.id = NEW.proposal AND p.kind = 'settings' AND p.status = 'approved'
        AND json_type(p.payload, '$.' || NEW.key) IS NOT NULL
        AND json_extract(p.payload, '$.' || NEW.key) IS json_extract(NEW.value, '$')
        AND p.decided_at >= coalesce((
          SELECT max(o.decided_at) FROM settings s JOIN proposals o ON o.id = s.proposal WHERE s.key = NEW.key), 0));
END;
CREATE TRIGGER settings_contact_update BEFORE UPDATE ON settings
WHEN NEW.key IN ('messagingNumber', 'supportAddress') OR OLD.key IN ('messagingNumber', 'supportAddress')
BEGIN
  SELECT RAISE(ABORT, 'second_operator_required')
    WHERE NEW.key <> OLD.key OR NOT EXISTS (
      SELECT 1 FROM proposals p
      WHERE p.id = NEW.proposal AND p.kind = 'settings' AND p.status = 'approved'
        AND json_type(p.payload, '$.' || NEW.key) IS NOT NULL
        AND json_extract(p.payload, '$.' || NEW.key) IS json_extract(NEW.value, '$')
        AND p.decided_at >= coalesce((
          SELECT max(o.decided_at) FROM settings s JOIN proposals o ON o.id = s.proposal WHERE s.key = NEW.key), 0));
END;
CREATE TRIGGER settings_contact_delete BEFORE DELETE ON settings
WHEN OLD.key IN ('messagingNumber', 'supportAddress')
BEGIN
  SELECT RAISE(ABORT, 'second_operator_required');
END;

-- Operators who can act as administrators now: invitation accepted, not disabled, with a second factor.
CREATE VIEW active_administrators AS
  SELECT u.id FROM users u
  WHERE u.role = 'operator' AND u.disabled_at IS NULL AND u.email_verified_at IS NOT NULL
    AND instr(' ' || u.operator_roles || ' ', ' administrator ') > 0
    AND (EXISTS (SELECT 1 FROM second_factors f WHERE f.user_id = u.id AND f.enabled_at IS NOT NULL)
      OR EXISTS (SELECT 1 FROM passkeys k WHERE k.user_id = u.id));

-- Operators who can review now. A key of anybody else is retired, except the last key in use: without any key, browsers
-- would send documents unencrypted.
CREATE VIEW active_reviewers AS
  SELECT u.id FROM users u
  WHERE u.role = 'operator' AND u.disabled_at IS NULL AND instr(' ' || u.operator_roles || ' ', ' reviewer ') > 0;

-- An invitation is proposed, approved by another administrator, mailed, and accepted once. One from the owner has no proposal.
CREATE TABLE operator_invitations (
  seq INTEGER PRIMARY KEY AUTOINCREMENT,
  id TEXT NOT NULL UNIQUE,
  proposal TEXT UNIQUE REFERENCES proposals (id),
  email TEXT NOT NULL CHECK (email = lower(email)),
  name TEXT NOT NULL,
  roles TEXT NOT NULL,                      -- space-separated, as in "users"
  created_at INTEGER NOT NULL,
  token_hash TEXT UNIQUE,                   -- of the mailed link; null until approved
  expires_at INTEGER,                       -- set to an earlier time when it is withdrawn
  accepted_at INTEGER,
  operator TEXT,                            -- who accepted it
  CHECK ((token_hash IS NULL) = (expires_at IS NULL)),
  CHECK ((accepted_at IS NULL) = (operator IS NULL))
) STRICT;
CREATE INDEX operator_invitations_by_email ON operator_invitations (email, seq);
CREATE INDEX operator_invitations_by_operator ON operator_invitations (operator) WHERE operator IS NOT NULL;
CREATE INDEX operator_invitations_by_time ON operator_invitations (created_at);

CREATE TRIGGER operator_invitations_begin BEFORE INSERT ON operator_invitations
BEGIN
  SELECT RAISE(ABORT, 'conflict')
    WHERE NEW.accepted_at IS NOT NULL
      OR EXISTS (SELECT 1 FROM operator_invitations WHERE id = NEW.id OR seq = NEW.seq
        OR proposal = NEW.proposal OR token_hash = NEW.token_hash)
      OR EXISTS (SELECT 1 FROM users WHERE email = NEW.email);
  SELECT RAISE(ABORT, 'second_operator_required')
    WHERE NEW.proposal IS NULL AND (SELECT count(*) FROM active_administrators) >= 2;
  SELECT RAISE(ABORT, 'operator_invitations: no token or more than three days')
    WHERE NEW.proposal IS NULL AND (NEW.token_hash IS NULL OR NEW.expires_at > NEW.created_at + 259200000);
  SELECT RAISE(ABORT, 'second_operator_required')
    WHERE NEW.proposal IS NOT NULL AND (NEW.token_hash IS NOT NULL OR NOT EXISTS (
      SELECT 1 FROM proposals p
      WHERE p.id = NEW.proposal AND p.kind = 'operator' AND p.status = 'pending'
        AND json_extract(p.payload, '$.action') = 'invite' AND json_extract(p.payload, '$.invitation') = NEW.id
        AND json_extract(p.payload, '$.roles') = NEW.roles));
END;
CREATE TRIGGER operator_invitations_of_the_owner AFTER INSERT ON operator_invitations
WHEN NEW.proposal IS NULL
BEGIN
  INSERT INTO audit_log (id, at, actor, action, subject, detail)
    VALUES (lower(hex(randomblob(16))), NEW.created_at, 'owner', 'operator.invited', NEW.id, json_object('roles', NEW.roles));
END;
CREATE TRIGGER operator_invitations_change BEFORE UPDATE ON operator_invitations
BEGIN
  SELECT RAISE(ABORT, 'operator_invitations: immutable columns')
    WHERE (OLD.token_hash IS NOT NULL AND NEW.token_hash IS NOT OLD.token_hash);
  SELECT RAISE(ABORT, 'invalid_token') WHERE OLD.accepted_at IS NOT NULL;
  SELECT RAISE(ABORT, 'operator_invitations: expiry only decreases') WHERE NEW.expires_at > OLD.expires_at;
  SELECT RAISE(ABORT, 'second_operator_required')
    WHERE OLD.token_hash IS NULL AND NEW.token_hash IS NOT NULL AND NOT EXISTS (
      SELECT 1 FROM proposals p
      WHERE p.id = OLD.proposal AND p.status = 'approved' AND NEW.expires_at <= p.decided_at + 259200000);
  SELECT RAISE(ABORT, 'invalid_token')
    WHERE NEW.accepted_at IS NOT NULL AND (OLD.token_hash IS NULL OR NEW.accepted_at >= OLD.expires_at);
  SELECT RAISE(ABORT, 'second_operator_required')
    WHERE NEW.accepted_at IS NOT NULL AND OLD.proposal IS NULL AND (SELECT count(*) FROM active_administrators) >= 2;
END;

CREATE TABLE factor_recoveries (
  seq INTEGER PRIMARY KEY AUTOINCREMENT,
  id TEXT NOT NULL UNIQUE,
  investor TEXT NOT NULL REFERENCES users (id),
  code_hash TEXT NOT NULL,                  -- of the mailed code
  tries INTEGER NOT NULL DEFAULT 0,         -- wrong codes given
  asked_at INTEGER NOT NULL,
  expires_at INTEGER,                       -- of the code; null once filed
  filed_at INTEGER,                         -- when the mailed code was entered
  proposal TEXT UNIQUE REFERENCES proposals (id),  -- the decision of two reviewers
  effective_at INTEGER,                     -- 72 hours after that decision
  reminded_at INTEGER,                      -- second mail before it takes effect
  ended_at INTEGER,
  outcome TEXT CHECK (outcome IN ('completed', 'stopped', 'rejected')),
  CHECK ((expires_at IS NULL) = (filed_at IS NOT NULL)),
  CHECK ((proposal IS NULL) = (effective_at IS NULL)),
  CHECK ((ended_at IS NULL) = (outcome IS NULL))
) STRICT;
CREATE UNIQUE INDEX factor_recoveries_one_open ON factor_recoveries (investor) WHERE filed_at IS NOT NULL AND ended_at IS NULL;
CREATE INDEX factor_recoveries_by_investor ON factor_recoveries (investor, seq);
CREATE INDEX factor_recoveries_by_expiry ON factor_recoveries (expires_at) WHERE expires_at IS NOT NULL;
CREATE INDEX factor_recoveries_open ON factor_recoveries (seq) WHERE filed_at IS NOT NULL AND ended_at IS NULL;
CREATE INDEX factor_recoveries_due ON factor_recoveries (effective_at) WHERE effective_at IS NOT NULL AND ended_at IS NULL;

CREATE TRIGGER factor_recoveries_begin BEFORE INSERT ON factor_recoveries
BEGIN
  SELECT RAISE(ABORT, 'factor_recoveries: must start with a mailed code only')
    WHERE NEW.filed_at IS NOT NULL OR NEW.effective_at IS NOT NULL OR NEW.ended_at IS NOT NULL OR NEW.tries <> 0
      OR EXISTS (SELECT 1 FROM factor_recoveries WHERE id = NEW.id OR seq = NEW.seq);
END;
CREATE TRIGGER factor_recoveries_immutable BEFORE UPDATE ON factor_recoveries
BEGIN
  SELECT RAISE(ABORT, 'already_decided') WHERE OLD.ended_at IS NOT NULL;
  SELECT RAISE(ABORT, 'factor_recoveries: immutable columns')
    WHERE NEW.seq IS NOT OLD.seq OR NEW.id IS NOT OLD.id OR NEW.investor IS NOT OLD.investor
      OR NEW.code_hash IS NOT OLD.code_hash OR NEW.asked_at IS NOT OLD.asked_at OR NEW.tries < OLD.tries
      OR NEW.expires_at > OLD.expires_at OR (OLD.filed_at IS NOT NULL AND NEW.filed_at IS NULL);
  SELECT RAISE(ABORT, 'factor_recoveries: immutable delay')
    WHERE OLD.effective_at IS NOT NULL
      AND (NEW.effective_at IS NOT OLD.effective_at OR NEW.proposal IS NOT OLD.proposal);
  SELECT RAISE(ABORT, 'factor_recoveries: not filed')
    WHERE NEW.filed_at IS NULL AND (NEW.effective_at IS NOT NULL OR NEW.ended_at IS NOT NULL);
END;
-- The code works once, in time, with at most four wrong attempts. The account must be an active one with a second factor.
CREATE TRIGGER factor_recoveries_filed BEFORE UPDATE OF filed_at ON factor_recoveries
WHEN NEW.filed_at IS NOT NULL
BEGIN
  SELECT RAISE(ABORT, 'invalid_code')
    WHERE OLD.filed_at IS NOT NULL OR NEW.filed_at < OLD.asked_at OR NEW.filed_at >= OLD.expires_at OR OLD.tries >= 5
      OR (SELECT count(*) FROM code_failures
          WHERE user_id = OLD.investor AND mailed = 1 AND at > NEW.filed_at - 604800000) >= 30;
  SELECT RAISE(ABORT, 'forbidden')
    WHERE NOT EXISTS (
      SELECT 1 FROM users u
      WHERE u.id = OLD.investor AND u.role = 'investor' AND u.closed_at IS NULL AND u.frozen_at IS NULL
        AND (EXISTS (SELECT 1 FROM second_factors f WHERE f.user_id = u.id AND f.enabled_at IS NOT NULL)
          OR EXISTS (SELECT 1 FROM passkeys k WHERE k.user_id = u.id)));
END;
-- The delay of 72 hours starts with the decision of two reviewers about exactly this recovery.
CREATE TRIGGER factor_recoveries_approved BEFORE UPDATE OF effective_at, proposal ON factor_recoveries
WHEN OLD.effective_at IS NULL AND OLD.ended_at IS NULL AND NEW.effective_at IS NOT NULL
BEGIN
  SELECT RAISE(ABORT, 'second_operator_required')
    WHERE NOT EXISTS (
      SELECT 1 FROM proposals p
      WHERE p.id = NEW.proposal AND p.kind = 'factor_recovery' AND p.status = 'approved'
        AND p.investor = OLD.investor AND json_extract(p.payload, '$.recovery') = OLD.id
        AND p.proposed_by <> p.decided_by AND p.created_at >= OLD.filed_at AND p.decided_at >= p.created_at
        AND NEW.effective_at = p.decided_at + 259200000);
END;
-- Two runs of the cron at the same moment send one reminder.
CREATE TRIGGER factor_recoveries_reminded BEFORE UPDATE OF reminded_at ON factor_recoveries
WHEN OLD.reminded_at IS NOT NULL
BEGIN
  SELECT RAISE(ABORT, 'already_decided');
END;
-- A recovery completes after the delay, and not while the account is frozen or closed.
CREATE TRIGGER factor_recoveries_completed BEFORE UPDATE OF outcome ON factor_recoveries
WHEN OLD.ended_at IS NULL AND NEW.outcome = 'completed'
BEGIN
  SELECT RAISE(ABORT, 'factor_recoveries: delay not over')
    WHERE OLD.effective_at IS NULL OR NEW.ended_at < OLD.effective_at;
  SELECT RAISE(ABORT, 'account_frozen')
    WHERE EXISTS (SELECT 1 FROM users WHERE id = OLD.investor AND frozen_at IS NOT NULL);
  SELECT RAISE(ABORT, 'account_closed')
    WHERE EXISTS (SELECT 1 FROM users WHERE id = OLD.investor AND closed_at IS NOT NULL);
END;
-- Every stop is written to the audit log.
CREATE TRIGGER factor_recoveries_stopped AFTER UPDATE OF outcome ON factor_recoveries
WHEN OLD.ended_at IS NULL AND NEW.outcome = 'stopped'
BEGIN
  INSERT INTO audit_log (id, at, actor, action, subject, detail)
    VALUES (lower(hex(randomblob(16))), NEW.ended_at, NEW.investor, 'factor_recovery.stopped', NEW.investor, '{}');
END;

-- Operators' notes about an investor. A note never changes, and is deleted only when the person is erased.
-- Who writes confidential notes and silent freezes. The role is a setting that two administrators decide. Auditors read them too.
CREATE VIEW confidential_operators (id) AS
  SELECT id FROM users
  WHERE role = 'operator' AND disabled_at IS NULL
    AND instr(' ' || operator_roles || ' ', ' ' || coalesce(
      (SELECT json_extract(value, '$') FROM settings WHERE key = 'confidentialRole'), 'administrator') || ' ') > 0;
CREATE VIEW confidential_readers (id) AS
  SELECT id FROM confidential_operators
  UNION SELECT id FROM users
    WHERE role = 'operator' AND disabled_at IS NULL AND instr(' ' || operator_roles || ' ', ' auditor ') > 0;

CREATE TABLE investor_notes (
  seq INTEGER PRIMARY KEY AUTOINCREMENT,
  id TEXT NOT NULL UNIQUE,
  investor TEXT NOT NULL REFERENCES users (id),
  author TEXT NOT NULL REFERENCES users (id),
  at INTEGER NOT NULL,
  text TEXT NOT NULL CHECK (length(text) BETWEEN 1 AND 2000),
  confidential INTEGER NOT NULL DEFAULT 0 CHECK (confidential IN (0, 1))  -- 1: the person never gets it
) STRICT;
CREATE INDEX investor_notes_by_investor ON investor_notes (investor, seq);

CREATE TRIGGER investor_notes_written BEFORE INSERT ON investor_notes
BEGIN
  SELECT RAISE(ABORT, 'investor_notes: already stored')
    WHERE EXISTS (SELECT 1 FROM investor_notes WHERE id = NEW.id OR seq = NEW.seq);
  SELECT RAISE(ABORT, 'investor_notes: author must be an operator, subject an investor')
    WHERE NOT EXISTS (SELECT 1 FROM users WHERE id = NEW.author AND role = 'operator' AND disabled_at IS NULL)
      OR NOT EXISTS (SELECT 1 FROM users WHERE id = NEW.investor AND role = 'investor' AND erased_at IS NULL);
  SELECT RAISE(ABORT, 'forbidden')
    WHERE NEW.confidential = 1 AND NOT EXISTS (SELECT 1 FROM confidential_operators WHERE id = NEW.author);
END;
CREATE TRIGGER investor_notes_delete_on_erasure BEFORE DELETE ON investor_notes
WHEN (SELECT erased_at FROM users WHERE id = OLD.investor) IS NULL
BEGIN
  SELECT RAISE(ABORT, 'investor_notes: person not erased');
END;

-- A freeze that the person is not told about. Requests are filed as usual, but nothing is approved, rejected, credited or paid.
CREATE TABLE silent_freezes (
  seq INTEGER PRIMARY KEY AUTOINCREMENT,
  id TEXT NOT NULL UNIQUE,
  investor TEXT NOT NULL REFERENCES users (id),
  reason TEXT NOT NULL CHECK (length(reason) BETWEEN 1 AND 2000),
  begun_by TEXT NOT NULL REFERENCES users (id),
  begun_at INTEGER NOT NULL,
  ended_by TEXT REFERENCES users (id),
  ended_at INTEGER CHECK (ended_at >= begun_at),
  CHECK ((ended_by IS NULL) = (ended_at IS NULL))
) STRICT;
CREATE UNIQUE INDEX silent_freezes_standing ON silent_freezes (investor) WHERE ended_at IS NULL;
CREATE INDEX silent_freezes_by_investor ON silent_freezes (investor);

CREATE TRIGGER silent_freezes_begun BEFORE INSERT ON silent_freezes
BEGIN
  SELECT RAISE(ABORT, 'conflict')
    WHERE NEW.ended_at IS NOT NULL
      OR EXISTS (SELECT 1 FROM silent_freezes WHERE id = NEW.id OR seq = NEW.seq OR (investor = NEW.investor AND ended_at IS NULL));
  SELECT RAISE(ABORT, 'forbidden')
    WHERE NOT EXISTS (SELECT 1 FROM confidential_operators WHERE id = NEW.begun_by)
      OR NOT EXISTS (SELECT 1 FROM users WHERE id = NEW.investor AND role = 'investor' AND erased_at IS NULL);
END;
CREATE TRIGGER silent_freezes_ended BEFORE UPDATE ON silent_freezes
BEGIN
  SELECT RAISE(ABORT, 'conflict') WHERE OLD.ended_at IS NOT NULL OR NEW.ended_at IS NULL;
  SELECT RAISE(ABORT, 'forbidden')
    WHERE NOT EXISTS (SELECT 1 FROM confidential_operators WHERE id = NEW.ended_by);
END;
CREATE TRIGGER silent_freezes_delete_on_erasure BEFORE DELETE ON silent_freezes
WHEN OLD.ended_at IS NULL OR (SELECT erased_at FROM users WHERE id = OLD.investor) IS NULL
BEGIN
  SELECT RAISE(ABORT, 'silent_freezes: person not erased');
END;
