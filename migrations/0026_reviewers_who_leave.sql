-- Whoever reviews no more, because their roles changed or they were disabled, has no key that documents are encrypted to. The last
-- key stays in use all the same until another counts: without one, browsers would send documents unencrypted.

CREATE VIEW active_reviewers AS
  SELECT u.id FROM users u
  WHERE u.role = 'operator' AND u.disabled_at IS NULL AND instr(' ' || u.operator_roles || ' ', ' reviewer ') > 0;

CREATE TRIGGER reviewer_keys_of_reviewers BEFORE INSERT ON reviewer_keys
BEGIN
  SELECT RAISE(ABORT, 'forbidden') WHERE NEW.user_id NOT IN (SELECT id FROM active_reviewers);
END;
-- Of somebody who left while their key waited.
CREATE TRIGGER reviewer_keys_count_for_reviewers BEFORE UPDATE OF approved_at ON reviewer_keys
WHEN OLD.approved_at IS NULL AND NEW.approved_at IS NOT NULL
BEGIN
  SELECT RAISE(ABORT, 'conflict') WHERE NEW.user_id NOT IN (SELECT id FROM active_reviewers);
END;

CREATE TRIGGER users_leave_with_their_key AFTER UPDATE OF operator_roles, disabled_at ON users
WHEN NEW.role = 'operator' AND NEW.id NOT IN (SELECT id FROM active_reviewers)
  AND EXISTS (
    SELECT 1 FROM reviewer_keys
    WHERE user_id IN (SELECT id FROM active_reviewers) AND approved_at IS NOT NULL AND retired_at IS NULL)
BEGIN
  INSERT INTO audit_log (id, at, actor, action, subject, detail)
    SELECT lower(hex(randomblob(16))), coalesce(NEW.disabled_at, p.decided_at), coalesce(NEW.disabled_by, p.decided_by),
      'reviewer_key.retired', k.id, json_object('owner', k.user_id)
    FROM reviewer_keys k LEFT JOIN proposals p ON p.id = NEW.access_proposal
    WHERE k.user_id = NEW.id AND k.approved_at IS NOT NULL AND k.retired_at IS NULL;
  -- "owner" is no operator: the key goes with whom it belonged to.
  UPDATE reviewer_keys
    SET retired_by = CASE NEW.disabled_by WHEN 'owner' THEN NEW.id
        ELSE coalesce(NEW.disabled_by, (SELECT decided_by FROM proposals WHERE id = NEW.access_proposal)) END,
      retired_at = coalesce(NEW.disabled_at, (SELECT decided_at FROM proposals WHERE id = NEW.access_proposal))
    WHERE user_id = NEW.id AND approved_at IS NOT NULL AND retired_at IS NULL;
END;

-- As before, and: the key that stayed because it was the last one goes, too.
DROP TRIGGER reviewer_keys_approved;
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

UPDATE reviewer_keys SET retired_by = approved_by, retired_at = CAST(unixepoch('subsec') * 1000 AS INTEGER)
  WHERE approved_at IS NOT NULL AND retired_at IS NULL AND user_id NOT IN (SELECT id FROM active_reviewers)
    AND EXISTS (
      SELECT 1 FROM reviewer_keys
      WHERE user_id IN (SELECT id FROM active_reviewers) AND approved_at IS NOT NULL AND retired_at IS NULL);
