-- Market data: what the provider last said, and the daily candles that strategies trade on.

CREATE TABLE market_snapshots (
  name TEXT PRIMARY KEY CHECK (name IN ('coins', 'trending')),
  body TEXT NOT NULL,
  source TEXT NOT NULL,
  at INTEGER NOT NULL,
  -- By coin: prices that the provider gave and that were not accepted yet. The list still has the last accepted ones.
  held TEXT NOT NULL DEFAULT '{}' CHECK (json_valid(held))
) STRICT;

-- When each list is requested again, and how recent requests went.
CREATE TABLE market_feeds (
  name TEXT PRIMARY KEY CHECK (name IN ('coins', 'trending', 'series')),
  -- No request before this time. Whoever moves it forward makes the request.
  due_at INTEGER NOT NULL,
  failures INTEGER NOT NULL DEFAULT 0 CHECK (failures >= 0),
  -- When a request was last made early, after a failure.
  hurried_at INTEGER NOT NULL DEFAULT 0,
  -- What was wrong with the last answer, or how many rows were dropped.
  finding TEXT
) STRICT;

-- A week of prices of each trending coin, oldest first, for its sparkline.
CREATE TABLE market_series (
  coin TEXT PRIMARY KEY,
  prices TEXT NOT NULL CHECK (json_valid(prices)),
  at INTEGER NOT NULL
) STRICT;

-- Pictures of coins. Without a type: the picture could not be fetched.
CREATE TABLE market_pictures (
  coin TEXT PRIMARY KEY,
  type TEXT,
  tried_at INTEGER NOT NULL
) STRICT;

-- Daily candles. A closed candle never changes and follows the day before it without a gap, so that every book made from
-- them can be made again.
CREATE TABLE candles (
  market TEXT NOT NULL,                     -- source: simulated, kraken, coinbase
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

-- Today's unfinished candle: its open and the last price.
CREATE TABLE current_candles (
  market TEXT NOT NULL,
  asset TEXT NOT NULL,
  day INTEGER NOT NULL CHECK (day >= 0 AND day % 86400000 = 0),
  open REAL NOT NULL CHECK (open > 0 AND open < 1e15),
  last REAL NOT NULL CHECK (last > 0 AND last < 1e15),
  at INTEGER NOT NULL,                      -- when the last price was received
  PRIMARY KEY (market, asset)
) STRICT, WITHOUT ROWID;

-- When each market is requested.
CREATE TABLE candle_feeds (
  market TEXT PRIMARY KEY,
  due_at INTEGER NOT NULL,
  failures INTEGER NOT NULL DEFAULT 0,      -- since the last success
  lacking_since INTEGER,                    -- since when closed candles are missing
  finding TEXT,                             -- of the last answer
  held TEXT NOT NULL DEFAULT '{}' CHECK (json_valid(held))  -- by asset: prices that jumped and were seen only once
) STRICT, WITHOUT ROWID;
