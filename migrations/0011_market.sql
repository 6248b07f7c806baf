-- When each list of the market is asked for again, and how the last tries went.
CREATE TABLE market_feeds (
  name TEXT PRIMARY KEY CHECK (name IN ('coins', 'trending', 'series')),
  -- Nobody asks before. Whoever moves it on asks.
  due_at INTEGER NOT NULL,
  failures INTEGER NOT NULL DEFAULT 0 CHECK (failures >= 0),
  -- When a try was last made sooner than the list is due, after a failure.
  hurried_at INTEGER NOT NULL DEFAULT 0,
  -- What was wrong with the last answer, or how many of its rows were dropped.
  finding TEXT
) STRICT;

-- Prices in the list that are still the last believed ones, by coin: what the provider last said instead.
ALTER TABLE market_snapshots ADD COLUMN held TEXT NOT NULL DEFAULT '{}' CHECK (json_valid(held));

-- A week of prices of each coin that trends, oldest first, for its sparkline.
CREATE TABLE market_series (
  coin TEXT PRIMARY KEY,
  prices TEXT NOT NULL CHECK (json_valid(prices)),
  at INTEGER NOT NULL
) STRICT;

-- Pictures of coins that were fetched from the provider; without a type, one that could not be had.
CREATE TABLE market_pictures (
  coin TEXT PRIMARY KEY,
  type TEXT,
  tried_at INTEGER NOT NULL
) STRICT;
