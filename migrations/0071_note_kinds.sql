-- The person's download has their notes, but not the reasons of decisions: only operators read those. A reason about a suspicion is
-- shown to operators who may read hits on the sanctions list. A suspected person must not be warned.
ALTER TABLE investor_notes ADD COLUMN kind TEXT NOT NULL DEFAULT 'note' CHECK (kind IN ('note', 'decision', 'suspicion'));

DROP TRIGGER investor_notes_no_update;
UPDATE investor_notes SET kind = 'decision' WHERE id NOT IN (
  SELECT json_extract(detail, '$.note') FROM audit_log
  WHERE action IN ('investor.noted', 'investor.noted_confidentially') AND json_extract(detail, '$.note') IS NOT NULL);
UPDATE investor_notes SET kind = 'suspicion'
WHERE id IN (SELECT note FROM sanctions_hits) OR id IN (SELECT json_extract(detail, '$.note') FROM audit_log WHERE action = 'risk.accepted');
CREATE TRIGGER investor_notes_no_update BEFORE UPDATE ON investor_notes BEGIN SELECT RAISE(ABORT, 'investor_notes: immutable'); END;

-- A hit is cleared as it was read: entries that were added meanwhile stay open.
CREATE TRIGGER sanctions_hits_cleared_as_read BEFORE UPDATE OF cleared_at ON sanctions_hits
WHEN NEW.cleared_at IS NOT NULL
BEGIN
  SELECT RAISE(ABORT, 'conflict') WHERE NEW.entries <> OLD.entries;
END;
