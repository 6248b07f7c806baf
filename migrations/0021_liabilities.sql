-- What is owed to investors, published each day as the root of a tree of hashes and sums.

CREATE TABLE liability_days (
  day TEXT PRIMARY KEY,                     -- 2026-01-31, in UTC
  at INTEGER NOT NULL,                      -- when the balances were read, all at once
  investors INTEGER NOT NULL CHECK (investors > 0),
  total INTEGER NOT NULL CHECK (total >= 0),  -- cents
  secret TEXT,                              -- what the salts are derived from; none once the leaves are gone
  root TEXT,
  published_at INTEGER,
  CHECK ((root IS NULL) = (published_at IS NULL))
) STRICT;
CREATE TRIGGER liability_days_stay_published BEFORE UPDATE ON liability_days
WHEN OLD.published_at IS NOT NULL
BEGIN
  SELECT RAISE(ABORT, 'liabilities: what was published stays')
    WHERE NEW.day IS NOT OLD.day OR NEW.at IS NOT OLD.at OR NEW.investors IS NOT OLD.investors OR NEW.total IS NOT OLD.total
      OR NEW.root IS NOT OLD.root OR NEW.published_at IS NOT OLD.published_at
      OR (NEW.secret IS NOT NULL AND NEW.secret IS NOT OLD.secret);
END;
CREATE TRIGGER liability_days_keep_published BEFORE DELETE ON liability_days
WHEN OLD.published_at IS NOT NULL
BEGIN
  SELECT RAISE(ABORT, 'liabilities: what was published stays');
END;
CREATE TRIGGER liability_days_never_replace BEFORE INSERT ON liability_days
BEGIN
  SELECT RAISE(ABORT, 'liabilities: what was published stays')
    WHERE EXISTS (SELECT 1 FROM liability_days WHERE day = NEW.day AND published_at IS NOT NULL);
END;

-- Who is in the tree with how much; kept for the newest day only.
CREATE TABLE liability_leaves (
  day TEXT NOT NULL REFERENCES liability_days (day),
  investor TEXT NOT NULL REFERENCES users (id),
  balance INTEGER NOT NULL CHECK (balance > 0),
  position INTEGER,                         -- in the order of the hashes, which says nothing of who it is
  PRIMARY KEY (investor, day)
) STRICT, WITHOUT ROWID;
CREATE INDEX liability_leaves_by_day ON liability_leaves (day, investor);

CREATE TABLE liability_nodes (
  day TEXT NOT NULL REFERENCES liability_days (day),
  level INTEGER NOT NULL,                   -- 0: leaves
  position INTEGER NOT NULL,
  hash TEXT NOT NULL,
  sum INTEGER NOT NULL CHECK (sum >= 0),
  PRIMARY KEY (day, level, position)
) STRICT, WITHOUT ROWID;
