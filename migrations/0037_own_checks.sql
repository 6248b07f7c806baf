-- How the second reviewer of a lost second factor checked the identity themselves. One cannot be approved without it.
ALTER TABLE proposals ADD COLUMN own_check TEXT;
CREATE TRIGGER proposals_own_check AFTER UPDATE OF status ON proposals
WHEN NEW.kind = 'factor_recovery' AND NEW.status = 'approved'
BEGIN
  SELECT RAISE(ABORT, 'proposals: own check required') WHERE trim(coalesce(NEW.own_check, '')) = '';
END;
