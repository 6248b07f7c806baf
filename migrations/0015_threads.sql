-- A message becomes a thread: what the person wrote, and what operators replied by mail.

CREATE TABLE thread_statuses (status TEXT PRIMARY KEY) STRICT, WITHOUT ROWID;
INSERT INTO thread_statuses VALUES ('open'), ('answered'), ('closed');

-- Rebuilt, because the CHECK of its status allowed neither an answer nor reopening. Nothing but its own trigger names it.
DROP TRIGGER contact_messages_closed_once;
ALTER TABLE contact_messages RENAME TO contact_messages_before;
CREATE TABLE contact_messages (
  seq INTEGER PRIMARY KEY AUTOINCREMENT,
  id TEXT NOT NULL UNIQUE,
  ref TEXT NOT NULL UNIQUE,
  name TEXT NOT NULL,
  email TEXT NOT NULL,                      -- replies go there
  investor TEXT REFERENCES users (id),      -- who wrote it while signed in; null for the contact form
  message TEXT NOT NULL,
  status TEXT NOT NULL DEFAULT 'open' REFERENCES thread_statuses (status),
  created_at INTEGER NOT NULL,
  opened_at INTEGER NOT NULL,               -- since when it waits, or waited last, for an operator
  handled_at INTEGER,                       -- when an operator first answered or closed it
  closed_by TEXT REFERENCES users (id),
  closed_at INTEGER,
  CHECK ((status = 'closed') = (closed_at IS NOT NULL))
) STRICT;
INSERT INTO contact_messages
    (seq, id, ref, name, email, message, status, created_at, opened_at, handled_at, closed_by, closed_at)
  SELECT seq, id, 'MSG-' || hex(randomblob(4)), name, email, message, status, created_at, created_at, closed_at, closed_by, closed_at
  FROM contact_messages_before;
DROP TABLE contact_messages_before;
CREATE INDEX contact_messages_by_status ON contact_messages (status, seq);
CREATE INDEX contact_messages_by_opening ON contact_messages (status, opened_at);
CREATE INDEX contact_messages_by_email ON contact_messages (email, seq);
CREATE INDEX contact_messages_by_investor ON contact_messages (investor, seq) WHERE investor IS NOT NULL;
CREATE INDEX contact_messages_by_handling ON contact_messages (handled_at, created_at) WHERE handled_at IS NOT NULL;

CREATE TRIGGER contact_messages_move BEFORE UPDATE OF status ON contact_messages
BEGIN
  SELECT RAISE(ABORT, 'already_decided')
    WHERE (NEW.status IN ('open', 'closed') AND NEW.status = OLD.status)
      OR (NEW.status = 'answered' AND OLD.status = 'closed');
END;

-- What followed the first message. The key makes one of two replies fail that were written to the same message.
CREATE TABLE thread_entries (
  thread TEXT NOT NULL REFERENCES contact_messages (id) ON DELETE CASCADE,
  place INTEGER NOT NULL CHECK (place > 1), -- the first message is number 1
  id TEXT NOT NULL UNIQUE,
  operator TEXT REFERENCES users (id),      -- who replied; null if the person wrote again
  text TEXT NOT NULL,
  at INTEGER NOT NULL,
  PRIMARY KEY (thread, place)
) STRICT, WITHOUT ROWID;

CREATE TRIGGER thread_entries_stay BEFORE UPDATE ON thread_entries
BEGIN
  SELECT RAISE(ABORT, 'thread_entries: what was written never changes');
END;
