-- Service notices: messages about the service that reach every investor, whatever news they chose. Two administrators agree to them.
INSERT INTO proposal_kinds (kind) VALUES ('service_notice');
INSERT INTO proposal_roles (kind, role) VALUES ('service_notice', 'administrator');

-- What announcements are about, and the kind of proposal that decides them. News goes to people who chose its topic, a notice to all.
CREATE TABLE announcement_topics (
  topic TEXT PRIMARY KEY,
  kind TEXT NOT NULL REFERENCES proposal_kinds (kind)
) STRICT, WITHOUT ROWID;
INSERT INTO announcement_topics VALUES
  ('salesNews', 'announcement'), ('features', 'announcement'), ('tips', 'announcement'), ('service', 'service_notice');
CREATE TRIGGER announcement_topics_no_insert BEFORE INSERT ON announcement_topics BEGIN SELECT RAISE(ABORT, 'announcement_topics: immutable outside migrations'); END;
CREATE TRIGGER announcement_topics_no_update BEFORE UPDATE ON announcement_topics BEGIN SELECT RAISE(ABORT, 'announcement_topics: immutable outside migrations'); END;
CREATE TRIGGER announcement_topics_no_delete BEFORE DELETE ON announcement_topics BEGIN SELECT RAISE(ABORT, 'announcement_topics: immutable outside migrations'); END;

-- The table of 0013 again, with the topics above instead of a CHECK. Only its own triggers name it, and they go with it. An announcement
-- whose last full page ended with the newest account could not end before.
CREATE TABLE earlier_announcements AS SELECT * FROM announcements;
DROP TABLE announcements;
CREATE TABLE announcements (
  proposal TEXT PRIMARY KEY REFERENCES proposals (id),
  topic TEXT NOT NULL REFERENCES announcement_topics (topic),
  subject TEXT NOT NULL,
  text TEXT NOT NULL,
  approved_at INTEGER NOT NULL,
  last_seq INTEGER NOT NULL,                -- the newest account at its approval: later ones get no mail
  sent_to_seq INTEGER NOT NULL DEFAULT 0,   -- accounts up to here are done
  mails INTEGER NOT NULL DEFAULT 0,         -- how many mails were written
  finished_at INTEGER
) STRICT;
INSERT INTO announcements (proposal, topic, subject, text, approved_at, last_seq, sent_to_seq, mails, finished_at)
  SELECT proposal, topic, subject, text, approved_at, last_seq, sent_to_seq, mails,
    coalesce(finished_at, iif(sent_to_seq = last_seq, approved_at, NULL)) FROM earlier_announcements;
DROP TABLE earlier_announcements;
CREATE INDEX announcements_open ON announcements (approved_at) WHERE finished_at IS NULL;

CREATE TRIGGER announcements_decided BEFORE INSERT ON announcements
BEGIN
  SELECT RAISE(ABORT, 'announcements: must start unsent')
    WHERE NEW.sent_to_seq <> 0 OR NEW.mails <> 0 OR NEW.finished_at IS NOT NULL
      OR EXISTS (SELECT 1 FROM announcements WHERE proposal = NEW.proposal);
  SELECT RAISE(ABORT, 'second_operator_required')
    WHERE NOT EXISTS (
      SELECT 1 FROM proposals p JOIN announcement_topics t ON t.kind = p.kind
      WHERE p.id = NEW.proposal AND t.topic = NEW.topic AND p.status = 'approved'
        AND json_extract(p.payload, '$.topic') = NEW.topic AND json_extract(p.payload, '$.subject') = NEW.subject
        AND json_extract(p.payload, '$.text') = NEW.text);
END;
-- Each step continues from the one before. If two runs write the same mails, the second fails with its whole batch.
CREATE TRIGGER announcements_advance BEFORE UPDATE ON announcements
BEGIN
  SELECT RAISE(ABORT, 'already_decided')
    WHERE OLD.finished_at IS NOT NULL OR NEW.sent_to_seq <= OLD.sent_to_seq;
END;
CREATE TRIGGER announcements_no_delete BEFORE DELETE ON announcements BEGIN SELECT RAISE(ABORT, 'announcements: never deleted'); END;
CREATE TRIGGER announcements_fixed_columns BEFORE UPDATE ON announcements WHEN NEW.proposal IS NOT OLD.proposal OR NEW.topic IS NOT OLD.topic OR NEW.subject IS NOT OLD.subject OR NEW.text IS NOT OLD.text OR NEW.approved_at IS NOT OLD.approved_at OR NEW.last_seq IS NOT OLD.last_seq BEGIN SELECT RAISE(ABORT, 'announcements: immutable columns'); END;
