-- What is mailed to everybody who wants it: news, features, tips. Two operators decide, and whoever turned a kind off gets none.
INSERT INTO proposal_kinds (kind) VALUES ('announcement');

CREATE TABLE announcements (
  proposal TEXT PRIMARY KEY REFERENCES proposals (id),
  topic TEXT NOT NULL CHECK (topic IN ('salesNews', 'features', 'tips')),
  subject TEXT NOT NULL,
  text TEXT NOT NULL,
  approved_at INTEGER NOT NULL,
  last_seq INTEGER NOT NULL,                -- the newest account at its approval: later ones get none
  sent_to_seq INTEGER NOT NULL DEFAULT 0,   -- whoever registered up to here has it, or did not want it
  mails INTEGER NOT NULL DEFAULT 0,         -- how many were written
  finished_at INTEGER
) STRICT;
CREATE INDEX announcements_open ON announcements (approved_at) WHERE finished_at IS NULL;

CREATE TRIGGER announcements_decided BEFORE INSERT ON announcements
BEGIN
  SELECT RAISE(ABORT, 'announcements: one starts unsent')
    WHERE NEW.sent_to_seq <> 0 OR NEW.mails <> 0 OR NEW.finished_at IS NOT NULL
      OR EXISTS (SELECT 1 FROM announcements WHERE proposal = NEW.proposal);
  SELECT RAISE(ABORT, 'second_operator_required')
    WHERE NOT EXISTS (
      SELECT 1 FROM proposals p
      WHERE p.id = NEW.proposal AND p.kind = 'announcement' AND p.status = 'approved'
        AND json_extract(p.payload, '$.topic') = NEW.topic AND json_extract(p.payload, '$.subject') = NEW.subject
        AND json_extract(p.payload, '$.text') = NEW.text);
END;
-- Each step goes on from the one before: of two runs that write the same mails, one fails with all of them.
CREATE TRIGGER announcements_go_on BEFORE UPDATE ON announcements
BEGIN
  SELECT RAISE(ABORT, 'announcements: what was decided never changes')
    WHERE NEW.proposal IS NOT OLD.proposal OR NEW.topic IS NOT OLD.topic OR NEW.subject IS NOT OLD.subject
      OR NEW.text IS NOT OLD.text OR NEW.approved_at IS NOT OLD.approved_at OR NEW.last_seq IS NOT OLD.last_seq;
  SELECT RAISE(ABORT, 'already_decided')
    WHERE OLD.finished_at IS NOT NULL OR NEW.sent_to_seq <= OLD.sent_to_seq;
END;
CREATE TRIGGER announcements_keep BEFORE DELETE ON announcements
BEGIN
  SELECT RAISE(ABORT, 'announcements: one is never deleted');
END;

-- Whoever writes it: a mail of a kind that its reader turned off is not put on its way …
CREATE TRIGGER outbox_wanted BEFORE INSERT ON outbox WHEN NEW.list IN ('salesNews', 'features', 'tips')
BEGIN
  SELECT RAISE(IGNORE)
    WHERE EXISTS (
      SELECT 1 FROM users u JOIN preferences p ON p.user_id = u.id
      WHERE u.email = NEW.recipient AND CASE NEW.list
        WHEN 'salesNews' THEN p.sales_news WHEN 'features' THEN p.features ELSE p.tips END = 0);
END;
-- … and one that waits while its kind is turned off is taken back.
CREATE TRIGGER preferences_mails_off_at_first AFTER INSERT ON preferences
WHEN NEW.sales_news = 0 OR NEW.features = 0 OR NEW.tips = 0
BEGIN
  DELETE FROM outbox
  WHERE recipient = (SELECT email FROM users WHERE id = NEW.user_id) AND next_attempt_at IS NOT NULL
    AND CASE list WHEN 'salesNews' THEN NEW.sales_news WHEN 'features' THEN NEW.features WHEN 'tips' THEN NEW.tips END = 0;
END;
CREATE TRIGGER preferences_mails_off AFTER UPDATE ON preferences
WHEN NEW.sales_news = 0 OR NEW.features = 0 OR NEW.tips = 0
BEGIN
  DELETE FROM outbox
  WHERE recipient = (SELECT email FROM users WHERE id = NEW.user_id) AND next_attempt_at IS NOT NULL
    AND CASE list WHEN 'salesNews' THEN NEW.sales_news WHEN 'features' THEN NEW.features WHEN 'tips' THEN NEW.tips END = 0;
END;
