-- Each line of the audit log is found again: a block names every line it seals by its digest, and what waits for its seal stands
-- a second time, as it was written.

ALTER TABLE audit_blocks ADD COLUMN entries TEXT;       -- "<seq> <sha-256>" a line; none in blocks from before

CREATE TABLE audit_unsealed (
  seq INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  at INTEGER NOT NULL,
  actor TEXT NOT NULL,
  action TEXT NOT NULL,
  subject TEXT NOT NULL,
  detail TEXT NOT NULL
) STRICT;
INSERT INTO audit_unsealed (seq, id, at, actor, action, subject, detail)
  SELECT seq, id, at, actor, action, subject, detail FROM audit_log
  WHERE seq > coalesce((SELECT max(last_seq) FROM audit_blocks), 0);

CREATE TRIGGER audit_unsealed_as_logged BEFORE INSERT ON audit_unsealed
BEGIN
  SELECT RAISE(ABORT, 'audit: entries never change')
    WHERE EXISTS (SELECT 1 FROM audit_unsealed WHERE seq = NEW.seq OR id = NEW.id);
  SELECT RAISE(ABORT, 'audit: only what is logged waits for its seal')
    WHERE NOT EXISTS (
      SELECT 1 FROM audit_log WHERE seq = NEW.seq AND id = NEW.id AND at = NEW.at AND actor = NEW.actor
        AND action = NEW.action AND subject = NEW.subject AND detail = NEW.detail);
END;
CREATE TRIGGER audit_unsealed_keeps_rows BEFORE UPDATE ON audit_unsealed
BEGIN
  SELECT RAISE(ABORT, 'audit: entries never change');
END;
CREATE TRIGGER audit_unsealed_waits BEFORE DELETE ON audit_unsealed
BEGIN
  SELECT RAISE(ABORT, 'audit: only a sealed entry waits no more')
    WHERE OLD.seq > coalesce((SELECT max(last_seq) FROM audit_blocks), 0);
END;
-- In the statement of the act itself, whoever writes it.
CREATE TRIGGER audit_log_waits_for_its_seal AFTER INSERT ON audit_log
BEGIN
  INSERT INTO audit_unsealed (seq, id, at, actor, action, subject, detail)
    VALUES (NEW.seq, NEW.id, NEW.at, NEW.actor, NEW.action, NEW.subject, NEW.detail);
END;

-- By time, of everybody, of one actor, or of one action; what is about one subject are few lines.
CREATE INDEX audit_log_by_time ON audit_log (at, seq);
CREATE INDEX audit_log_by_action ON audit_log (action, at, seq);
CREATE INDEX audit_log_by_actor_and_time ON audit_log (actor, at, seq);
