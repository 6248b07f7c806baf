-- Investors are found by how their name, one of its words, or their number begins: a range of an index each.
CREATE INDEX users_by_display_name ON users (lower(display_name)) WHERE role = 'investor';
CREATE INDEX users_by_fullname ON users (lower(fullname)) WHERE role = 'investor';
CREATE INDEX users_by_further_names ON users (lower(substr(fullname, instr(fullname, ' ') + 1))) WHERE role = 'investor';
-- What is left once everything up to the last space is taken off.
CREATE INDEX users_by_last_name ON users (lower(replace(fullname, rtrim(fullname, replace(fullname, ' ', '')), '')))
  WHERE role = 'investor';
CREATE INDEX users_by_phone ON users (replace(phone, ' ', '')) WHERE role = 'investor';

-- What the list is narrowed to.
CREATE INDEX users_frozen ON users (seq) WHERE role = 'investor' AND frozen_at IS NOT NULL;
CREATE INDEX users_closed ON users (seq) WHERE role = 'investor' AND closed_at IS NOT NULL;
CREATE INDEX users_by_identity ON users (kyc_status, seq) WHERE role = 'investor';

-- What operators write down about an investor, for one another. It stays as it was written until the person is erased.
CREATE TABLE investor_notes (
  seq INTEGER PRIMARY KEY AUTOINCREMENT,
  id TEXT NOT NULL UNIQUE,
  investor TEXT NOT NULL REFERENCES users (id),
  author TEXT NOT NULL REFERENCES users (id),
  at INTEGER NOT NULL,
  text TEXT NOT NULL CHECK (length(text) BETWEEN 1 AND 2000)
) STRICT;
CREATE INDEX investor_notes_by_investor ON investor_notes (investor, seq);
CREATE TRIGGER investor_notes_written BEFORE INSERT ON investor_notes
BEGIN
  SELECT RAISE(ABORT, 'notes: one is written once')
    WHERE EXISTS (SELECT 1 FROM investor_notes WHERE id = NEW.id OR seq = NEW.seq);
  SELECT RAISE(ABORT, 'notes: an operator writes about an investor')
    WHERE NOT EXISTS (SELECT 1 FROM users WHERE id = NEW.author AND role = 'operator' AND disabled_at IS NULL)
      OR NOT EXISTS (SELECT 1 FROM users WHERE id = NEW.investor AND role = 'investor' AND erased_at IS NULL);
END;
CREATE TRIGGER investor_notes_never_change BEFORE UPDATE ON investor_notes
BEGIN
  SELECT RAISE(ABORT, 'notes: what was written stays');
END;
CREATE TRIGGER investor_notes_keep BEFORE DELETE ON investor_notes
WHEN (SELECT erased_at FROM users WHERE id = OLD.investor) IS NULL
BEGIN
  SELECT RAISE(ABORT, 'notes: one goes with the person it is about');
END;
