-- Every notification that an investor received. `notifications` has the one that the overview shows.
CREATE TABLE received_notifications (
  seq INTEGER PRIMARY KEY AUTOINCREMENT,
  id TEXT NOT NULL UNIQUE,
  user_id TEXT NOT NULL REFERENCES users (id),
  title TEXT NOT NULL,
  content TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  seen_at INTEGER                           -- when its reader dismissed it or saw it in the list
) STRICT;
CREATE INDEX received_notifications_by_user ON received_notifications (user_id, created_at, seq);
CREATE INDEX received_notifications_unseen ON received_notifications (user_id) WHERE seen_at IS NULL;
