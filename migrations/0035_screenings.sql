-- Which names and addresses of a case were compared with a sanctions list, and what was found. Erased with the person.
CREATE TABLE screenings (
  seq INTEGER PRIMARY KEY AUTOINCREMENT,
  subject TEXT NOT NULL,                    -- an identity submission, a deposit or a withdrawal
  investor TEXT NOT NULL REFERENCES users (id),
  names TEXT NOT NULL,                      -- JSON: the names that were compared
  payment TEXT,                             -- the payment whose sender was compared
  address TEXT,                             -- the address that was compared; null if none is known
  list TEXT NOT NULL,                       -- its name
  list_date TEXT,                           -- the date that the list gives itself
  list_hash TEXT NOT NULL,                  -- SHA-256 of the file
  list_version TEXT NOT NULL,               -- of the file in the bucket
  hits INTEGER NOT NULL CHECK (hits >= 0),
  matches TEXT NOT NULL,                    -- JSON: the first entries that may be meant
  at INTEGER NOT NULL
) STRICT;
CREATE INDEX screenings_by_subject ON screenings (subject, seq);
CREATE INDEX screenings_by_investor ON screenings (investor, seq);
CREATE TRIGGER screenings_no_update BEFORE UPDATE ON screenings BEGIN SELECT RAISE(ABORT, 'screenings: immutable'); END;
