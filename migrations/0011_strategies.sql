-- Strategies: pools of which investors own units. Investors' money is in integer cents, pools are in micro-USD, units in 10⁻⁶,
-- unit prices in micro-USD per unit, quantities of assets in 10⁻⁸.

-- Where a product exceeds 64 bits, ⌊a × b ÷ c⌋ is computed digit by digit in base 4096, which is exact for a < 2⁵³ and
-- b, c ≤ 10¹⁵. Triggers write every row that must follow another: an order reserves its money, a movement of units settles its
-- order, moves the pool and posts to the ledger, a fill moves the pool. So no step can be forgotten.

CREATE TABLE strategies (
  slug TEXT PRIMARY KEY,
  definition TEXT NOT NULL,                 -- JSON: everything that determines its trades
  hash TEXT NOT NULL,                       -- SHA-256 of the definition
  market TEXT NOT NULL,
  minimum INTEGER NOT NULL,                 -- cents: the smallest first allocation
  status TEXT NOT NULL DEFAULT 'active',
  started_at INTEGER NOT NULL,
  -- The range in which it is expected to grow, from the backtest. Fixed when it starts.
  band TEXT                                 -- JSON; null: not compared
) STRICT, WITHOUT ROWID;                    -- REPLACE on a rowid table would delete a row without firing its triggers

-- A strategy starts with an empty pool and an empty holding of each of its assets.
CREATE TRIGGER strategies_start BEFORE INSERT ON strategies
BEGIN
  SELECT RAISE(ABORT, 'strategies: not active or already started')
    WHERE NEW.status <> 'active' OR EXISTS (SELECT 1 FROM strategies WHERE slug = NEW.slug);
  SELECT RAISE(ABORT, 'strategies: invalid slug, assets or hash')
    WHERE NEW.slug = '' OR NEW.slug GLOB '*[^a-z0-9-]*' OR NEW.hash = '' OR NEW.market = ''
      OR NOT json_valid(NEW.definition) OR json_type(NEW.definition, '$.assets') IS NOT 'array'
      OR NEW.minimum NOT BETWEEN 100 AND 1000000000000;
END;
CREATE TRIGGER strategies_started AFTER INSERT ON strategies
BEGIN
  INSERT INTO strategy_events (strategy, at, kind, actor) VALUES (NEW.slug, NEW.started_at, 'started', 'system');
  INSERT INTO pools (strategy) VALUES (NEW.slug);
  INSERT INTO pool_holdings (strategy, asset) SELECT NEW.slug, value FROM json_each(NEW.definition, '$.assets');
  SELECT RAISE(ABORT, 'strategies: no pool')
    WHERE NOT EXISTS (SELECT 1 FROM pools WHERE strategy = NEW.slug)
      OR (SELECT count(*) FROM pool_holdings WHERE strategy = NEW.slug) <> json_array_length(NEW.definition, '$.assets');
END;
CREATE TRIGGER strategies_follow_events BEFORE UPDATE ON strategies
BEGIN
  SELECT RAISE(ABORT, 'strategies: changed without an event')
    WHERE NEW.status IS NOT (
      SELECT (CASE kind WHEN 'suspended' THEN 'suspended' WHEN 'stopped' THEN 'stopped' ELSE 'active' END)
      FROM strategy_events WHERE strategy = OLD.slug ORDER BY seq DESC LIMIT 1);
END;

CREATE TABLE strategy_events (
  seq INTEGER PRIMARY KEY AUTOINCREMENT,
  strategy TEXT NOT NULL REFERENCES strategies (slug),
  at INTEGER NOT NULL,
  kind TEXT NOT NULL CHECK (kind IN ('started', 'suspended', 'resumed', 'stopped')),
  reason TEXT,                              -- investors and everybody on the public page read it
  note TEXT,                                -- only operators read it
  actor TEXT NOT NULL
) STRICT;
CREATE INDEX strategy_events_by_strategy ON strategy_events (strategy, seq);

CREATE TRIGGER strategy_events_valid BEFORE INSERT ON strategy_events
BEGIN
  SELECT RAISE(ABORT, 'strategy_events: already stored')
    WHERE EXISTS (SELECT 1 FROM strategy_events WHERE seq = NEW.seq);
  SELECT RAISE(ABORT, 'conflict')
    WHERE NOT EXISTS (
      SELECT 1 FROM strategies s WHERE s.slug = NEW.strategy AND (CASE NEW.kind
        WHEN 'started' THEN NOT EXISTS (SELECT 1 FROM strategy_events WHERE strategy = NEW.strategy)
        WHEN 'suspended' THEN s.status = 'active'
        WHEN 'resumed' THEN s.status = 'suspended'
        WHEN 'stopped' THEN s.status IN ('active', 'suspended')
        ELSE 0 END));
END;
CREATE TRIGGER strategy_events_apply AFTER INSERT ON strategy_events
WHEN NEW.kind <> 'started'
BEGIN
  UPDATE strategies SET status = (CASE NEW.kind WHEN 'resumed' THEN 'active' ELSE NEW.kind END) WHERE slug = NEW.strategy;
  SELECT RAISE(ABORT, 'strategy_events: status not updated')
    WHERE (SELECT status FROM strategies WHERE slug = NEW.strategy)
      IS NOT (CASE NEW.kind WHEN 'resumed' THEN 'active' ELSE NEW.kind END);
END;
-- After its drawdown limit a strategy waits in cash as long as its definition says. Then it goes on by itself. Events are recorded some
-- time after their close, so up to a day may be missing between them.
CREATE TRIGGER strategy_events_resumed_by_rule BEFORE INSERT ON strategy_events
WHEN NEW.kind = 'resumed' AND NEW.actor = 'system'
BEGIN
  SELECT RAISE(ABORT, 'forbidden')
    WHERE NOT EXISTS (
      SELECT 1 FROM strategy_events e JOIN strategies s ON s.slug = e.strategy
      WHERE e.seq = (SELECT max(seq) FROM strategy_events WHERE strategy = NEW.strategy)
        AND e.kind = 'suspended' AND e.actor = 'system' AND e.reason GLOB 'It hit its own drawdown limit.*'
        AND NEW.at >= e.at + (json_extract(s.definition, '$.risk.pauseDays') - 1) * 86400000);
END;
CREATE TRIGGER strategy_events_decided_by_two BEFORE INSERT ON strategy_events
WHEN NEW.kind = 'stopped' OR (NEW.kind = 'resumed' AND NEW.actor <> 'system')
BEGIN
  SELECT RAISE(ABORT, 'conflict')
    WHERE NOT EXISTS (SELECT 1 FROM strategies WHERE slug = NEW.strategy AND status = 'suspended');
  SELECT RAISE(ABORT, 'second_operator_required')
    WHERE NOT EXISTS (
      SELECT 1 FROM proposals p
      WHERE p.kind = 'strategy' AND p.status = 'approved' AND p.decided_by = NEW.actor AND p.decided_at = NEW.at
        AND json_extract(p.payload, '$.strategy') = NEW.strategy
        AND json_extract(p.payload, '$.action') = (CASE NEW.kind WHEN 'resumed' THEN 'resume' ELSE 'stop' END)
        AND p.created_at >= (
          SELECT max(at) FROM strategy_events WHERE strategy = NEW.strategy AND kind = 'suspended'));
END;
CREATE TRIGGER strategy_events_suspended_by_one BEFORE INSERT ON strategy_events
WHEN NEW.kind = 'suspended'
BEGIN
  SELECT RAISE(ABORT, 'forbidden')
    WHERE NEW.actor <> 'system' AND NOT EXISTS (
      SELECT 1 FROM users WHERE id = NEW.actor AND role = 'operator' AND disabled_at IS NULL
        AND (instr(' ' || operator_roles || ' ', ' treasurer ') > 0 OR instr(' ' || operator_roles || ' ', ' administrator ') > 0));
END;
CREATE TRIGGER strategy_events_told AFTER INSERT ON strategy_events
WHEN NEW.kind IN ('suspended', 'resumed', 'stopped')
BEGIN
  INSERT INTO strategy_notices (event) VALUES (NEW.seq);
END;

CREATE TABLE strategy_notices (
  event INTEGER PRIMARY KEY REFERENCES strategy_events (seq),
  told_to_seq INTEGER NOT NULL DEFAULT 0,   -- investors with units who registered up to here were told
  finished_at INTEGER
) STRICT;
CREATE INDEX strategy_notices_open ON strategy_notices (event) WHERE finished_at IS NULL;

-- If two runs notify the same investors, the second fails with its whole batch.
CREATE TRIGGER strategy_notices_advance BEFORE UPDATE ON strategy_notices
BEGIN
  SELECT RAISE(ABORT, 'already_decided')
    WHERE OLD.finished_at IS NOT NULL OR NEW.event IS NOT OLD.event OR NEW.told_to_seq <= OLD.told_to_seq;
END;

CREATE TABLE pools (
  strategy TEXT PRIMARY KEY REFERENCES strategies (slug),
  cash INTEGER NOT NULL DEFAULT 0,          -- micro-USD; negative only while a day is being traded
  units INTEGER NOT NULL DEFAULT 0,         -- 10⁻⁶, all units of investors
  last_entry INTEGER NOT NULL DEFAULT 0
) STRICT, WITHOUT ROWID;

CREATE TRIGGER pools_open_empty BEFORE INSERT ON pools
BEGIN
  SELECT RAISE(ABORT, 'pools: not empty or already open')
    WHERE NEW.cash <> 0 OR NEW.units <> 0 OR NEW.last_entry <> 0 OR EXISTS (SELECT 1 FROM pools WHERE strategy = NEW.strategy);
END;
CREATE TRIGGER pools_follow_entries BEFORE UPDATE ON pools
BEGIN
  SELECT RAISE(ABORT, 'pools: changed without an entry')
    WHERE NEW.strategy IS NOT OLD.strategy OR NEW.last_entry <= OLD.last_entry OR NOT EXISTS (
      SELECT 1 FROM pool_entries e WHERE e.seq = NEW.last_entry AND e.strategy = OLD.strategy
        AND NEW.cash = OLD.cash + e.cash AND NEW.units = OLD.units + e.units);
  SELECT RAISE(ABORT, 'pools: out of bounds')
    WHERE NEW.units NOT BETWEEN 0 AND 1000000000000000 OR NEW.cash NOT BETWEEN -9007199254740991 AND 9007199254740991;
END;

CREATE TABLE pool_holdings (
  strategy TEXT NOT NULL REFERENCES pools (strategy),
  asset TEXT NOT NULL,
  quantity INTEGER NOT NULL DEFAULT 0,      -- 10⁻⁸
  last_entry INTEGER NOT NULL DEFAULT 0,
  PRIMARY KEY (strategy, asset)
) STRICT, WITHOUT ROWID;

CREATE TRIGGER pool_holdings_open_empty BEFORE INSERT ON pool_holdings
BEGIN
  SELECT RAISE(ABORT, 'pool_holdings: not empty, already open or not traded')
    WHERE NEW.quantity <> 0 OR NEW.last_entry <> 0
      OR EXISTS (SELECT 1 FROM pool_holdings WHERE strategy = NEW.strategy AND asset = NEW.asset)
      OR NOT EXISTS (
        SELECT 1 FROM strategies s, json_each(s.definition, '$.assets') a WHERE s.slug = NEW.strategy AND a.value = NEW.asset);
END;
CREATE TRIGGER pool_holdings_follow_entries BEFORE UPDATE ON pool_holdings
BEGIN
  SELECT RAISE(ABORT, 'pool_holdings: changed without an entry')
    WHERE NEW.strategy IS NOT OLD.strategy OR NEW.asset IS NOT OLD.asset OR NEW.last_entry <= OLD.last_entry OR NOT EXISTS (
      SELECT 1 FROM pool_entries e WHERE e.seq = NEW.last_entry AND e.strategy = OLD.strategy AND e.asset = OLD.asset
        AND NEW.quantity = OLD.quantity + e.quantity);
  SELECT RAISE(ABORT, 'pool_holdings: more sold than held')
    WHERE NEW.quantity NOT BETWEEN 0 AND 9007199254740991;
END;

-- A day's trading is finished: all earlier orders are settled, and nothing was bought on credit.
CREATE TABLE pool_steps (
  strategy TEXT NOT NULL REFERENCES pools (strategy),
  day INTEGER NOT NULL,
  at INTEGER NOT NULL,
  PRIMARY KEY (strategy, day)
) STRICT, WITHOUT ROWID;

CREATE TRIGGER pool_steps_done BEFORE INSERT ON pool_steps
BEGIN
  SELECT RAISE(ABORT, 'pool_steps: already done or day not opened')
    WHERE EXISTS (SELECT 1 FROM pool_steps WHERE strategy = NEW.strategy AND day = NEW.day)
      OR NOT EXISTS (SELECT 1 FROM valuations WHERE strategy = NEW.strategy AND day = NEW.day AND kind = 'open');
  SELECT RAISE(ABORT, 'pool_steps: open orders')
    WHERE EXISTS (
      SELECT 1 FROM unit_orders WHERE strategy = NEW.strategy AND status = 'pending' AND created_at < NEW.day);
  SELECT RAISE(ABORT, 'pool_steps: more bought than cash')
    WHERE NOT EXISTS (SELECT 1 FROM pools WHERE strategy = NEW.strategy AND cash >= 0);
END;

-- Orders sent to the broker, and their fills.
CREATE TABLE pool_orders (
  seq INTEGER PRIMARY KEY AUTOINCREMENT,
  id TEXT NOT NULL UNIQUE,
  strategy TEXT NOT NULL,
  day INTEGER NOT NULL,
  asset TEXT NOT NULL,
  side TEXT NOT NULL CHECK (side IN ('buy', 'sell')),
  quantity INTEGER NOT NULL CHECK (quantity > 0),
  at INTEGER NOT NULL,
  seen_price REAL NOT NULL CHECK (seen_price > 0), -- the price it was planned at: the day's open, or the price of a stop
  FOREIGN KEY (strategy, asset) REFERENCES pool_holdings (strategy, asset)
) STRICT;
CREATE INDEX pool_orders_by_strategy ON pool_orders (strategy, day, seq);

CREATE TRIGGER pool_orders_placed BEFORE INSERT ON pool_orders
BEGIN
  SELECT RAISE(ABORT, 'pool_orders: already placed')
    WHERE EXISTS (SELECT 1 FROM pool_orders WHERE id = NEW.id OR seq = NEW.seq) OR NEW.quantity <= 0;
  SELECT RAISE(ABORT, 'pool_orders: day not open')
    WHERE NOT EXISTS (SELECT 1 FROM valuations WHERE strategy = NEW.strategy AND day = NEW.day AND kind = 'open')
      OR EXISTS (SELECT 1 FROM valuations WHERE strategy = NEW.strategy AND day = NEW.day AND kind = 'close');
END;

CREATE TABLE pool_fills (
  seq INTEGER PRIMARY KEY AUTOINCREMENT,
  id TEXT NOT NULL UNIQUE,
  pool_order TEXT NOT NULL REFERENCES pool_orders (id),
  quantity INTEGER NOT NULL CHECK (quantity > 0),  -- 10⁻⁸
  price REAL NOT NULL CHECK (price > 0),    -- USD per unit of the asset, including slippage
  fee INTEGER NOT NULL CHECK (fee >= 0),    -- micro-USD
  slippage INTEGER NOT NULL CHECK (slippage >= 0),  -- micro-USD, the cost of the worse price
  cash INTEGER NOT NULL,                    -- micro-USD, including the fee: negative for a purchase
  at INTEGER NOT NULL,
  -- A fill at a venue names what was sent and the venue's own id of the trade. Paper fills name neither.
  venue_order TEXT REFERENCES venue_orders (id),
  trade TEXT,
  -- In 10⁻⁸ USD with the fee, negative for a purchase: exactly what the venue booked. "cash" is rounded to micro-USD against the pool.
  venue_cash INTEGER,
  -- A venue may take the fee of a sale in coins, beside the coins that were sold. The pool pays it in USD at the trade's price ("fee"
  -- and "cash"), and the company's own coins at the venue become fewer. 10⁻⁸; null if the fee was taken otherwise.
  venue_fee INTEGER CHECK (venue_fee > 0)
) STRICT;
CREATE INDEX pool_fills_by_order ON pool_fills (pool_order);

CREATE TRIGGER pool_fills_valid BEFORE INSERT ON pool_fills
BEGIN
  SELECT RAISE(ABORT, 'pool_fills: already stored')
    WHERE EXISTS (SELECT 1 FROM pool_fills WHERE id = NEW.id OR seq = NEW.seq);
  SELECT RAISE(ABORT, 'pool_fills: no order or more than ordered')
    WHERE NEW.quantity <= 0 OR NEW.price <= 0 OR NEW.fee < 0 OR NEW.slippage < 0 OR NOT EXISTS (
      SELECT 1 FROM pool_orders o WHERE o.id = NEW.pool_order
        AND (CASE o.side WHEN 'buy' THEN NEW.cash <= -NEW.fee ELSE NEW.cash >= -NEW.fee END)
        AND NEW.quantity + (SELECT coalesce(sum(quantity), 0) FROM pool_fills WHERE pool_order = o.id) <= o.quantity);
END;
CREATE TRIGGER pool_fills_booked AFTER INSERT ON pool_fills
BEGIN
  INSERT INTO pool_entries (id, strategy, code, cash, asset, quantity, ref, at)
    SELECT NEW.id, o.strategy, o.side, NEW.cash, o.asset, (CASE o.side WHEN 'buy' THEN NEW.quantity ELSE -NEW.quantity END), NEW.id,
      NEW.at
    FROM pool_orders o WHERE o.id = NEW.pool_order;
  SELECT RAISE(ABORT, 'pool_fills: pool not updated')
    WHERE NOT EXISTS (SELECT 1 FROM pool_entries WHERE ref = NEW.id AND cash = NEW.cash);
END;

-- The value of a unit at the open of a day, which settles orders, and at its close. Each row has the hash of the row before
-- it; the first row has the hash of the definition.
CREATE TABLE valuations (
  strategy TEXT NOT NULL REFERENCES strategies (slug),
  day INTEGER NOT NULL,                     -- 00:00 UTC, epoch milliseconds
  kind TEXT NOT NULL CHECK (kind IN ('open', 'close')),
  unit_price INTEGER NOT NULL,              -- micro-USD for one unit
  issue_price INTEGER,                      -- at an open: includes the cost of a subscription
  redeem_price INTEGER,                     -- at an open: less the cost of a redemption
  net_value INTEGER NOT NULL,               -- micro-USD
  units INTEGER NOT NULL,
  weights TEXT NOT NULL,                    -- JSON: the share of each asset
  recorded_at INTEGER NOT NULL,
  previous TEXT NOT NULL,
  hash TEXT NOT NULL,
  -- The hash covers what is public (unit price, return, weights of the rules) and a salted commitment to the rest, so that nothing
  -- public shows what investors paid in or took out.
  price_return REAL NOT NULL,               -- since the previous valuation, as a share
  salt TEXT NOT NULL,                       -- of the commitment: only for operators and auditors
  details TEXT NOT NULL,                    -- JSON: cash, holdings, flows and orders, covered by the commitment
  commitment TEXT NOT NULL,
  follows INTEGER NOT NULL CHECK (follows IN (0, 1)), -- 1: from this open on the pool follows the rules; 0: only cash
  trades TEXT,                              -- JSON: what the rules traded; null: nothing
  fees TEXT,                                -- at an open: the setting of then. All fees of the day have these terms.
  PRIMARY KEY (strategy, day, kind)
) STRICT, WITHOUT ROWID;
-- Public pages read only the closes.
CREATE INDEX valuations_closes ON valuations (strategy, day, unit_price, recorded_at) WHERE kind = 'close';
CREATE INDEX valuations_trades ON valuations (strategy, day DESC, kind) WHERE trades IS NOT NULL;

CREATE TRIGGER valuations_chained BEFORE INSERT ON valuations
BEGIN
  SELECT RAISE(ABORT, 'valuations: already recorded or out of order')
    WHERE NEW.kind NOT IN ('open', 'close') OR NEW.day % 86400000 <> 0 OR EXISTS (
      SELECT 1 FROM valuations WHERE strategy = NEW.strategy
        AND (day > NEW.day OR (day = NEW.day AND (kind = 'close' OR NEW.kind = 'open'))));
  SELECT RAISE(ABORT, 'valuations: recorded before its time')
    WHERE NEW.recorded_at < NEW.day + (CASE NEW.kind WHEN 'close' THEN 86400000 ELSE 0 END);
  SELECT RAISE(ABORT, 'valuations: broken chain of hashes')
    WHERE NEW.hash = '' OR NEW.previous IS NOT coalesce(
      (SELECT hash FROM valuations WHERE strategy = NEW.strategy ORDER BY day DESC, kind LIMIT 1),
      (SELECT hash FROM strategies WHERE slug = NEW.strategy));
  SELECT RAISE(ABORT, 'valuations: invalid commitment or salt')
    WHERE length(NEW.salt) <> 64 OR length(NEW.commitment) <> 64;
  SELECT RAISE(ABORT, 'valuations: fees differ from the settings')
    WHERE NEW.fees IS NOT (CASE NEW.kind WHEN 'open' THEN (SELECT value FROM settings WHERE key = 'fees') END);
  SELECT RAISE(ABORT, 'valuations: price out of range')
    WHERE NEW.unit_price NOT BETWEEN 1 AND 1000000000000 OR (CASE NEW.kind
      WHEN 'open' THEN coalesce(
        NEW.redeem_price NOT BETWEEN 1 AND NEW.unit_price OR NEW.issue_price NOT BETWEEN NEW.unit_price AND 1000000000000, 1)
      ELSE NEW.redeem_price IS NOT NULL OR NEW.issue_price IS NOT NULL END);
  SELECT RAISE(ABORT, 'valuations: price differs from net value and units')
    WHERE NEW.units IS NOT (SELECT units FROM pools WHERE strategy = NEW.strategy)
      OR NEW.net_value NOT BETWEEN 0 AND 9007199254740991
      OR (NEW.units / 1000000 * NEW.unit_price + NEW.units % 1000000 * NEW.unit_price / 1000000) / 10000
        > NEW.net_value / 10000 + 1;
  SELECT RAISE(ABORT, 'valuations: earlier day not done')
    WHERE EXISTS (
      SELECT 1 FROM valuations v WHERE v.strategy = NEW.strategy AND v.kind = 'open'
        AND v.day = (SELECT max(day) FROM valuations WHERE strategy = NEW.strategy AND kind = 'open')
        AND NOT EXISTS (SELECT 1 FROM pool_steps s WHERE s.strategy = v.strategy AND s.day = v.day));
END;

-- The value shown between two valuations. One row per strategy, replaced hourly.
CREATE TABLE displays (
  strategy TEXT PRIMARY KEY REFERENCES strategies (slug),
  at INTEGER NOT NULL,
  unit_price INTEGER NOT NULL CHECK (unit_price > 0)
) STRICT, WITHOUT ROWID;
