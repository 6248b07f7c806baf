-- How an investor's sales of a year are matched with purchases. It is fixed before the first report of the year, and never changes.
CREATE TABLE gain_years (
  investor TEXT NOT NULL REFERENCES users (id),
  year INTEGER NOT NULL CHECK (year BETWEEN 2020 AND 2099),  -- UTC
  method TEXT NOT NULL CHECK (method IN ('fifo', 'average', 'chosen')),
  holding_days INTEGER NOT NULL CHECK (holding_days BETWEEN 0 AND 3650),
  choices TEXT NOT NULL DEFAULT '{}' CHECK (json_valid(choices)),  -- the lots of each sale, for `chosen`
  at INTEGER NOT NULL,
  CHECK (method = 'chosen' OR choices = '{}'),
  PRIMARY KEY (investor, year)
) STRICT, WITHOUT ROWID;

-- The lots that a year begins with follow from the years before it. So a year cannot be fixed after a later one.
CREATE TRIGGER gain_years_in_order BEFORE INSERT ON gain_years
BEGIN
  SELECT RAISE(ABORT, 'conflict')
    WHERE EXISTS (SELECT 1 FROM gain_years WHERE investor = NEW.investor AND year >= NEW.year);
END;
CREATE TRIGGER gain_years_no_update BEFORE UPDATE ON gain_years BEGIN SELECT RAISE(ABORT, 'gain_years: immutable'); END;
CREATE TRIGGER gain_years_no_delete BEFORE DELETE ON gain_years BEGIN SELECT RAISE(ABORT, 'gain_years: never deleted'); END;
