-- Strategies: pools of which investors own units. Money in integer cents, pools in micro-USD, units in 10⁻⁶ of one, prices in
-- micro-USD for one unit, assets in 10⁻⁸ of one.
--
-- Where a product passes 64 bits, ⌊a × b ÷ c⌋ is divided digit by digit in base 4096, which stays exact while a < 2⁵³ and b, c ≤
-- 10¹⁵. What must come with a row comes by itself: an order sets its money aside, a movement of units settles its order, moves the
-- pool and posts to the ledger, a fill moves the pool. So nothing can be left out.

CREATE TABLE strategies (
  slug TEXT PRIMARY KEY,
  definition TEXT NOT NULL,                 -- JSON: all that decides what it does
  hash TEXT NOT NULL,                       -- SHA-256 of the definition
  market TEXT NOT NULL,
  minimum INTEGER NOT NULL,                 -- cents: the least that somebody starts with
  status TEXT NOT NULL DEFAULT 'active',
  started_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;                    -- here and below: a replaced rowid would delete a row in silence

CREATE TABLE strategy_events (
  seq INTEGER PRIMARY KEY AUTOINCREMENT,
  strategy TEXT NOT NULL REFERENCES strategies (slug),
  at INTEGER NOT NULL,
  kind TEXT NOT NULL CHECK (kind IN ('started', 'suspended', 'resumed', 'stopped')),
  reason TEXT,
  actor TEXT NOT NULL
) STRICT;
CREATE INDEX strategy_events_by_strategy ON strategy_events (strategy, seq);

CREATE TABLE pools (
  strategy TEXT PRIMARY KEY REFERENCES strategies (slug),
  cash INTEGER NOT NULL DEFAULT 0,          -- micro-USD; below zero within a day's step only
  units INTEGER NOT NULL DEFAULT 0,         -- 10⁻⁶, all that investors hold
  last_entry INTEGER NOT NULL DEFAULT 0
) STRICT, WITHOUT ROWID;

CREATE TABLE pool_holdings (
  strategy TEXT NOT NULL REFERENCES pools (strategy),
  asset TEXT NOT NULL,
  quantity INTEGER NOT NULL DEFAULT 0,      -- 10⁻⁸
  last_entry INTEGER NOT NULL DEFAULT 0,
  PRIMARY KEY (strategy, asset)
) STRICT, WITHOUT ROWID;

-- A strategy starts with an empty pool for what its definition trades.
CREATE TRIGGER strategies_start BEFORE INSERT ON strategies
BEGIN
  SELECT RAISE(ABORT, 'strategies: one starts once, active')
    WHERE NEW.status <> 'active' OR EXISTS (SELECT 1 FROM strategies WHERE slug = NEW.slug);
  SELECT RAISE(ABORT, 'strategies: a name has small letters, digits and hyphens, a definition its assets and hash')
    WHERE NEW.slug = '' OR NEW.slug GLOB '*[^a-z0-9-]*' OR NEW.hash = '' OR NEW.market = ''
      OR NOT json_valid(NEW.definition) OR json_type(NEW.definition, '$.assets') IS NOT 'array'
      OR NEW.minimum NOT BETWEEN 100 AND 1000000000000;
END;
CREATE TRIGGER strategies_started AFTER INSERT ON strategies
BEGIN
  INSERT INTO strategy_events (strategy, at, kind, actor) VALUES (NEW.slug, NEW.started_at, 'started', 'system');
  INSERT INTO pools (strategy) VALUES (NEW.slug);
  INSERT INTO pool_holdings (strategy, asset) SELECT NEW.slug, value FROM json_each(NEW.definition, '$.assets');
  SELECT RAISE(ABORT, 'strategies: one starts with its pool')
    WHERE NOT EXISTS (SELECT 1 FROM pools WHERE strategy = NEW.slug)
      OR (SELECT count(*) FROM pool_holdings WHERE strategy = NEW.slug) <> json_array_length(NEW.definition, '$.assets');
END;
CREATE TRIGGER strategies_follow_events BEFORE UPDATE ON strategies
BEGIN
  SELECT RAISE(ABORT, 'strategies: what one is never changes')
    WHERE NEW.slug IS NOT OLD.slug OR NEW.definition IS NOT OLD.definition OR NEW.hash IS NOT OLD.hash
      OR NEW.market IS NOT OLD.market OR NEW.minimum IS NOT OLD.minimum OR NEW.started_at IS NOT OLD.started_at;
  SELECT RAISE(ABORT, 'strategies: only an event changes a status')
    WHERE NEW.status IS NOT (
      SELECT CASE kind WHEN 'suspended' THEN 'suspended' WHEN 'stopped' THEN 'stopped' ELSE 'active' END
      FROM strategy_events WHERE strategy = OLD.slug ORDER BY seq DESC LIMIT 1);
END;
CREATE TRIGGER strategies_keep BEFORE DELETE ON strategies
BEGIN
  SELECT RAISE(ABORT, 'strategies: one is never deleted');
END;

CREATE TRIGGER strategy_events_valid BEFORE INSERT ON strategy_events
BEGIN
  SELECT RAISE(ABORT, 'strategies: an event is written once')
    WHERE EXISTS (SELECT 1 FROM strategy_events WHERE seq = NEW.seq);
  SELECT RAISE(ABORT, 'conflict')
    WHERE NOT EXISTS (
      SELECT 1 FROM strategies s WHERE s.slug = NEW.strategy AND CASE NEW.kind
        WHEN 'started' THEN NOT EXISTS (SELECT 1 FROM strategy_events WHERE strategy = NEW.strategy)
        WHEN 'suspended' THEN s.status = 'active'
        WHEN 'resumed' THEN s.status = 'suspended'
        WHEN 'stopped' THEN s.status IN ('active', 'suspended')
        ELSE 0 END);
END;
CREATE TRIGGER strategy_events_apply AFTER INSERT ON strategy_events
WHEN NEW.kind <> 'started'
BEGIN
  UPDATE strategies SET status = CASE NEW.kind WHEN 'resumed' THEN 'active' ELSE NEW.kind END WHERE slug = NEW.strategy;
  SELECT RAISE(ABORT, 'strategies: the status did not follow')
    WHERE (SELECT status FROM strategies WHERE slug = NEW.strategy)
      IS NOT CASE NEW.kind WHEN 'resumed' THEN 'active' ELSE NEW.kind END;
END;
CREATE TRIGGER strategy_events_never_change BEFORE UPDATE ON strategy_events
BEGIN
  SELECT RAISE(ABORT, 'strategies: events never change');
END;
CREATE TRIGGER strategy_events_keep BEFORE DELETE ON strategy_events
BEGIN
  SELECT RAISE(ABORT, 'strategies: events are never deleted');
END;

-- What a unit is worth: at a day's open, by which orders are settled, and at its close. Each row names the hash of the one before,
-- the first one the definition's.
CREATE TABLE valuations (
  strategy TEXT NOT NULL REFERENCES strategies (slug),
  day INTEGER NOT NULL,                     -- 00:00 UTC, epoch milliseconds
  kind TEXT NOT NULL CHECK (kind IN ('open', 'close')),
  unit_price INTEGER NOT NULL,              -- micro-USD for one unit
  issue_price INTEGER,                      -- at an open: with the costs that a newcomer causes
  redeem_price INTEGER,                     -- likewise, less those that somebody who leaves causes
  net_value INTEGER NOT NULL,               -- micro-USD
  units INTEGER NOT NULL,
  weights TEXT NOT NULL,                    -- JSON: the share of each asset
  recorded_at INTEGER NOT NULL,
  previous TEXT NOT NULL,
  hash TEXT NOT NULL,
  PRIMARY KEY (strategy, day, kind)
) STRICT, WITHOUT ROWID;
CREATE TRIGGER valuations_chained BEFORE INSERT ON valuations
BEGIN
  SELECT RAISE(ABORT, 'valuations: each is recorded once, in the order of days')
    WHERE NEW.kind NOT IN ('open', 'close') OR NEW.day % 86400000 <> 0 OR EXISTS (
      SELECT 1 FROM valuations WHERE strategy = NEW.strategy
        AND (day > NEW.day OR (day = NEW.day AND (kind = 'close' OR NEW.kind = 'open'))));
  SELECT RAISE(ABORT, 'valuations: none is recorded before its time')
    WHERE NEW.recorded_at < NEW.day + CASE NEW.kind WHEN 'close' THEN 86400000 ELSE 0 END;
  SELECT RAISE(ABORT, 'valuations: the chain of hashes goes on')
    WHERE NEW.hash = '' OR NEW.previous IS NOT coalesce(
      (SELECT hash FROM valuations WHERE strategy = NEW.strategy ORDER BY day DESC, kind LIMIT 1),
      (SELECT hash FROM strategies WHERE slug = NEW.strategy));
  SELECT RAISE(ABORT, 'valuations: a price is above zero')
    WHERE NEW.unit_price NOT BETWEEN 1 AND 1000000000000 OR CASE NEW.kind
      WHEN 'open' THEN coalesce(
        NEW.redeem_price NOT BETWEEN 1 AND NEW.unit_price OR NEW.issue_price NOT BETWEEN NEW.unit_price AND 1000000000000, 1)
      ELSE NEW.redeem_price IS NOT NULL OR NEW.issue_price IS NOT NULL END;
  SELECT RAISE(ABORT, 'valuations: the price is what the pool is worth by its units')
    WHERE NEW.units IS NOT (SELECT units FROM pools WHERE strategy = NEW.strategy)
      OR NEW.net_value NOT BETWEEN 0 AND 9007199254740991
      OR (NEW.units > 0 AND NEW.unit_price IS NOT
        (SELECT q * 4096 + (r * 4096 + (NEW.net_value & 4095) * 1000000) / NEW.units
          FROM (SELECT q * 4096 + n / NEW.units AS q, n % NEW.units AS r
          FROM (SELECT q, r * 4096 + ((NEW.net_value >> 12) & 4095) * 1000000 AS n
          FROM (SELECT q * 4096 + n / NEW.units AS q, n % NEW.units AS r
          FROM (SELECT q, r * 4096 + ((NEW.net_value >> 24) & 4095) * 1000000 AS n
          FROM (SELECT n / NEW.units AS q, n % NEW.units AS r FROM (SELECT (NEW.net_value >> 36) * 1000000 AS n))))))));
  SELECT RAISE(ABORT, 'valuations: the step of an earlier day is not done')
    WHERE EXISTS (
      SELECT 1 FROM valuations v WHERE v.strategy = NEW.strategy AND v.kind = 'open'
        AND v.day = (SELECT max(day) FROM valuations WHERE strategy = NEW.strategy AND kind = 'open')
        AND NOT EXISTS (SELECT 1 FROM pool_steps s WHERE s.strategy = v.strategy AND s.day = v.day));
END;
CREATE TRIGGER valuations_never_change BEFORE UPDATE ON valuations
BEGIN
  SELECT RAISE(ABORT, 'valuations: none ever changes');
END;
CREATE TRIGGER valuations_keep BEFORE DELETE ON valuations
BEGIN
  SELECT RAISE(ABORT, 'valuations: none is ever deleted');
END;

-- A day's step is done: all that was ordered before it is settled, and nothing is bought on credit.
CREATE TABLE pool_steps (
  strategy TEXT NOT NULL REFERENCES pools (strategy),
  day INTEGER NOT NULL,
  at INTEGER NOT NULL,
  PRIMARY KEY (strategy, day)
) STRICT, WITHOUT ROWID;
CREATE TRIGGER pool_steps_done BEFORE INSERT ON pool_steps
BEGIN
  SELECT RAISE(ABORT, 'pools: a step is done once, on what its day was opened with')
    WHERE EXISTS (SELECT 1 FROM pool_steps WHERE strategy = NEW.strategy AND day = NEW.day)
      OR NOT EXISTS (SELECT 1 FROM valuations WHERE strategy = NEW.strategy AND day = NEW.day AND kind = 'open');
  SELECT RAISE(ABORT, 'pools: an order of this step waits')
    WHERE EXISTS (
      SELECT 1 FROM unit_orders WHERE strategy = NEW.strategy AND status = 'pending' AND created_at < NEW.day);
  SELECT RAISE(ABORT, 'pools: more was bought than there is cash for')
    WHERE NOT EXISTS (SELECT 1 FROM pools WHERE strategy = NEW.strategy AND cash >= 0);
END;
CREATE TRIGGER pool_steps_never_change BEFORE UPDATE ON pool_steps
BEGIN
  SELECT RAISE(ABORT, 'pools: a step never changes');
END;
CREATE TRIGGER pool_steps_keep BEFORE DELETE ON pool_steps
BEGIN
  SELECT RAISE(ABORT, 'pools: a step is never deleted');
END;

-- What is shown between two valuations; one row each, made anew each hour.
CREATE TABLE displays (
  strategy TEXT PRIMARY KEY REFERENCES strategies (slug),
  at INTEGER NOT NULL,
  unit_price INTEGER NOT NULL CHECK (unit_price > 0)
) STRICT, WITHOUT ROWID;

-- What was sent to the broker, and what it did.
CREATE TABLE pool_orders (
  seq INTEGER PRIMARY KEY AUTOINCREMENT,
  id TEXT NOT NULL UNIQUE,
  strategy TEXT NOT NULL,
  day INTEGER NOT NULL,
  asset TEXT NOT NULL,
  side TEXT NOT NULL CHECK (side IN ('buy', 'sell')),
  quantity INTEGER NOT NULL CHECK (quantity > 0),
  at INTEGER NOT NULL,
  FOREIGN KEY (strategy, asset) REFERENCES pool_holdings (strategy, asset)
) STRICT;
CREATE INDEX pool_orders_by_strategy ON pool_orders (strategy, day, seq);
CREATE TRIGGER pool_orders_placed BEFORE INSERT ON pool_orders
BEGIN
  SELECT RAISE(ABORT, 'pools: an order is placed once')
    WHERE EXISTS (SELECT 1 FROM pool_orders WHERE id = NEW.id OR seq = NEW.seq) OR NEW.quantity <= 0;
  SELECT RAISE(ABORT, 'pools: an order belongs to a day that has opened and not closed')
    WHERE NOT EXISTS (SELECT 1 FROM valuations WHERE strategy = NEW.strategy AND day = NEW.day AND kind = 'open')
      OR EXISTS (SELECT 1 FROM valuations WHERE strategy = NEW.strategy AND day = NEW.day AND kind = 'close');
END;
CREATE TRIGGER pool_orders_never_change BEFORE UPDATE ON pool_orders
BEGIN
  SELECT RAISE(ABORT, 'pools: orders never change');
END;
CREATE TRIGGER pool_orders_keep BEFORE DELETE ON pool_orders
BEGIN
  SELECT RAISE(ABORT, 'pools: orders are never deleted');
END;

CREATE TABLE pool_fills (
  seq INTEGER PRIMARY KEY AUTOINCREMENT,
  id TEXT NOT NULL UNIQUE,
  pool_order TEXT NOT NULL REFERENCES pool_orders (id),
  quantity INTEGER NOT NULL CHECK (quantity > 0),  -- 10⁻⁸
  price REAL NOT NULL CHECK (price > 0),    -- USD for one, slippage included
  fee INTEGER NOT NULL CHECK (fee >= 0),    -- micro-USD
  slippage INTEGER NOT NULL CHECK (slippage >= 0),  -- micro-USD, what the worse price cost
  cash INTEGER NOT NULL,                    -- micro-USD, fee included: below zero for what was bought
  at INTEGER NOT NULL
) STRICT;
CREATE INDEX pool_fills_by_order ON pool_fills (pool_order);
CREATE TRIGGER pool_fills_valid BEFORE INSERT ON pool_fills
BEGIN
  SELECT RAISE(ABORT, 'pools: a fill is written once')
    WHERE EXISTS (SELECT 1 FROM pool_fills WHERE id = NEW.id OR seq = NEW.seq);
  SELECT RAISE(ABORT, 'pools: a fill is of an order, and no more than it')
    WHERE NEW.quantity <= 0 OR NEW.price <= 0 OR NEW.fee < 0 OR NEW.slippage < 0 OR NOT EXISTS (
      SELECT 1 FROM pool_orders o WHERE o.id = NEW.pool_order
        AND CASE o.side WHEN 'buy' THEN NEW.cash <= -NEW.fee ELSE NEW.cash >= -NEW.fee END
        AND NEW.quantity + (SELECT coalesce(sum(quantity), 0) FROM pool_fills WHERE pool_order = o.id) <= o.quantity);
END;
CREATE TRIGGER pool_fills_never_change BEFORE UPDATE ON pool_fills
BEGIN
  SELECT RAISE(ABORT, 'pools: fills never change');
END;
CREATE TRIGGER pool_fills_keep BEFORE DELETE ON pool_fills
BEGIN
  SELECT RAISE(ABORT, 'pools: fills are never deleted');
END;

-- What investors ask for: money into units or back, at the first open after it was asked.
CREATE TABLE unit_orders (
  seq INTEGER PRIMARY KEY AUTOINCREMENT,
  id TEXT NOT NULL UNIQUE,
  ref TEXT NOT NULL UNIQUE,
  investor TEXT NOT NULL REFERENCES users (id),
  strategy TEXT NOT NULL REFERENCES strategies (slug),
  kind TEXT NOT NULL CHECK (kind IN ('allocate', 'redeem')),
  cents INTEGER,                            -- null: all of it
  status TEXT NOT NULL DEFAULT 'pending',
  created_at INTEGER NOT NULL,
  decided_at INTEGER,
  decided_by TEXT,                          -- who cancelled it; 'system' settles
  day INTEGER,                              -- of the valuation by which it was settled
  onward TEXT,                              -- JSON: the withdrawal that the proceeds are for, until it is filed or cannot be
  onward_at INTEGER,                        -- when that was
  withdrawal TEXT REFERENCES requests (id)
) STRICT;
CREATE INDEX unit_orders_by_investor ON unit_orders (investor, seq);
CREATE INDEX unit_orders_by_strategy ON unit_orders (investor, strategy, seq);
CREATE INDEX unit_orders_open ON unit_orders (strategy, created_at) WHERE status = 'pending';
CREATE INDEX unit_orders_open_of ON unit_orders (investor, kind, strategy, cents) WHERE status = 'pending';
CREATE INDEX unit_orders_onward ON unit_orders (seq) WHERE onward IS NOT NULL AND onward_at IS NULL AND status = 'settled';

CREATE TRIGGER unit_orders_filed BEFORE INSERT ON unit_orders
BEGIN
  SELECT RAISE(ABORT, 'orders: one is filed once, as pending')
    WHERE NEW.status <> 'pending' OR NEW.onward_at IS NOT NULL OR NEW.withdrawal IS NOT NULL
      OR coalesce(NEW.decided_at, NEW.decided_by, NEW.day) IS NOT NULL
      OR EXISTS (SELECT 1 FROM unit_orders WHERE id = NEW.id OR ref = NEW.ref OR seq = NEW.seq);
  SELECT RAISE(ABORT, 'orders: an amount is whole cents above zero; only what is redeemed may be all')
    WHERE coalesce(NEW.cents NOT BETWEEN 1 AND 1000000000000, NEW.kind <> 'redeem')
      OR NEW.kind NOT IN ('allocate', 'redeem') OR (NEW.onward IS NOT NULL AND NEW.kind <> 'redeem');
  SELECT RAISE(ABORT, 'not_found')
    WHERE NOT EXISTS (SELECT 1 FROM strategies WHERE slug = NEW.strategy)
      OR NOT EXISTS (SELECT 1 FROM users WHERE id = NEW.investor AND role = 'investor');
  SELECT RAISE(ABORT, 'account_closed')
    WHERE EXISTS (SELECT 1 FROM users WHERE id = NEW.investor AND closed_at IS NOT NULL);
  SELECT RAISE(ABORT, 'account_frozen')
    WHERE EXISTS (SELECT 1 FROM users WHERE id = NEW.investor AND frozen_at IS NOT NULL);
  -- Whoever asked just before midnight and comes just after what was fixed then, asks again.
  SELECT RAISE(ABORT, 'conflict')
    WHERE EXISTS (
      SELECT 1 FROM valuations WHERE strategy = NEW.strategy AND day > NEW.created_at AND kind = 'open');
  SELECT RAISE(ABORT, 'too_many_open')
    WHERE (SELECT count(*) FROM unit_orders WHERE investor = NEW.investor AND kind = NEW.kind AND status = 'pending') >= 20;
  SELECT RAISE(ABORT, 'strategy_suspended')
    WHERE NEW.kind = 'allocate' AND EXISTS (SELECT 1 FROM strategies WHERE slug = NEW.strategy AND status <> 'active');
  SELECT RAISE(ABORT, 'validation_failed')
    WHERE NEW.kind = 'allocate' AND NEW.cents < CASE
      WHEN EXISTS (SELECT 1 FROM positions WHERE investor = NEW.investor AND strategy = NEW.strategy AND units > 0) THEN 100
      ELSE (SELECT minimum FROM strategies WHERE slug = NEW.strategy) END;
  SELECT RAISE(ABORT, 'insufficient_funds')
    WHERE NEW.kind = 'redeem'
      AND NOT EXISTS (SELECT 1 FROM positions WHERE investor = NEW.investor AND strategy = NEW.strategy AND units > 0);
END;
CREATE TRIGGER unit_orders_take AFTER INSERT ON unit_orders
WHEN NEW.kind = 'allocate'
BEGIN
  INSERT INTO accounts (id, owner, kind, subject)
    SELECT NEW.investor || ':' || k.kind || ':' || NEW.strategy, NEW.investor, k.kind, NEW.strategy FROM account_kinds k
    WHERE k.per_subject = 1 AND NOT EXISTS (
      SELECT 1 FROM accounts WHERE owner = NEW.investor AND kind = k.kind AND subject = NEW.strategy);
  INSERT INTO positions (investor, strategy) SELECT NEW.investor, NEW.strategy
    WHERE NOT EXISTS (SELECT 1 FROM positions WHERE investor = NEW.investor AND strategy = NEW.strategy);
  INSERT INTO transfers (id, from_account, to_account, amount, code, ref, actor, at)
    VALUES (NEW.id || ':allocate', NEW.investor || ':available', NEW.investor || ':allocating:' || NEW.strategy, NEW.cents,
      'allocate', NEW.id, NEW.investor, NEW.created_at);
  -- Here and below: a statement that overrides conflict handling could let it pass in silence.
  SELECT RAISE(ABORT, 'orders: the money was not set aside')
    WHERE NOT EXISTS (SELECT 1 FROM transfers WHERE ref = NEW.id AND code = 'allocate');
END;
CREATE TRIGGER unit_orders_decided_once BEFORE UPDATE ON unit_orders
BEGIN
  SELECT RAISE(ABORT, 'orders: what was filed never changes')
    WHERE NEW.seq IS NOT OLD.seq OR NEW.id IS NOT OLD.id OR NEW.ref IS NOT OLD.ref OR NEW.investor IS NOT OLD.investor
      OR NEW.strategy IS NOT OLD.strategy OR NEW.kind IS NOT OLD.kind OR NEW.cents IS NOT OLD.cents
      OR NEW.created_at IS NOT OLD.created_at OR (NEW.onward IS NOT NULL AND NEW.onward IS NOT OLD.onward);
  SELECT RAISE(ABORT, 'already_decided')
    WHERE OLD.status <> 'pending' AND (NEW.status IS NOT OLD.status OR NEW.decided_at IS NOT OLD.decided_at
      OR NEW.decided_by IS NOT OLD.decided_by OR NEW.day IS NOT OLD.day);
  SELECT RAISE(ABORT, 'orders: a decision has its time and who took it, and only what is settled a day')
    WHERE NEW.status NOT IN ('pending', 'settled', 'cancelled') OR (NEW.status = 'pending') <> (NEW.decided_at IS NULL)
      OR (NEW.status = 'pending') <> (NEW.decided_by IS NULL) OR (NEW.status = 'settled') <> (NEW.day IS NOT NULL);
  SELECT RAISE(ABORT, 'forbidden')
    WHERE CASE NEW.status WHEN 'settled' THEN NEW.decided_by <> 'system'
      WHEN 'cancelled' THEN NEW.decided_by NOT IN (NEW.investor, 'system') ELSE 0 END;
  -- What a price is fixed for can no longer be cancelled, since the price is known; but for units that are gone by then.
  SELECT RAISE(ABORT, 'already_decided')
    WHERE OLD.status = 'pending' AND NEW.status = 'cancelled' AND EXISTS (
        SELECT 1 FROM valuations WHERE strategy = OLD.strategy AND day > OLD.created_at AND kind = 'open')
      AND (OLD.kind = 'allocate' OR EXISTS (
        SELECT 1 FROM positions WHERE investor = OLD.investor AND strategy = OLD.strategy AND units > 0));
  SELECT RAISE(ABORT, 'orders: units that move settle an order, at the first open after it was asked')
    WHERE OLD.status = 'pending' AND NEW.status = 'settled' AND (
      NEW.day IS NOT (
        SELECT min(day) FROM valuations WHERE strategy = OLD.strategy AND day > OLD.created_at AND kind = 'open')
      OR NEW.day IS NOT (SELECT day FROM unit_movements WHERE ref = OLD.id));
  SELECT RAISE(ABORT, 'orders: what is settled goes on once')
    WHERE (OLD.onward_at IS NOT NULL AND (NEW.onward_at IS NOT OLD.onward_at OR NEW.withdrawal IS NOT OLD.withdrawal))
      OR (NEW.onward_at IS NOT NULL AND OLD.onward_at IS NULL AND (NEW.status <> 'settled' OR OLD.onward IS NULL))
      OR (NEW.withdrawal IS NOT NULL AND NEW.onward_at IS NULL)
      OR (NEW.withdrawal IS NOT OLD.withdrawal AND NOT EXISTS (
        SELECT 1 FROM requests WHERE id = NEW.withdrawal AND investor = OLD.investor AND queue = 'withdrawals'));
END;
CREATE TRIGGER unit_orders_give_back AFTER UPDATE OF status ON unit_orders
WHEN OLD.status = 'pending' AND NEW.status = 'cancelled' AND NEW.kind = 'allocate'
BEGIN
  INSERT INTO transfers (id, from_account, to_account, amount, code, ref, actor, at)
    VALUES (NEW.id || ':deallocate', NEW.investor || ':allocating:' || NEW.strategy, NEW.investor || ':available', NEW.cents,
      'deallocate', NEW.id, NEW.decided_by, NEW.decided_at);
  -- What is owed is repaid first from what comes back.
  INSERT INTO transfers (id, from_account, to_account, amount, code, ref, actor, at)
    SELECT NEW.id || ':repay', NEW.investor || ':available', a.id, min(-a.balance, NEW.cents), 'repay', NEW.id, NEW.decided_by,
      NEW.decided_at
    FROM accounts a WHERE a.id = NEW.investor || ':owed' AND a.balance < 0;
  SELECT RAISE(ABORT, 'orders: the money did not come back')
    WHERE NOT EXISTS (SELECT 1 FROM transfers WHERE ref = NEW.id AND code = 'deallocate');
END;
CREATE TRIGGER unit_orders_keep BEFORE DELETE ON unit_orders
BEGIN
  SELECT RAISE(ABORT, 'orders: one is never deleted');
END;

CREATE TABLE positions (
  investor TEXT NOT NULL REFERENCES users (id),
  strategy TEXT NOT NULL REFERENCES pools (strategy),
  units INTEGER NOT NULL DEFAULT 0,         -- 10⁻⁶
  cost INTEGER NOT NULL DEFAULT 0,          -- cents, what the investor's books have as invested
  high_water INTEGER NOT NULL DEFAULT 0,    -- micro-USD for one unit, above which a fee on profit counts
  last_movement INTEGER NOT NULL DEFAULT 0,
  PRIMARY KEY (investor, strategy)
) STRICT, WITHOUT ROWID;
CREATE INDEX positions_by_strategy ON positions (strategy, investor);

CREATE TABLE unit_movements (
  seq INTEGER PRIMARY KEY AUTOINCREMENT,
  id TEXT NOT NULL UNIQUE,
  investor TEXT NOT NULL,
  strategy TEXT NOT NULL,
  code TEXT NOT NULL CHECK (code IN ('issue', 'redeem', 'fee')),
  units INTEGER NOT NULL CHECK (units <> 0),  -- 10⁻⁶, signed: bought above zero, sold below
  price INTEGER NOT NULL CHECK (price > 0),
  cents INTEGER NOT NULL CHECK (cents >= 0),  -- what they cost or brought
  cost INTEGER NOT NULL CHECK (cost >= 0),    -- cents: the part of what was invested that came or went with them
  high_water INTEGER NOT NULL,              -- from now on
  day INTEGER NOT NULL,                     -- of the valuation whose open was the price
  ref TEXT NOT NULL UNIQUE,                 -- the order, or the fee
  at INTEGER NOT NULL,
  FOREIGN KEY (investor, strategy) REFERENCES positions (investor, strategy)
) STRICT;
CREATE INDEX unit_movements_by_investor ON unit_movements (investor, strategy, seq);
CREATE INDEX unit_movements_by_strategy ON unit_movements (strategy, seq);

CREATE TRIGGER positions_open_empty BEFORE INSERT ON positions
BEGIN
  SELECT RAISE(ABORT, 'units: a position opens empty, once')
    WHERE NEW.units <> 0 OR NEW.cost <> 0 OR NEW.high_water <> 0 OR NEW.last_movement <> 0
      OR EXISTS (SELECT 1 FROM positions WHERE investor = NEW.investor AND strategy = NEW.strategy);
END;
-- Of what was invested, the share that is sold: rounded down, all of it with the last unit.
CREATE TRIGGER positions_follow_movements BEFORE UPDATE ON positions
BEGIN
  SELECT RAISE(ABORT, 'units: a position never changes its name')
    WHERE NEW.investor IS NOT OLD.investor OR NEW.strategy IS NOT OLD.strategy;
  SELECT RAISE(ABORT, 'units: only a movement changes a position')
    WHERE NEW.last_movement <= OLD.last_movement OR NOT EXISTS (
      SELECT 1 FROM unit_movements m
      WHERE m.seq = NEW.last_movement AND m.investor = OLD.investor AND m.strategy = OLD.strategy
        AND NEW.units = OLD.units + m.units AND NEW.high_water = m.high_water
        AND NEW.cost = OLD.cost + CASE m.code WHEN 'issue' THEN m.cost ELSE -m.cost END);
  SELECT RAISE(ABORT, 'units: nobody sells what they do not hold')
    WHERE NEW.units NOT BETWEEN 0 AND 1000000000000000 OR NEW.cost NOT BETWEEN 0 AND 100000000000000;
  SELECT RAISE(ABORT, 'units: what is sold takes its share of the cost')
    WHERE NEW.units < OLD.units AND OLD.cost - NEW.cost IS NOT
      (SELECT q * 4096 + (r * 4096 + (OLD.cost & 4095) * (OLD.units - NEW.units)) / OLD.units
        FROM (SELECT q * 4096 + n / OLD.units AS q, n % OLD.units AS r
        FROM (SELECT q, r * 4096 + ((OLD.cost >> 12) & 4095) * (OLD.units - NEW.units) AS n
        FROM (SELECT q * 4096 + n / OLD.units AS q, n % OLD.units AS r
        FROM (SELECT q, r * 4096 + ((OLD.cost >> 24) & 4095) * (OLD.units - NEW.units) AS n
        FROM (SELECT n / OLD.units AS q, n % OLD.units AS r FROM (SELECT (OLD.cost >> 36) * (OLD.units - NEW.units) AS n)))))));
END;
CREATE TRIGGER positions_keep BEFORE DELETE ON positions
BEGIN
  SELECT RAISE(ABORT, 'units: positions are never deleted');
END;

CREATE TRIGGER unit_movements_checked BEFORE INSERT ON unit_movements
BEGIN
  SELECT RAISE(ABORT, 'units: a movement is written once')
    WHERE EXISTS (SELECT 1 FROM unit_movements WHERE id = NEW.id OR seq = NEW.seq OR ref = NEW.ref);
  SELECT RAISE(ABORT, 'units: a movement has units, a price and an amount')
    WHERE abs(NEW.units) NOT BETWEEN 1 AND 1000000000000000 OR NEW.price NOT BETWEEN 1 AND 1000000000000
      OR NEW.cents NOT BETWEEN 0 AND 100000000000000 OR NEW.cost NOT BETWEEN 0 AND 100000000000000
      OR NEW.high_water NOT BETWEEN 1 AND 1000000000000
      OR (NEW.code = 'issue') <> (NEW.units > 0) OR (NEW.code = 'issue' AND NEW.cost <> NEW.cents);
  SELECT RAISE(ABORT, 'units: a movement needs the record of what caused it')
    WHERE NOT CASE NEW.code
      WHEN 'fee' THEN NEW.cents > 0
        AND NOT EXISTS (SELECT 1 FROM unit_orders WHERE id = NEW.ref)
        -- Whoever pays a fee keeps a part.
        AND EXISTS (
          SELECT 1 FROM positions WHERE investor = NEW.investor AND strategy = NEW.strategy AND units + NEW.units > 0)
      ELSE EXISTS (
        SELECT 1 FROM unit_orders o WHERE o.id = NEW.ref AND o.investor = NEW.investor AND o.strategy = NEW.strategy
          AND o.status <> 'cancelled' AND coalesce(o.day, NEW.day) = NEW.day
          AND o.kind = CASE NEW.code WHEN 'issue' THEN 'allocate' ELSE 'redeem' END)
      END;
  SELECT RAISE(ABORT, 'units: the price is the one that the day opened with')
    WHERE NEW.price IS NOT (
      SELECT CASE NEW.code WHEN 'issue' THEN issue_price ELSE redeem_price END FROM valuations
      WHERE strategy = NEW.strategy AND day = NEW.day AND kind = 'open');
  SELECT RAISE(ABORT, 'units: as many as the amount buys, rounded down')
    WHERE NEW.code = 'issue' AND (
      NEW.cents IS NOT (SELECT cents FROM unit_orders WHERE id = NEW.ref)
      OR NEW.units IS NOT
        (SELECT q * 4096 + (r * 4096 + (NEW.cents & 4095) * 10000000000) / NEW.price
          FROM (SELECT q * 4096 + n / NEW.price AS q, n % NEW.price AS r
          FROM (SELECT q, r * 4096 + ((NEW.cents >> 12) & 4095) * 10000000000 AS n
          FROM (SELECT q * 4096 + n / NEW.price AS q, n % NEW.price AS r
          FROM (SELECT q, r * 4096 + ((NEW.cents >> 24) & 4095) * 10000000000 AS n
          FROM (SELECT n / NEW.price AS q, n % NEW.price AS r FROM (SELECT (NEW.cents >> 36) * 10000000000 AS n))))))));
  SELECT RAISE(ABORT, 'units: what they bring is rounded down')
    WHERE NEW.code <> 'issue' AND NEW.cents IS NOT
      (SELECT q * 4096 + (r * 4096 + (NEW.price & 4095) * -NEW.units) / 10000000000
        FROM (SELECT q * 4096 + n / 10000000000 AS q, n % 10000000000 AS r
        FROM (SELECT q, r * 4096 + ((NEW.price >> 12) & 4095) * -NEW.units AS n
        FROM (SELECT q * 4096 + n / 10000000000 AS q, n % 10000000000 AS r
        FROM (SELECT q, r * 4096 + ((NEW.price >> 24) & 4095) * -NEW.units AS n
        FROM (SELECT n / 10000000000 AS q, n % 10000000000 AS r FROM (SELECT (NEW.price >> 36) * -NEW.units AS n)))))));
  -- All of it, or no unit more than it takes.
  SELECT RAISE(ABORT, 'units: as many are sold as were asked for')
    WHERE NEW.code = 'redeem' AND NOT coalesce((
      SELECT (-NEW.units = p.units OR NEW.cents >= o.cents) AND (o.cents IS NULL OR o.cents >
        (SELECT q * 4096 + (r * 4096 + (NEW.price & 4095) * (-NEW.units - 1)) / 10000000000
          FROM (SELECT q * 4096 + n / 10000000000 AS q, n % 10000000000 AS r
          FROM (SELECT q, r * 4096 + ((NEW.price >> 12) & 4095) * (-NEW.units - 1) AS n
          FROM (SELECT q * 4096 + n / 10000000000 AS q, n % 10000000000 AS r
          FROM (SELECT q, r * 4096 + ((NEW.price >> 24) & 4095) * (-NEW.units - 1) AS n
          FROM (SELECT n / 10000000000 AS q, n % 10000000000 AS r FROM (SELECT (NEW.price >> 36) * (-NEW.units - 1) AS n))))))))
      FROM unit_orders o JOIN positions p ON p.investor = o.investor AND p.strategy = o.strategy
      WHERE o.id = NEW.ref), 0);
  SELECT RAISE(ABORT, 'units: buying averages the high-water mark, selling keeps it, a fee on profit raises it to the price')
    WHERE NOT coalesce((
      SELECT CASE NEW.code
        WHEN 'issue' THEN CASE p.units WHEN 0 THEN NEW.high_water = NEW.price
          ELSE NEW.high_water BETWEEN min(p.high_water, NEW.price) AND max(p.high_water, NEW.price) END
        WHEN 'redeem' THEN NEW.high_water = p.high_water
        ELSE NEW.high_water = p.high_water OR (NEW.high_water > p.high_water AND NEW.high_water = (
          SELECT unit_price FROM valuations WHERE strategy = NEW.strategy AND day = NEW.day AND kind = 'open'))
        END
      FROM positions p WHERE p.investor = NEW.investor AND p.strategy = NEW.strategy), 0);
END;
CREATE TRIGGER unit_movements_posted AFTER INSERT ON unit_movements
BEGIN
  UPDATE positions SET units = units + NEW.units, cost = cost + CASE NEW.code WHEN 'issue' THEN NEW.cost ELSE -NEW.cost END,
    high_water = NEW.high_water, last_movement = NEW.seq
  WHERE investor = NEW.investor AND strategy = NEW.strategy;
  SELECT RAISE(ABORT, 'units: the position did not move')
    WHERE NOT EXISTS (
      SELECT 1 FROM positions WHERE investor = NEW.investor AND strategy = NEW.strategy AND last_movement = NEW.seq);
  SELECT RAISE(ABORT, 'units: movements are numbered without a gap')
    WHERE NEW.seq <> 1 + coalesce((SELECT seq FROM unit_movements WHERE seq <> NEW.seq ORDER BY seq DESC LIMIT 1), 0);
END;
CREATE TRIGGER unit_movements_never_change BEFORE UPDATE ON unit_movements
BEGIN
  SELECT RAISE(ABORT, 'units: movements never change');
END;
CREATE TRIGGER unit_movements_keep BEFORE DELETE ON unit_movements
BEGIN
  SELECT RAISE(ABORT, 'units: movements are never deleted');
END;

-- The only way in which a pool changes: units that come or go with their money, and what was bought or sold.
CREATE TABLE pool_entries (
  seq INTEGER PRIMARY KEY AUTOINCREMENT,
  id TEXT NOT NULL UNIQUE,
  strategy TEXT NOT NULL REFERENCES pools (strategy),
  code TEXT NOT NULL CHECK (code IN ('issue', 'redeem', 'buy', 'sell')),
  cash INTEGER NOT NULL,                    -- micro-USD, signed like the next two
  units INTEGER NOT NULL DEFAULT 0,
  asset TEXT,
  quantity INTEGER NOT NULL DEFAULT 0,
  ref TEXT NOT NULL UNIQUE,                 -- of the movement, or the fill
  at INTEGER NOT NULL,
  FOREIGN KEY (strategy, asset) REFERENCES pool_holdings (strategy, asset)
) STRICT;
CREATE INDEX pool_entries_by_strategy ON pool_entries (strategy, seq);

CREATE TRIGGER pools_open_empty BEFORE INSERT ON pools
BEGIN
  SELECT RAISE(ABORT, 'pools: one opens empty, once')
    WHERE NEW.cash <> 0 OR NEW.units <> 0 OR NEW.last_entry <> 0 OR EXISTS (SELECT 1 FROM pools WHERE strategy = NEW.strategy);
END;
CREATE TRIGGER pools_follow_entries BEFORE UPDATE ON pools
BEGIN
  SELECT RAISE(ABORT, 'pools: only an entry changes a pool')
    WHERE NEW.strategy IS NOT OLD.strategy OR NEW.last_entry <= OLD.last_entry OR NOT EXISTS (
      SELECT 1 FROM pool_entries e WHERE e.seq = NEW.last_entry AND e.strategy = OLD.strategy
        AND NEW.cash = OLD.cash + e.cash AND NEW.units = OLD.units + e.units);
  SELECT RAISE(ABORT, 'pools: a pool passed its bounds')
    WHERE NEW.units NOT BETWEEN 0 AND 1000000000000000 OR NEW.cash NOT BETWEEN -9007199254740991 AND 9007199254740991;
END;
CREATE TRIGGER pools_keep BEFORE DELETE ON pools
BEGIN
  SELECT RAISE(ABORT, 'pools: one is never deleted');
END;
CREATE TRIGGER pool_holdings_open_empty BEFORE INSERT ON pool_holdings
BEGIN
  SELECT RAISE(ABORT, 'pools: a holding opens empty, once, of what the strategy trades')
    WHERE NEW.quantity <> 0 OR NEW.last_entry <> 0
      OR EXISTS (SELECT 1 FROM pool_holdings WHERE strategy = NEW.strategy AND asset = NEW.asset)
      OR NOT EXISTS (
        SELECT 1 FROM strategies s, json_each(s.definition, '$.assets') a WHERE s.slug = NEW.strategy AND a.value = NEW.asset);
END;
CREATE TRIGGER pool_holdings_follow_entries BEFORE UPDATE ON pool_holdings
BEGIN
  SELECT RAISE(ABORT, 'pools: only an entry changes a holding')
    WHERE NEW.strategy IS NOT OLD.strategy OR NEW.asset IS NOT OLD.asset OR NEW.last_entry <= OLD.last_entry OR NOT EXISTS (
      SELECT 1 FROM pool_entries e WHERE e.seq = NEW.last_entry AND e.strategy = OLD.strategy AND e.asset = OLD.asset
        AND NEW.quantity = OLD.quantity + e.quantity);
  SELECT RAISE(ABORT, 'pools: nothing is sold that is not held')
    WHERE NEW.quantity NOT BETWEEN 0 AND 9007199254740991;
END;
CREATE TRIGGER pool_holdings_keep BEFORE DELETE ON pool_holdings
BEGIN
  SELECT RAISE(ABORT, 'pools: holdings are never deleted');
END;

CREATE TRIGGER pool_entries_checked BEFORE INSERT ON pool_entries
BEGIN
  SELECT RAISE(ABORT, 'pools: an entry is written once')
    WHERE EXISTS (SELECT 1 FROM pool_entries WHERE id = NEW.id OR seq = NEW.seq OR ref = NEW.ref);
  SELECT RAISE(ABORT, 'pools: an entry needs the record of what caused it')
    WHERE NOT CASE
      WHEN NEW.code IN ('issue', 'redeem') THEN NEW.asset IS NULL AND NEW.quantity = 0 AND EXISTS (
        SELECT 1 FROM unit_movements m WHERE m.ref = NEW.ref AND m.strategy = NEW.strategy AND m.units = NEW.units
          AND CASE NEW.code WHEN 'issue' THEN m.code = 'issue' AND NEW.cash = m.cents * 10000
            ELSE m.code <> 'issue' AND NEW.cash = -m.cents * 10000 END)
      WHEN NEW.code IN ('buy', 'sell') THEN NEW.units = 0 AND EXISTS (
        SELECT 1 FROM pool_fills f JOIN pool_orders o ON o.id = f.pool_order
        WHERE f.id = NEW.ref AND o.strategy = NEW.strategy AND o.asset = NEW.asset AND o.side = NEW.code AND NEW.cash = f.cash
          AND NEW.quantity = CASE NEW.code WHEN 'buy' THEN f.quantity ELSE -f.quantity END)
      ELSE 0
      END;
END;
CREATE TRIGGER pool_entries_posted AFTER INSERT ON pool_entries
BEGIN
  UPDATE pools SET cash = cash + NEW.cash, units = units + NEW.units, last_entry = NEW.seq WHERE strategy = NEW.strategy;
  UPDATE pool_holdings SET quantity = quantity + NEW.quantity, last_entry = NEW.seq
    WHERE strategy = NEW.strategy AND asset = NEW.asset;
  SELECT RAISE(ABORT, 'pools: the pool did not move')
    WHERE NOT EXISTS (SELECT 1 FROM pools WHERE strategy = NEW.strategy AND last_entry = NEW.seq)
      OR (NEW.asset IS NOT NULL AND NOT EXISTS (
        SELECT 1 FROM pool_holdings WHERE strategy = NEW.strategy AND asset = NEW.asset AND last_entry = NEW.seq));
  SELECT RAISE(ABORT, 'pools: entries are numbered without a gap')
    WHERE NEW.seq <> 1 + coalesce((SELECT seq FROM pool_entries WHERE seq <> NEW.seq ORDER BY seq DESC LIMIT 1), 0);
END;
CREATE TRIGGER pool_entries_never_change BEFORE UPDATE ON pool_entries
BEGIN
  SELECT RAISE(ABORT, 'pools: entries never change');
END;
CREATE TRIGGER pool_entries_keep BEFORE DELETE ON pool_entries
BEGIN
  SELECT RAISE(ABORT, 'pools: entries are never deleted');
END;

-- What an investor has in each strategy: cash that waits, what was paid for the units, and what they made or lost.
DROP TRIGGER account_kinds_fixed_insert;
INSERT INTO account_kinds (kind, floor, ceiling, per_subject) VALUES
  ('allocating', 0, NULL, 1), ('invested', 0, NULL, 1), ('result', NULL, NULL, 1);
CREATE TRIGGER account_kinds_fixed_insert BEFORE INSERT ON account_kinds
BEGIN
  SELECT RAISE(ABORT, 'account_kinds: only a migration changes a rule');
END;
DROP TRIGGER transfer_codes_fixed_insert;
INSERT INTO transfer_codes VALUES
  ('allocate', 'available', 'allocating'), ('deallocate', 'allocating', 'available'), ('invest', 'allocating', 'invested'),
  ('redeem', 'invested', 'available'), ('lose', 'invested', 'result'), ('gain', 'result', 'available'),
  ('fee', 'available', 'fees');
CREATE TRIGGER transfer_codes_fixed_insert BEFORE INSERT ON transfer_codes
BEGIN
  SELECT RAISE(ABORT, 'transfer_codes: only a migration changes a rule');
END;

-- As before, and strategies: an order, or the units that moved, cause what they are worth.
DROP TRIGGER transfers_caused;
CREATE TRIGGER transfers_caused BEFORE INSERT ON transfers
BEGIN
  SELECT RAISE(ABORT, 'ledger: a transfer needs the record of what caused it')
    WHERE NOT CASE
      -- What comes back from a strategy repays first, like a credit.
      WHEN NEW.code = 'repay' AND EXISTS (SELECT 1 FROM unit_orders WHERE id = NEW.ref) THEN EXISTS (
        SELECT 1 FROM accounts f JOIN accounts t ON t.id = NEW.to_account JOIN transfers c ON c.seq = f.last_transfer
        WHERE f.id = NEW.from_account AND c.ref = NEW.ref AND c.code IN ('redeem', 'gain', 'deallocate') AND NEW.actor = c.actor
          AND NEW.amount = min(-t.balance, (
            SELECT sum(p.amount) FROM transfers p WHERE p.ref = c.ref AND p.code IN ('redeem', 'gain', 'deallocate')))
          AND NOT EXISTS (SELECT 1 FROM unit_movements m WHERE m.ref = c.ref AND m.code = 'fee')
          AND NOT EXISTS (SELECT 1 FROM transfers o WHERE o.ref = NEW.ref AND o.code = NEW.code))
      WHEN NEW.code IN ('credit', 'hold', 'release', 'complete', 'reverse_credit', 'reverse_payout', 'repay', 'overdraw') THEN EXISTS (
        SELECT 1 FROM requests r JOIN accounts f ON f.id = NEW.from_account JOIN accounts t ON t.id = NEW.to_account
          JOIN request_events e ON e.request = r.id AND e.status = r.status AND e.actor = NEW.actor
        WHERE r.id = NEW.ref AND r.investor = f.owner
          AND CASE NEW.code
            WHEN 'credit' THEN r.queue = 'deposits' AND r.status = 'approved' AND r.amount = NEW.amount
            -- Straight after the credit, all that is owed or all that came.
            WHEN 'repay' THEN r.queue = 'deposits' AND r.status = 'approved' AND NEW.amount = min(r.amount, -t.balance)
              AND EXISTS (SELECT 1 FROM transfers c WHERE c.seq = f.last_transfer AND c.ref = r.id AND c.code = 'credit')
            WHEN 'hold' THEN r.queue = 'withdrawals' AND r.status = 'pending' AND r.amount = NEW.amount
            WHEN 'release' THEN r.queue = 'withdrawals' AND r.status IN ('cancelled', 'rejected') AND r.amount = NEW.amount
              AND EXISTS (SELECT 1 FROM transfers h WHERE h.ref = r.id AND h.code = 'hold')
            WHEN 'complete' THEN r.queue = 'withdrawals' AND r.status = 'completed' AND r.amount = NEW.amount
              AND EXISTS (SELECT 1 FROM transfers h WHERE h.ref = r.id AND h.code = 'hold')
            -- Before the reversal, exactly what it lacks.
            WHEN 'overdraw' THEN r.queue = 'deposits' AND r.status = 'reversed' AND NEW.amount = r.amount - t.balance
              AND EXISTS (SELECT 1 FROM transfers c WHERE c.ref = r.id AND c.code = 'credit')
              AND NOT EXISTS (SELECT 1 FROM transfers v WHERE v.ref = r.id AND v.code = 'reverse_credit')
            WHEN 'reverse_credit' THEN r.queue = 'deposits' AND r.status = 'reversed' AND r.amount = NEW.amount
            ELSE r.queue = 'withdrawals' AND r.status = 'reversed' AND r.amount = NEW.amount
            END
          AND NOT EXISTS (SELECT 1 FROM transfers o WHERE o.ref = NEW.ref AND o.code = NEW.code))
      WHEN NEW.code = 'bonus' THEN EXISTS (
        SELECT 1 FROM proposals p JOIN accounts a ON a.id = NEW.from_account
        WHERE p.id = NEW.ref AND p.kind = 'bonus' AND p.status = 'approved' AND p.investor = a.owner
          AND p.amount = NEW.amount AND p.decided_by = NEW.actor
          AND NOT EXISTS (SELECT 1 FROM transfers t WHERE t.ref = NEW.ref AND t.code = NEW.code))
        OR EXISTS (
        SELECT 1 FROM referral_bonuses b JOIN accounts a ON a.id = NEW.from_account
        WHERE b.id = NEW.ref AND b.referrer = a.owner AND b.amount = NEW.amount AND b.granted_at IS NOT NULL
          AND NEW.actor = 'system'
          AND NOT EXISTS (SELECT 1 FROM transfers t WHERE t.ref = NEW.ref AND t.code = NEW.code))
      WHEN NEW.code IN ('allocate', 'deallocate', 'invest') THEN EXISTS (
        SELECT 1 FROM unit_orders o JOIN accounts f ON f.id = NEW.from_account JOIN accounts t ON t.id = NEW.to_account
        WHERE o.id = NEW.ref AND o.kind = 'allocate' AND o.investor = f.owner AND o.cents = NEW.amount
          AND o.strategy = CASE NEW.code WHEN 'allocate' THEN t.subject ELSE f.subject END
          AND CASE NEW.code
            WHEN 'allocate' THEN o.status = 'pending' AND NEW.actor = o.investor
            WHEN 'deallocate' THEN o.status = 'cancelled' AND NEW.actor = o.decided_by
              AND EXISTS (SELECT 1 FROM transfers a WHERE a.ref = o.id AND a.code = 'allocate')
            ELSE o.status = 'settled' AND NEW.actor = 'system' AND t.subject = o.strategy
              AND EXISTS (SELECT 1 FROM transfers a WHERE a.ref = o.id AND a.code = 'allocate')
              AND EXISTS (SELECT 1 FROM unit_movements m WHERE m.ref = o.id AND m.code = 'issue' AND m.cents = NEW.amount)
            END
          AND NOT EXISTS (SELECT 1 FROM transfers t WHERE t.ref = NEW.ref AND t.code = NEW.code))
      -- What units brought, up to what they had cost, then the difference; a fee is all that its units brought.
      WHEN NEW.code IN ('redeem', 'lose', 'gain', 'fee') THEN EXISTS (
        SELECT 1 FROM unit_movements m JOIN accounts f ON f.id = NEW.from_account JOIN accounts t ON t.id = NEW.to_account
        WHERE m.ref = NEW.ref AND m.code <> 'issue' AND m.investor = f.owner AND NEW.actor = 'system'
          AND f.subject IN ('', m.strategy) AND t.subject IN ('', m.strategy)
          AND NEW.amount = CASE NEW.code
            WHEN 'redeem' THEN min(m.cost, m.cents)
            WHEN 'lose' THEN m.cost - m.cents
            WHEN 'gain' THEN m.cents - m.cost
            ELSE CASE m.code WHEN 'fee' THEN m.cents END
            END
          AND NOT EXISTS (SELECT 1 FROM transfers t WHERE t.ref = NEW.ref AND t.code = NEW.code))
      ELSE 0
      END;
END;
-- Just as before: of the rules of a table the newest is asked first.
DROP TRIGGER transfers_bonus_unfrozen;
CREATE TRIGGER transfers_bonus_unfrozen BEFORE INSERT ON transfers
WHEN NEW.code = 'bonus'
BEGIN
  SELECT RAISE(ABORT, 'account_frozen')
    WHERE EXISTS (
      SELECT 1 FROM accounts a JOIN users u ON u.id = a.owner
      WHERE a.id = NEW.to_account AND u.frozen_at IS NOT NULL);
END;

-- Units that move settle their order, and take their money with them: into the pool and out of it, and through the books.
CREATE TRIGGER unit_movements_settle AFTER INSERT ON unit_movements
BEGIN
  UPDATE unit_orders SET status = 'settled', decided_at = NEW.at, decided_by = 'system', day = NEW.day
    WHERE id = NEW.ref AND NEW.code <> 'fee';
  INSERT INTO pool_entries (id, strategy, code, cash, units, ref, at)
    VALUES (NEW.id, NEW.strategy, CASE NEW.code WHEN 'issue' THEN 'issue' ELSE 'redeem' END,
      CASE NEW.code WHEN 'issue' THEN NEW.cents ELSE -NEW.cents END * 10000, NEW.units, NEW.ref, NEW.at);
  INSERT INTO transfers (id, from_account, to_account, amount, code, ref, actor, at)
    SELECT NEW.ref || ':' || code, NEW.investor || from_kind, NEW.investor || to_kind, amount, code, NEW.ref, 'system', NEW.at
    FROM (
      SELECT 1 AS place, 'invest' AS code, ':allocating:' || NEW.strategy AS from_kind, ':invested:' || NEW.strategy AS to_kind,
        CASE NEW.code WHEN 'issue' THEN NEW.cents ELSE 0 END AS amount
      UNION ALL SELECT 2, 'redeem', ':invested:' || NEW.strategy, ':available',
        CASE NEW.code WHEN 'issue' THEN 0 ELSE min(NEW.cost, NEW.cents) END
      UNION ALL SELECT 3, 'lose', ':invested:' || NEW.strategy, ':result:' || NEW.strategy, NEW.cost - NEW.cents
      UNION ALL SELECT 4, 'gain', ':result:' || NEW.strategy, ':available', NEW.cents - NEW.cost
      UNION ALL SELECT 5, 'fee', ':available', ':fees', CASE NEW.code WHEN 'fee' THEN NEW.cents ELSE 0 END)
    WHERE amount > 0 ORDER BY place;
  INSERT INTO transfers (id, from_account, to_account, amount, code, ref, actor, at)
    SELECT NEW.ref || ':repay', NEW.investor || ':available', a.id, min(-a.balance, NEW.cents), 'repay', NEW.ref, 'system', NEW.at
    FROM accounts a WHERE a.id = NEW.investor || ':owed' AND a.balance < 0 AND NEW.code = 'redeem' AND NEW.cents > 0;
  SELECT RAISE(ABORT, 'units: the order, the pool or the books did not follow')
    WHERE NOT EXISTS (SELECT 1 FROM pool_entries WHERE ref = NEW.ref)
      OR (NEW.code <> 'fee' AND NOT EXISTS (SELECT 1 FROM unit_orders WHERE id = NEW.ref AND status = 'settled' AND day = NEW.day))
      OR (SELECT coalesce(sum(amount), 0) FROM transfers
          WHERE ref = NEW.ref AND code IN ('invest', 'redeem', 'gain')) <> NEW.cents
      OR (SELECT coalesce(sum(amount), 0) FROM transfers
          WHERE ref = NEW.ref AND code IN ('invest', 'redeem', 'lose')) <> NEW.cost
      OR (NEW.code = 'fee' AND NOT EXISTS (SELECT 1 FROM transfers WHERE ref = NEW.ref AND code = 'fee' AND amount = NEW.cents));
END;
CREATE TRIGGER pool_fills_booked AFTER INSERT ON pool_fills
BEGIN
  INSERT INTO pool_entries (id, strategy, code, cash, asset, quantity, ref, at)
    SELECT NEW.id, o.strategy, o.side, NEW.cash, o.asset, CASE o.side WHEN 'buy' THEN NEW.quantity ELSE -NEW.quantity END, NEW.id,
      NEW.at
    FROM pool_orders o WHERE o.id = NEW.pool_order;
  SELECT RAISE(ABORT, 'pools: the pool did not follow')
    WHERE NOT EXISTS (SELECT 1 FROM pool_entries WHERE ref = NEW.id AND cash = NEW.cash);
END;
