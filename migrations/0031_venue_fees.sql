-- The taker fee that a venue charges our account, as it last said. docs/decisions/0034-trading-at-exchanges.md
CREATE TABLE venue_fees (
  venue TEXT PRIMARY KEY,
  taker_millionths INTEGER NOT NULL CHECK (taker_millionths >= 0), -- of an order's value
  asked_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
