-- Cases that wait for their investor's answer, and mails about overdue cases.

-- An operator asked the investor of a case. It waits until the investor writes, or until its kind changes by a decision.
CREATE TABLE case_holds (
  case_id TEXT NOT NULL,                    -- a request, an identity document or a factor recovery
  kind TEXT NOT NULL,                       -- of src/contract/console/work.ts
  at INTEGER NOT NULL,
  ended_at INTEGER,                         -- when the investor wrote
  investor TEXT NOT NULL REFERENCES users (id),
  operator TEXT NOT NULL REFERENCES users (id),
  thread TEXT NOT NULL REFERENCES contact_messages (id) ON DELETE CASCADE,
  PRIMARY KEY (case_id, kind, at),
  CHECK (ended_at >= at)
) STRICT, WITHOUT ROWID;
-- A second question waits for the answer to the first.
CREATE UNIQUE INDEX case_holds_one_open ON case_holds (case_id, kind) WHERE ended_at IS NULL;
CREATE INDEX case_holds_open ON case_holds (investor) WHERE ended_at IS NULL;
CREATE INDEX case_holds_by_thread ON case_holds (thread);
-- For the person's own download.
CREATE INDEX case_holds_by_investor ON case_holds (investor, at, case_id);

-- Who began the thread: an operator who asked, or null for its writer.
ALTER TABLE contact_messages ADD COLUMN asked_by TEXT REFERENCES users (id);

-- Overdue cases that were mailed, each once for each time that it waits.
CREATE TABLE overdue_mails (
  kind TEXT NOT NULL,
  case_id TEXT NOT NULL,
  since INTEGER NOT NULL,
  at INTEGER NOT NULL,
  PRIMARY KEY (kind, case_id, since)
) STRICT;
CREATE INDEX overdue_mails_by_time ON overdue_mails (at);
