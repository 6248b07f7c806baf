-- Who operates the platform: roles, invitations, leaving. Two administrators decide each of it, but for disabling, which one does
-- at once. Until two administrators are active, whoever has the database appoints ('owner').

ALTER TABLE users ADD COLUMN disabled_at INTEGER;       -- an operator who is let in no more
ALTER TABLE users ADD COLUMN disabled_by TEXT;          -- an administrator's id, or 'owner': whoever has the database
ALTER TABLE users ADD COLUMN disabled_reason TEXT;
ALTER TABLE users ADD COLUMN access_proposal TEXT REFERENCES proposals (id);  -- the decision by which roles and access stand as they do
ALTER TABLE proposals ADD COLUMN operator TEXT REFERENCES users (id);         -- operator: whose access it changes; none for an invitation
CREATE INDEX proposals_by_operator ON proposals (operator, status) WHERE operator IS NOT NULL;
INSERT INTO proposal_kinds (kind) VALUES ('operator');

-- Which roles propose and decide a kind of proposals.
CREATE TABLE proposal_roles (
  kind TEXT NOT NULL REFERENCES proposal_kinds (kind),
  role TEXT NOT NULL,
  PRIMARY KEY (kind, role)
) STRICT;
INSERT INTO proposal_roles (kind, role) VALUES
  ('bonus', 'treasurer'), ('wallet', 'treasurer'), ('reversal', 'treasurer'),
  ('settings', 'administrator'), ('announcement', 'administrator'), ('operator', 'administrator'),
  ('reviewer_key', 'reviewer'), ('reviewer_key', 'administrator');

-- Who can act as an administrator now: not invited only, not disabled, and with a second factor on.
CREATE VIEW active_administrators AS
  SELECT u.id FROM users u
  WHERE u.role = 'operator' AND u.disabled_at IS NULL AND u.email_verified_at IS NOT NULL
    AND instr(' ' || u.operator_roles || ' ', ' administrator ') > 0
    AND (EXISTS (SELECT 1 FROM second_factors f WHERE f.user_id = u.id AND f.enabled_at IS NOT NULL)
      OR EXISTS (SELECT 1 FROM passkeys k WHERE k.user_id = u.id));

-- An invitation is proposed, approved by another administrator, mailed, and accepted once. One of the owner's has no proposal.
CREATE TABLE operator_invitations (
  seq INTEGER PRIMARY KEY AUTOINCREMENT,
  id TEXT NOT NULL UNIQUE,
  proposal TEXT UNIQUE REFERENCES proposals (id),
  email TEXT NOT NULL CHECK (email = lower(email)),
  name TEXT NOT NULL,
  roles TEXT NOT NULL,                      -- space-separated, as in "users"
  created_at INTEGER NOT NULL,
  token_hash TEXT UNIQUE,                   -- of the mailed link; none before the approval
  expires_at INTEGER,                       -- brought forward where it is withdrawn
  accepted_at INTEGER,
  operator TEXT,                            -- who came of it
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
  SELECT RAISE(ABORT, 'operator_invitations: one of the owner’s is open for three days')
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
  SELECT RAISE(ABORT, 'operator_invitations: whom it invites, and as what, never changes')
    WHERE NEW.seq IS NOT OLD.seq OR NEW.id IS NOT OLD.id OR NEW.proposal IS NOT OLD.proposal OR NEW.email IS NOT OLD.email
      OR NEW.name IS NOT OLD.name OR NEW.roles IS NOT OLD.roles OR NEW.created_at IS NOT OLD.created_at
      OR (OLD.token_hash IS NOT NULL AND NEW.token_hash IS NOT OLD.token_hash);
  SELECT RAISE(ABORT, 'invalid_token') WHERE OLD.accepted_at IS NOT NULL;
  SELECT RAISE(ABORT, 'operator_invitations: its time is only made shorter') WHERE NEW.expires_at > OLD.expires_at;
  SELECT RAISE(ABORT, 'second_operator_required')
    WHERE OLD.token_hash IS NULL AND NEW.token_hash IS NOT NULL AND NOT EXISTS (
      SELECT 1 FROM proposals p
      WHERE p.id = OLD.proposal AND p.status = 'approved' AND NEW.expires_at <= p.decided_at + 259200000);
  SELECT RAISE(ABORT, 'invalid_token')
    WHERE NEW.accepted_at IS NOT NULL AND (OLD.token_hash IS NULL OR NEW.accepted_at >= OLD.expires_at);
  SELECT RAISE(ABORT, 'second_operator_required')
    WHERE NEW.accepted_at IS NOT NULL AND OLD.proposal IS NULL AND (SELECT count(*) FROM active_administrators) >= 2;
END;

-- Nobody becomes an operator but by an invitation that was accepted, once two administrators are active.
CREATE TRIGGER users_appointed BEFORE INSERT ON users
WHEN NEW.role = 'operator'
BEGIN
  SELECT RAISE(ABORT, 'second_operator_required')
    WHERE (SELECT count(*) FROM active_administrators) >= 2
      AND NOT EXISTS (
        SELECT 1 FROM operator_invitations i
        WHERE i.operator = NEW.id AND i.email = NEW.email AND i.roles = NEW.operator_roles);
  SELECT RAISE(ABORT, 'users: nobody begins disabled')
    WHERE NEW.disabled_at IS NOT NULL OR NEW.disabled_by IS NOT NULL OR NEW.access_proposal IS NOT NULL;
END;
CREATE TRIGGER users_never_replace_an_operator BEFORE INSERT ON users
BEGIN
  SELECT RAISE(ABORT, 'users: an operator is never replaced')
    WHERE EXISTS (
      SELECT 1 FROM users WHERE (id = NEW.id OR seq = NEW.seq OR referral_code = NEW.referral_code) AND role = 'operator');
  SELECT RAISE(ABORT, 'UNIQUE constraint failed: users.email')
    WHERE EXISTS (SELECT 1 FROM users WHERE email = NEW.email AND role = 'operator');
END;
CREATE TRIGGER users_keep_operators BEFORE DELETE ON users
WHEN OLD.role = 'operator'
BEGIN
  SELECT RAISE(ABORT, 'users: an operator is disabled, never deleted');
END;

-- Roles change, and somebody comes back, by a decision of two others about exactly that; an older one never counts again.
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
          AND CASE json_extract(p.payload, '$.action')
            WHEN 'roles' THEN NEW.operator_roles = json_extract(p.payload, '$.roles') AND NEW.disabled_at IS OLD.disabled_at
              AND NEW.disabled_by IS OLD.disabled_by AND NEW.disabled_reason IS OLD.disabled_reason
            WHEN 'enable' THEN OLD.disabled_at IS NOT NULL AND NEW.disabled_at IS NULL AND NEW.operator_roles = OLD.operator_roles
              AND p.created_at >= OLD.disabled_at
            ELSE 0 END);
  SELECT RAISE(ABORT, 'last_administrator')
    WHERE EXISTS (SELECT 1 FROM active_administrators WHERE id = OLD.id)
      AND NOT EXISTS (SELECT 1 FROM active_administrators WHERE id <> OLD.id)
      AND (NEW.disabled_at IS NOT NULL OR instr(' ' || NEW.operator_roles || ' ', ' administrator ') = 0);
  -- Whom the owner lets in again begins with a new second factor. Here, while they are still disabled.
  INSERT INTO audit_log (id, at, actor, action, subject, detail)
    SELECT lower(hex(randomblob(16))), CAST(unixepoch('subsec') * 1000 AS INTEGER), 'owner', 'operator.enabled', OLD.id, '{}'
    WHERE OLD.disabled_at IS NOT NULL AND NEW.disabled_at IS NULL AND NEW.access_proposal IS OLD.access_proposal;
  DELETE FROM second_factors
    WHERE user_id = OLD.id AND OLD.disabled_at IS NOT NULL AND NEW.disabled_at IS NULL AND NEW.access_proposal IS OLD.access_proposal;
  DELETE FROM passkeys
    WHERE user_id = OLD.id AND OLD.disabled_at IS NOT NULL AND NEW.disabled_at IS NULL AND NEW.access_proposal IS OLD.access_proposal;
END;
-- Disabling ends what is open, whoever writes it; what the owner does leaves its line on the audit log.
CREATE TRIGGER users_disabled AFTER UPDATE OF disabled_at ON users
WHEN OLD.disabled_at IS NULL AND NEW.disabled_at IS NOT NULL
BEGIN
  UPDATE sessions SET ended_at = NEW.disabled_at WHERE user_id = NEW.id AND ended_at IS NULL;
  INSERT INTO audit_log (id, at, actor, action, subject, detail)
    SELECT lower(hex(randomblob(16))), NEW.disabled_at, 'owner', 'operator.disabled', NEW.id, '{}' WHERE NEW.disabled_by = 'owner';
END;
-- Who is disabled signs in no more, and decides nothing that was on its way; nor does anybody without the role for it.
CREATE TRIGGER disabled_opens_no_session BEFORE INSERT ON sessions
BEGIN
  SELECT RAISE(ABORT, 'operator_disabled')
    WHERE EXISTS (SELECT 1 FROM users WHERE id = NEW.user_id AND disabled_at IS NOT NULL);
END;
CREATE TRIGGER disabled_resumes_no_session BEFORE UPDATE OF user_id, ended_at ON sessions
WHEN NEW.ended_at IS NULL
BEGIN
  SELECT RAISE(ABORT, 'operator_disabled')
    WHERE EXISTS (SELECT 1 FROM users WHERE id = NEW.user_id AND disabled_at IS NOT NULL);
END;
CREATE TRIGGER request_events_by_treasurers BEFORE INSERT ON request_events
BEGIN
  SELECT RAISE(ABORT, 'forbidden')
    WHERE EXISTS (
      SELECT 1 FROM users WHERE id = NEW.actor AND role = 'operator'
        AND (disabled_at IS NOT NULL OR instr(' ' || operator_roles || ' ', ' treasurer ') = 0));
END;
CREATE TRIGGER credit_approvals_by_treasurers BEFORE INSERT ON credit_approvals
BEGIN
  SELECT RAISE(ABORT, 'forbidden')
    WHERE EXISTS (
      SELECT 1 FROM users WHERE id = NEW.operator AND role = 'operator'
        AND (disabled_at IS NOT NULL OR instr(' ' || operator_roles || ' ', ' treasurer ') = 0));
END;
CREATE TRIGGER kyc_decided_by_reviewers BEFORE UPDATE OF status ON kyc_submissions
WHEN NEW.decided_by IS NOT NULL
BEGIN
  SELECT RAISE(ABORT, 'forbidden')
    WHERE EXISTS (
      SELECT 1 FROM users WHERE id = NEW.decided_by AND role = 'operator'
        AND (disabled_at IS NOT NULL OR instr(' ' || operator_roles || ' ', ' reviewer ') = 0));
END;

-- As before, and: who proposes and who decides have a role for it and are let in; about operators only administrators who can act,
-- and neither of them about themselves. What somebody proposed who was disabled since is not approved.
DROP TRIGGER proposals_start_pending;
CREATE TRIGGER proposals_start_pending BEFORE INSERT ON proposals
BEGIN
  SELECT RAISE(ABORT, 'proposals: one starts as pending')
    WHERE NEW.status <> 'pending' OR NEW.decided_by IS NOT NULL OR NEW.decided_at IS NOT NULL
      OR EXISTS (SELECT 1 FROM proposals WHERE id = NEW.id OR seq = NEW.seq);
  SELECT RAISE(ABORT, 'proposals: an operator proposes')
    WHERE NOT EXISTS (SELECT 1 FROM users WHERE id = NEW.proposed_by AND role = 'operator');
  SELECT RAISE(ABORT, 'forbidden')
    WHERE NOT EXISTS (
        SELECT 1 FROM users u JOIN proposal_roles r ON r.kind = NEW.kind
        WHERE u.id = NEW.proposed_by AND u.disabled_at IS NULL AND instr(' ' || u.operator_roles || ' ', ' ' || r.role || ' ') > 0)
      OR (NEW.kind = 'operator' AND NOT EXISTS (SELECT 1 FROM active_administrators WHERE id = NEW.proposed_by))
      OR NEW.operator = NEW.proposed_by;
  SELECT RAISE(ABORT, 'proposals: what is proposed about an operator says which')
    WHERE (NEW.operator IS NOT NULL AND NEW.kind <> 'operator')
      OR (NEW.kind = 'operator' AND (NEW.operator IS NULL) <> (json_extract(NEW.payload, '$.action') = 'invite'))
      OR (NEW.operator IS NOT NULL AND NOT EXISTS (SELECT 1 FROM users WHERE id = NEW.operator AND role = 'operator'));
END;
DROP TRIGGER proposals_decided_once;
CREATE TRIGGER proposals_decided_once BEFORE UPDATE ON proposals
BEGIN
  SELECT RAISE(ABORT, 'already_decided') WHERE OLD.status <> 'pending' OR NEW.status NOT IN ('approved', 'rejected');
  SELECT RAISE(ABORT, 'proposals: what was proposed never changes')
    WHERE NEW.id IS NOT OLD.id OR NEW.kind IS NOT OLD.kind OR NEW.proposed_by IS NOT OLD.proposed_by
      OR NEW.investor IS NOT OLD.investor OR NEW.amount IS NOT OLD.amount OR NEW.request IS NOT OLD.request
      OR NEW.payload IS NOT OLD.payload OR NEW.reason IS NOT OLD.reason OR NEW.seq IS NOT OLD.seq
      OR NEW.created_at IS NOT OLD.created_at OR NEW.operator IS NOT OLD.operator;
  SELECT RAISE(ABORT, 'proposals: an operator decides')
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

-- As before, and: a second factor that stood when two administrators decided to reset it may go, as may one of somebody whom the
-- owner lets in again.
DROP TRIGGER passkeys_operator_keeps_one;
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
DROP TRIGGER second_factors_operator_keeps_one;
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
