-- Notes from one shift of operators to the next. They are deleted after 90 days.

CREATE TABLE handover_notes (
  seq INTEGER PRIMARY KEY AUTOINCREMENT,
  id TEXT NOT NULL UNIQUE,
  author TEXT NOT NULL,                     -- an operator
  at INTEGER NOT NULL,
  text TEXT NOT NULL CHECK (length(text) BETWEEN 1 AND 2000)
) STRICT;
CREATE INDEX handover_notes_by_time ON handover_notes (at);

-- Who has read which note. The author counts as a reader without a row.
CREATE TABLE handover_reads (
  note TEXT NOT NULL REFERENCES handover_notes (id) ON DELETE CASCADE,
  operator TEXT NOT NULL,
  at INTEGER NOT NULL,
  PRIMARY KEY (note, operator)
) STRICT;
