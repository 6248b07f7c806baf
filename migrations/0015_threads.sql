-- A message becomes a thread: what the person wrote, and what operators replied by mail.

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

