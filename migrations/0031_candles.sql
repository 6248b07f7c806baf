-- Daily bars of what strategies trade. A closed bar never changes and each follows on the day before, so that books which
-- were made from it can be made again, and no market has a hole.

CREATE TABLE candles (
  market TEXT NOT NULL,                     -- who told it: simulated, kraken, coinbase
  asset TEXT NOT NULL,
  day INTEGER NOT NULL CHECK (day >= 0 AND day % 86400000 = 0),  -- epoch milliseconds of its open, 00:00 UTC
  open REAL NOT NULL,
  high REAL NOT NULL CHECK (high < 1e15),
  low REAL NOT NULL CHECK (low > 0),
  close REAL NOT NULL,
  volume REAL NOT NULL CHECK (volume >= 0 AND volume < 1e18),  -- in units of the asset
  PRIMARY KEY (market, asset, day),
  CHECK (low <= open AND low <= close AND high >= open AND high >= close)
) STRICT, WITHOUT ROWID;

CREATE TRIGGER candles_follow BEFORE INSERT ON candles
WHEN EXISTS (SELECT 1 FROM candles WHERE market = NEW.market AND asset = NEW.asset)
BEGIN
  SELECT RAISE(ABORT, 'candle_gap') WHERE NOT EXISTS (
    SELECT 1 FROM candles WHERE market = NEW.market AND asset = NEW.asset AND day = NEW.day - 86400000);
  SELECT RAISE(ABORT, 'candle_stored') WHERE EXISTS (
    SELECT 1 FROM candles WHERE market = NEW.market AND asset = NEW.asset AND day = NEW.day);
END;

CREATE TRIGGER candles_unchanged BEFORE UPDATE ON candles
BEGIN
  SELECT RAISE(ABORT, 'candle_stored');
END;

CREATE TRIGGER candles_kept BEFORE DELETE ON candles
BEGIN
  SELECT RAISE(ABORT, 'candle_stored');
END;

-- The bar of the day that is going on: what it opened at, and what was paid last.
CREATE TABLE current_candles (
  market TEXT NOT NULL,
  asset TEXT NOT NULL,
  day INTEGER NOT NULL CHECK (day >= 0 AND day % 86400000 = 0),
  open REAL NOT NULL CHECK (open > 0 AND open < 1e15),
  last REAL NOT NULL CHECK (last > 0 AND last < 1e15),
  at INTEGER NOT NULL,                      -- when the last price was told
  PRIMARY KEY (market, asset)
) STRICT, WITHOUT ROWID;

-- When each market is asked for its bars.
CREATE TABLE candle_feeds (
  market TEXT PRIMARY KEY,
  due_at INTEGER NOT NULL,
  failures INTEGER NOT NULL DEFAULT 0,      -- since it last answered
  lacking_since INTEGER,                    -- since when bars that have closed are not here
  finding TEXT,                             -- of the last answer
  held TEXT NOT NULL DEFAULT '{}' CHECK (json_valid(held))  -- prices that jumped and were told once only, by asset
) STRICT, WITHOUT ROWID;
