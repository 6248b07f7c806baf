-- Stops of investors: each sells one position whole once a unit is worth a share less than the average cost of the units held. The
-- price that reaches a stop is never the price of its order: unit_orders_filed refuses an order before a valuation that exists.

CREATE TABLE position_stop_statuses (status TEXT PRIMARY KEY) STRICT, WITHOUT ROWID;
INSERT INTO position_stop_statuses VALUES ('active'), ('fired'), ('ended');

CREATE TABLE position_stops (
  seq INTEGER PRIMARY KEY AUTOINCREMENT,
  id TEXT NOT NULL UNIQUE,
  investor TEXT NOT NULL REFERENCES users (id),
  strategy TEXT NOT NULL REFERENCES strategies (slug),
  percent INTEGER NOT NULL CHECK (percent BETWEEN 1 AND 95), -- below the average cost
  status TEXT NOT NULL DEFAULT 'active' REFERENCES position_stop_statuses (status),
  created_at INTEGER NOT NULL,
  changed_at INTEGER NOT NULL,              -- only valuations after this count
  ended_at INTEGER,
  day INTEGER,                              -- of the open valuation that reached it
  unit_order TEXT UNIQUE REFERENCES unit_orders (id),
  refused TEXT,                             -- the code of the first refusal since its change: its owner was told
  refused_at INTEGER,                       -- the latest try that was refused
  CHECK ((status = 'active') = (ended_at IS NULL)),
  CHECK ((status = 'fired') = (unit_order IS NOT NULL)),
  CHECK ((status = 'fired') = (day IS NOT NULL)),
  CHECK ((refused IS NULL) = (refused_at IS NULL))
) STRICT;
CREATE UNIQUE INDEX position_stops_active ON position_stops (strategy, investor) WHERE status = 'active';
CREATE INDEX position_stops_oldest ON position_stops (strategy, changed_at) WHERE status = 'active';
CREATE INDEX position_stops_by_investor ON position_stops (investor, seq);

-- The days of a strategy whose price was compared with all stops. A day is compared once its orders are settled.
CREATE TABLE stop_checks (
  strategy TEXT NOT NULL REFERENCES strategies (slug),
  day INTEGER NOT NULL,
  at INTEGER NOT NULL,
  PRIMARY KEY (strategy, day)
) STRICT, WITHOUT ROWID;

-- The active stops that an open valuation reaches, by the units and their cost once its orders were settled. In REAL, because the
-- products exceed 64 bits.
CREATE VIEW reached_stops (stop, investor, strategy, day, unit_price, units, cost) AS
  SELECT p.id, p.investor, p.strategy, v.day, v.unit_price, h.units, h.cost
  FROM position_stops p
  JOIN valuations v ON v.strategy = p.strategy AND v.kind = 'open' AND v.day > p.changed_at
  JOIN unit_movements m ON m.seq = (
    SELECT seq FROM unit_movements
    WHERE investor = p.investor AND strategy = p.strategy AND day <= v.day ORDER BY seq DESC LIMIT 1)
  JOIN position_history h ON h.investor = p.investor AND h.strategy = p.strategy AND h.at = m.at AND h.seq = m.seq
  WHERE p.status = 'active' AND h.units > 0 AND v.unit_price * 1.0 * h.units * 100 <= h.cost * 1e10 * (100 - p.percent);

CREATE TRIGGER position_stops_set BEFORE INSERT ON position_stops
BEGIN
  SELECT RAISE(ABORT, 'position_stops: not active or already set')
    WHERE NEW.status <> 'active' OR EXISTS (SELECT 1 FROM position_stops WHERE id = NEW.id OR seq = NEW.seq);
  SELECT RAISE(ABORT, 'account_frozen')
    WHERE EXISTS (SELECT 1 FROM users WHERE id = NEW.investor AND frozen_at IS NOT NULL);
  SELECT RAISE(ABORT, 'insufficient_funds')
    WHERE NOT EXISTS (SELECT 1 FROM positions WHERE investor = NEW.investor AND strategy = NEW.strategy AND units > 0);
END;
CREATE TRIGGER position_stops_changed BEFORE UPDATE ON position_stops
BEGIN
  SELECT RAISE(ABORT, 'position_stops: immutable columns')
    WHERE NEW.seq IS NOT OLD.seq OR NEW.id IS NOT OLD.id OR NEW.investor IS NOT OLD.investor
      OR NEW.strategy IS NOT OLD.strategy OR NEW.created_at IS NOT OLD.created_at;
  SELECT RAISE(ABORT, 'already_decided') WHERE OLD.status <> 'active';
END;
-- The order of the same batch sells the whole position.
CREATE TRIGGER position_stops_fired BEFORE UPDATE ON position_stops
WHEN NEW.status = 'fired'
BEGIN
  SELECT RAISE(ABORT, 'position_stops: price above the stop')
    WHERE NOT EXISTS (SELECT 1 FROM reached_stops WHERE stop = OLD.id AND day = NEW.day);
  SELECT RAISE(ABORT, 'position_stops: order does not fit the stop')
    WHERE NOT EXISTS (
      SELECT 1 FROM unit_orders o
      WHERE o.id = NEW.unit_order AND o.investor = OLD.investor AND o.strategy = OLD.strategy AND o.cents IS NULL
        AND o.created_at = NEW.ended_at);
END;
CREATE TRIGGER position_stops_no_delete BEFORE DELETE ON position_stops BEGIN SELECT RAISE(ABORT, 'position_stops: never deleted'); END;

-- A stop ends with its position. Only a redemption takes the last unit.
CREATE TRIGGER positions_redeemed AFTER UPDATE OF units ON positions
WHEN NEW.units = 0
BEGIN
  UPDATE position_stops SET status = 'ended', ended_at = (SELECT at FROM unit_movements WHERE seq = NEW.last_movement)
    WHERE investor = NEW.investor AND strategy = NEW.strategy AND status = 'active';
END;

CREATE TRIGGER stop_checks_done BEFORE INSERT ON stop_checks
BEGIN
  SELECT RAISE(ABORT, 'stop_checks: already checked or day not settled')
    WHERE EXISTS (SELECT 1 FROM stop_checks WHERE strategy = NEW.strategy AND day = NEW.day)
      OR NOT EXISTS (SELECT 1 FROM pool_steps WHERE strategy = NEW.strategy AND day = NEW.day);
END;
CREATE TRIGGER stop_checks_no_update BEFORE UPDATE ON stop_checks BEGIN SELECT RAISE(ABORT, 'stop_checks: immutable'); END;
CREATE TRIGGER stop_checks_no_delete BEFORE DELETE ON stop_checks BEGIN SELECT RAISE(ABORT, 'stop_checks: never deleted'); END;
