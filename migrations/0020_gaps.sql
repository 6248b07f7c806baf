-- Why a strategy's day went otherwise than its test: the live return minus the test's, and the parts of the difference
-- (docs/decisions/0035). Returns and parts are in 10⁻⁶ of a basis point.
CREATE TABLE gaps (
  strategy TEXT NOT NULL REFERENCES strategies (slug),
  day INTEGER NOT NULL,                     -- 00:00 UTC, epoch milliseconds
  live INTEGER NOT NULL,                    -- of a unit, from close to close
  test INTEGER NOT NULL,                    -- of the model
  price INTEGER NOT NULL,
  slippage INTEGER NOT NULL,
  fees INTEGER NOT NULL,
  cash_drag INTEGER NOT NULL,
  missed INTEGER NOT NULL,
  rounding INTEGER NOT NULL,
  unexplained INTEGER NOT NULL,
  -- Only for operators: they depend on what investors paid in and took out.
  pool TEXT,                                -- JSON: the pool's own difference in micro-USD and its parts; null: it was empty
  carried TEXT NOT NULL,                    -- JSON: by part, what the pool lost and the unit price has not shown, in micro-USD
  PRIMARY KEY (strategy, day)
) STRICT, WITHOUT ROWID;                    -- REPLACE on a rowid table would delete a row without firing its triggers

CREATE TRIGGER gaps_explained BEFORE INSERT ON gaps
BEGIN
  SELECT RAISE(ABORT, 'gaps: already explained or day not closed')
    WHERE EXISTS (SELECT 1 FROM gaps WHERE strategy = NEW.strategy AND day = NEW.day)
      OR NOT EXISTS (SELECT 1 FROM valuations WHERE strategy = NEW.strategy AND day = NEW.day AND kind = 'close')
      OR EXISTS (SELECT 1 FROM valuations WHERE strategy = NEW.strategy AND day > NEW.day);
  SELECT RAISE(ABORT, 'gaps: parts differ from the difference')
    WHERE abs(NEW.live - NEW.test - NEW.price - NEW.slippage - NEW.fees - NEW.cash_drag - NEW.missed - NEW.rounding
      - NEW.unexplained) > 10000;
END;
