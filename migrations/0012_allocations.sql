-- Allocations: investors' orders, the units they own, and the entries that move a pool. Units are explained in
-- 0011_strategies.sql.

-- Orders to subscribe or redeem. An order is settled at the first open after it was filed.
CREATE TABLE unit_orders (
  seq INTEGER PRIMARY KEY AUTOINCREMENT,
  id TEXT NOT NULL UNIQUE,
  ref TEXT NOT NULL UNIQUE,
  investor TEXT NOT NULL REFERENCES users (id),
  strategy TEXT NOT NULL REFERENCES strategies (slug),
  kind TEXT NOT NULL CHECK (kind IN ('allocate', 'redeem')),
  cents INTEGER,                            -- null: everything
  status TEXT NOT NULL DEFAULT 'pending',
  created_at INTEGER NOT NULL,
  decided_at INTEGER,
  decided_by TEXT,                          -- who cancelled it; 'system' settles
  day INTEGER,                              -- of the valuation that settled it
  onward TEXT,                              -- JSON: the withdrawal to file with the proceeds, until it is filed or impossible
  onward_at INTEGER,                        -- when it was filed or found impossible
  withdrawal TEXT REFERENCES requests (id),
  recovers TEXT                             -- filed by the platform: the deposit or bonus that was reversed after it was invested
) STRICT;
CREATE INDEX unit_orders_by_investor ON unit_orders (investor, seq);
CREATE INDEX unit_orders_by_strategy ON unit_orders (investor, strategy, seq);
CREATE INDEX unit_orders_open ON unit_orders (strategy, created_at) WHERE status = 'pending';
CREATE INDEX unit_orders_open_of ON unit_orders (investor, kind, strategy, cents) WHERE status = 'pending';
CREATE INDEX unit_orders_onward ON unit_orders (seq) WHERE onward IS NOT NULL AND onward_at IS NULL AND status = 'settled';

CREATE TRIGGER unit_orders_filed BEFORE INSERT ON unit_orders
BEGIN
  SELECT RAISE(ABORT, 'unit_orders: not pending or already filed')
    WHERE NEW.status <> 'pending' OR NEW.onward_at IS NOT NULL OR NEW.withdrawal IS NOT NULL
      OR coalesce(NEW.decided_at, NEW.decided_by, NEW.day) IS NOT NULL
      OR EXISTS (SELECT 1 FROM unit_orders WHERE id = NEW.id OR ref = NEW.ref OR seq = NEW.seq);
  SELECT RAISE(ABORT, 'unit_orders: amount out of range or wrong kind')
    WHERE coalesce(NEW.cents NOT BETWEEN 1 AND 1000000000000, NEW.kind <> 'redeem')
      OR NEW.kind NOT IN ('allocate', 'redeem') OR (NEW.onward IS NOT NULL AND NEW.kind <> 'redeem');
  SELECT RAISE(ABORT, 'not_found')
    WHERE NOT EXISTS (SELECT 1 FROM strategies WHERE slug = NEW.strategy)
      OR NOT EXISTS (SELECT 1 FROM users WHERE id = NEW.investor AND role = 'investor');
  SELECT RAISE(ABORT, 'account_closed')
    WHERE EXISTS (SELECT 1 FROM users WHERE id = NEW.investor AND closed_at IS NOT NULL);
  SELECT RAISE(ABORT, 'account_frozen')
    WHERE NEW.recovers IS NULL AND EXISTS (SELECT 1 FROM users WHERE id = NEW.investor AND frozen_at IS NOT NULL);
  SELECT RAISE(ABORT, 'unit_orders: no debt to recover')
    WHERE NEW.recovers IS NOT NULL AND (NEW.kind <> 'redeem' OR NOT EXISTS (
      SELECT 1 FROM transfers WHERE ref = NEW.recovers AND code = 'overdraw' AND from_account = NEW.investor || ':owed'));
  -- An order filed just before midnight that arrives after the next open was valued has to be filed again.
  SELECT RAISE(ABORT, 'conflict')
    WHERE EXISTS (
      SELECT 1 FROM valuations WHERE strategy = NEW.strategy AND day > NEW.created_at AND kind = 'open');
  SELECT RAISE(ABORT, 'too_many_open')
    WHERE NEW.recovers IS NULL
      AND (SELECT count(*) FROM unit_orders WHERE investor = NEW.investor AND kind = NEW.kind AND status = 'pending') >= 20;
  SELECT RAISE(ABORT, 'strategy_suspended')
    WHERE NEW.kind = 'allocate' AND EXISTS (SELECT 1 FROM strategies WHERE slug = NEW.strategy AND status <> 'active');
  SELECT RAISE(ABORT, 'validation_failed')
    WHERE NEW.kind = 'allocate' AND NEW.cents < (CASE
      WHEN EXISTS (SELECT 1 FROM positions WHERE investor = NEW.investor AND strategy = NEW.strategy AND units > 0) THEN 100
      ELSE (SELECT minimum FROM strategies WHERE slug = NEW.strategy) END);
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
  -- OR IGNORE in an outer statement could otherwise skip a step silently. The same holds for the checks below.
  SELECT RAISE(ABORT, 'unit_orders: money not set aside')
    WHERE NOT EXISTS (SELECT 1 FROM transfers WHERE ref = NEW.id AND code = 'allocate');
END;
CREATE TRIGGER unit_orders_give_back AFTER UPDATE OF status ON unit_orders
WHEN OLD.status = 'pending' AND NEW.status = 'cancelled' AND NEW.kind = 'allocate'
BEGIN
  INSERT INTO transfers (id, from_account, to_account, amount, code, ref, actor, at)
    VALUES (NEW.id || ':deallocate', NEW.investor || ':allocating:' || NEW.strategy, NEW.investor || ':available', NEW.cents,
      'deallocate', NEW.id, NEW.decided_by, NEW.decided_at);
  -- A debt is repaid first.
  INSERT INTO transfers (id, from_account, to_account, amount, code, ref, actor, at)
    SELECT NEW.id || ':repay', NEW.investor || ':available', a.id, min(-a.balance, NEW.cents), 'repay', NEW.id, NEW.decided_by,
      NEW.decided_at
    FROM accounts a WHERE a.id = NEW.investor || ':owed' AND a.balance < 0;
  SELECT RAISE(ABORT, 'unit_orders: money not returned')
    WHERE NOT EXISTS (SELECT 1 FROM transfers WHERE ref = NEW.id AND code = 'deallocate');
END;
CREATE TRIGGER unit_orders_decided_once BEFORE UPDATE ON unit_orders
BEGIN
  SELECT RAISE(ABORT, 'unit_orders: immutable columns')
    WHERE (NEW.onward IS NOT NULL AND NEW.onward IS NOT OLD.onward);
  SELECT RAISE(ABORT, 'already_decided')
    WHERE OLD.status <> 'pending' AND (NEW.status IS NOT OLD.status OR NEW.decided_at IS NOT OLD.decided_at
      OR NEW.decided_by IS NOT OLD.decided_by OR NEW.day IS NOT OLD.day);
  SELECT RAISE(ABORT, 'unit_orders: incomplete decision')
    WHERE NEW.status NOT IN ('pending', 'settled', 'cancelled') OR (NEW.status = 'pending') <> (NEW.decided_at IS NULL)
      OR (NEW.status = 'pending') <> (NEW.decided_by IS NULL) OR (NEW.status = 'settled') <> (NEW.day IS NOT NULL);
  SELECT RAISE(ABORT, 'forbidden')
    WHERE (CASE NEW.status WHEN 'settled' THEN NEW.decided_by <> 'system'
      WHEN 'cancelled' THEN NEW.decided_by NOT IN (iif(OLD.recovers IS NULL, NEW.investor, 'system'), 'system') ELSE 0 END);
  -- An order whose price is fixed can no longer be cancelled, since the price is known. Two exceptions: the units are gone, or
  -- the investor has a debt by now.
  SELECT RAISE(ABORT, 'already_decided')
    WHERE OLD.status = 'pending' AND NEW.status = 'cancelled' AND EXISTS (
        SELECT 1 FROM valuations WHERE strategy = OLD.strategy AND day > OLD.created_at AND kind = 'open')
      AND (CASE OLD.kind
        WHEN 'allocate' THEN NEW.decided_by <> 'system'
          OR NOT EXISTS (SELECT 1 FROM accounts WHERE id = OLD.investor || ':owed' AND balance < 0)
        ELSE EXISTS (SELECT 1 FROM positions WHERE investor = OLD.investor AND strategy = OLD.strategy AND units > 0)
        END);
  SELECT RAISE(ABORT, 'unit_orders: no movement at the first open')
    WHERE OLD.status = 'pending' AND NEW.status = 'settled' AND (
      NEW.day IS NOT (
        SELECT min(day) FROM valuations WHERE strategy = OLD.strategy AND day > OLD.created_at AND kind = 'open')
      OR NEW.day IS NOT (SELECT day FROM unit_movements WHERE ref = OLD.id));
  SELECT RAISE(ABORT, 'unit_orders: proceeds already forwarded')
    WHERE (OLD.onward_at IS NOT NULL AND (NEW.onward_at IS NOT OLD.onward_at OR NEW.withdrawal IS NOT OLD.withdrawal))
      OR (NEW.onward_at IS NOT NULL AND OLD.onward_at IS NULL AND (NEW.status <> 'settled' OR OLD.onward IS NULL))
      OR (NEW.withdrawal IS NOT NULL AND NEW.onward_at IS NULL)
      OR (NEW.withdrawal IS NOT OLD.withdrawal AND NOT EXISTS (
        SELECT 1 FROM requests WHERE id = NEW.withdrawal AND investor = OLD.investor AND queue = 'withdrawals'));
END;
-- Refuses a second decision with the same time and the same values, which unit_orders_decided_once cannot see.
CREATE TRIGGER unit_orders_decided_already BEFORE UPDATE OF status ON unit_orders
WHEN OLD.status <> 'pending'
BEGIN
  SELECT RAISE(ABORT, 'already_decided');
END;
-- An order belongs to the first 00:00 UTC after it was filed, even if that price is written down later. From then on it cannot
-- be cancelled, since the price may be known. A subscription to a suspended strategy can be cancelled at any time.
CREATE TRIGGER unit_orders_cancelled_in_time BEFORE UPDATE OF status ON unit_orders
WHEN NEW.status = 'cancelled' AND NEW.decided_by IS NOT 'system'
BEGIN
  SELECT RAISE(ABORT, 'already_decided')
    WHERE NEW.decided_at >= (OLD.created_at / 86400000 + 1) * 86400000
      AND NOT (OLD.kind = 'allocate' AND EXISTS (SELECT 1 FROM strategies WHERE slug = OLD.strategy AND status <> 'active'));
END;

CREATE TABLE positions (
  investor TEXT NOT NULL REFERENCES users (id),
  strategy TEXT NOT NULL REFERENCES pools (strategy),
  units INTEGER NOT NULL DEFAULT 0,         -- 10⁻⁶
  cost INTEGER NOT NULL DEFAULT 0,          -- cents, the cost of the units in the investor's ledger
  high_water INTEGER NOT NULL DEFAULT 0,    -- micro-USD per unit: a performance fee counts above this
  last_movement INTEGER NOT NULL DEFAULT 0,
  PRIMARY KEY (investor, strategy)
) STRICT, WITHOUT ROWID;
CREATE INDEX positions_by_strategy ON positions (strategy, investor);

CREATE TRIGGER positions_open_empty BEFORE INSERT ON positions
BEGIN
  SELECT RAISE(ABORT, 'positions: not empty or already open')
    WHERE NEW.units <> 0 OR NEW.cost <> 0 OR NEW.high_water <> 0 OR NEW.last_movement <> 0
      OR EXISTS (SELECT 1 FROM positions WHERE investor = NEW.investor AND strategy = NEW.strategy);
END;
-- A sale takes its share of the cost, rounded down. Selling the last unit takes all of it.
CREATE TRIGGER positions_follow_movements BEFORE UPDATE ON positions
BEGIN
  SELECT RAISE(ABORT, 'positions: changed without a movement')
    WHERE NEW.last_movement <= OLD.last_movement OR NOT EXISTS (
      SELECT 1 FROM unit_movements m
      WHERE m.seq = NEW.last_movement AND m.investor = OLD.investor AND m.strategy = OLD.strategy
        AND NEW.units = OLD.units + m.units AND NEW.high_water = m.high_water
        AND NEW.cost = OLD.cost + (CASE m.code WHEN 'issue' THEN m.cost ELSE -m.cost END));
  SELECT RAISE(ABORT, 'positions: more sold than held')
    WHERE NEW.units NOT BETWEEN 0 AND 1000000000000000 OR NEW.cost NOT BETWEEN 0 AND 100000000000000;
  SELECT RAISE(ABORT, 'positions: cost differs from the share sold')
    WHERE NEW.units < OLD.units AND OLD.cost - NEW.cost IS NOT
      (SELECT q * 4096 + (r * 4096 + (OLD.cost & 4095) * (OLD.units - NEW.units)) / OLD.units
        FROM (SELECT q * 4096 + n / OLD.units AS q, n % OLD.units AS r
        FROM (SELECT q, r * 4096 + ((OLD.cost >> 12) & 4095) * (OLD.units - NEW.units) AS n
        FROM (SELECT q * 4096 + n / OLD.units AS q, n % OLD.units AS r
        FROM (SELECT q, r * 4096 + ((OLD.cost >> 24) & 4095) * (OLD.units - NEW.units) AS n
        FROM (SELECT n / OLD.units AS q, n % OLD.units AS r FROM (SELECT (OLD.cost >> 36) * (OLD.units - NEW.units) AS n)))))));
END;

CREATE TABLE unit_movements (
  seq INTEGER PRIMARY KEY AUTOINCREMENT,
  id TEXT NOT NULL UNIQUE,
  investor TEXT NOT NULL,
  strategy TEXT NOT NULL,
  code TEXT NOT NULL CHECK (code IN ('issue', 'redeem', 'fee')),
  units INTEGER NOT NULL CHECK (units <> 0),  -- 10⁻⁶, signed: positive bought, negative sold
  price INTEGER NOT NULL CHECK (price > 0),
  cents INTEGER NOT NULL CHECK (cents >= 0),  -- what they cost or brought
  cost INTEGER NOT NULL CHECK (cost >= 0),  -- cents: the part of the invested cost that moved with them
  high_water INTEGER NOT NULL,              -- from now on
  day INTEGER NOT NULL,                     -- of the valuation whose open was the price
  ref TEXT NOT NULL UNIQUE,                 -- the order, or the fee
  at INTEGER NOT NULL,
  FOREIGN KEY (investor, strategy) REFERENCES positions (investor, strategy)
) STRICT;
CREATE INDEX unit_movements_by_investor ON unit_movements (investor, strategy, seq);
CREATE INDEX unit_movements_by_strategy ON unit_movements (strategy, seq);
-- For the strategies' overview.
CREATE INDEX unit_movements_fees ON unit_movements (strategy, at, cents) WHERE code = 'fee';
-- A statement of an earlier period looks up the movements since then.
CREATE INDEX unit_movements_by_time ON unit_movements (investor, at);

CREATE TRIGGER unit_movements_checked BEFORE INSERT ON unit_movements
BEGIN
  SELECT RAISE(ABORT, 'unit_movements: already stored')
    WHERE EXISTS (SELECT 1 FROM unit_movements WHERE id = NEW.id OR seq = NEW.seq OR ref = NEW.ref);
  SELECT RAISE(ABORT, 'unit_movements: units, price or amount out of range')
    WHERE abs(NEW.units) NOT BETWEEN 1 AND 1000000000000000 OR NEW.price NOT BETWEEN 1 AND 1000000000000
      OR NEW.cents NOT BETWEEN 0 AND 100000000000000 OR NEW.cost NOT BETWEEN 0 AND 100000000000000
      OR NEW.high_water NOT BETWEEN 1 AND 1000000000000
      OR (NEW.code = 'issue') <> (NEW.units > 0) OR (NEW.code = 'issue' AND NEW.cost <> NEW.cents);
  SELECT RAISE(ABORT, 'unit_movements: no matching cause')
    WHERE NOT (CASE NEW.code
      WHEN 'fee' THEN NEW.cents > 0
        AND NOT EXISTS (SELECT 1 FROM unit_orders WHERE id = NEW.ref)
        -- An investor who pays a fee keeps some units.
        AND EXISTS (
          SELECT 1 FROM positions WHERE investor = NEW.investor AND strategy = NEW.strategy AND units + NEW.units > 0)
      ELSE EXISTS (
        SELECT 1 FROM unit_orders o WHERE o.id = NEW.ref AND o.investor = NEW.investor AND o.strategy = NEW.strategy
          AND o.status <> 'cancelled' AND coalesce(o.day, NEW.day) = NEW.day
          AND o.kind = (CASE NEW.code WHEN 'issue' THEN 'allocate' ELSE 'redeem' END))
      END);
  SELECT RAISE(ABORT, 'unit_movements: price differs from the open')
    WHERE NEW.price IS NOT (
      SELECT (CASE NEW.code WHEN 'issue' THEN issue_price ELSE redeem_price END) FROM valuations
      WHERE strategy = NEW.strategy AND day = NEW.day AND kind = 'open');
  SELECT RAISE(ABORT, 'unit_movements: units differ from amount and price')
    WHERE NEW.code = 'issue' AND (
      NEW.cents IS NOT (SELECT cents FROM unit_orders WHERE id = NEW.ref)
      OR NEW.units IS NOT
        (SELECT q * 4096 + (r * 4096 + (NEW.cents & 4095) * 10000000000) / NEW.price
          FROM (SELECT q * 4096 + n / NEW.price AS q, n % NEW.price AS r
          FROM (SELECT q, r * 4096 + ((NEW.cents >> 12) & 4095) * 10000000000 AS n
          FROM (SELECT q * 4096 + n / NEW.price AS q, n % NEW.price AS r
          FROM (SELECT q, r * 4096 + ((NEW.cents >> 24) & 4095) * 10000000000 AS n
          FROM (SELECT n / NEW.price AS q, n % NEW.price AS r FROM (SELECT (NEW.cents >> 36) * 10000000000 AS n))))))));
  SELECT RAISE(ABORT, 'unit_movements: proceeds differ from units and price')
    WHERE NEW.code <> 'issue' AND NEW.cents IS NOT
      (SELECT q * 4096 + (r * 4096 + (NEW.price & 4095) * -NEW.units) / 10000000000
        FROM (SELECT q * 4096 + n / 10000000000 AS q, n % 10000000000 AS r
        FROM (SELECT q, r * 4096 + ((NEW.price >> 12) & 4095) * -NEW.units AS n
        FROM (SELECT q * 4096 + n / 10000000000 AS q, n % 10000000000 AS r
        FROM (SELECT q, r * 4096 + ((NEW.price >> 24) & 4095) * -NEW.units AS n
        FROM (SELECT n / 10000000000 AS q, n % 10000000000 AS r FROM (SELECT (NEW.price >> 36) * -NEW.units AS n)))))));
  -- All units, or the fewest that bring the amount.
  SELECT RAISE(ABORT, 'unit_movements: sold units differ from the order')
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
  SELECT RAISE(ABORT, 'unit_movements: wrong high-water mark')
    WHERE NOT coalesce((
      SELECT (CASE NEW.code
        WHEN 'issue' THEN (CASE p.units WHEN 0 THEN NEW.high_water = NEW.price
          ELSE NEW.high_water BETWEEN min(p.high_water, NEW.price) AND max(p.high_water, NEW.price) END)
        WHEN 'redeem' THEN NEW.high_water = p.high_water
        ELSE NEW.high_water = p.high_water OR (NEW.high_water > p.high_water AND NEW.high_water = (
          SELECT unit_price FROM valuations WHERE strategy = NEW.strategy AND day = NEW.day AND kind = 'open'))
        END)
      FROM positions p WHERE p.investor = NEW.investor AND p.strategy = NEW.strategy), 0);
END;
CREATE TRIGGER unit_movements_posted AFTER INSERT ON unit_movements
BEGIN
  UPDATE positions SET units = units + NEW.units, cost = cost + (CASE NEW.code WHEN 'issue' THEN NEW.cost ELSE -NEW.cost END),
    high_water = NEW.high_water, last_movement = NEW.seq
  WHERE investor = NEW.investor AND strategy = NEW.strategy;
  SELECT RAISE(ABORT, 'unit_movements: position not updated')
    WHERE NOT EXISTS (
      SELECT 1 FROM positions WHERE investor = NEW.investor AND strategy = NEW.strategy AND last_movement = NEW.seq);
  SELECT RAISE(ABORT, 'unit_movements: gap in the numbers')
    WHERE NEW.seq <> 1 + coalesce((SELECT seq FROM unit_movements WHERE seq <> NEW.seq ORDER BY seq DESC LIMIT 1), 0);
END;
-- A movement settles its order and moves its money in the pool and the ledger.
CREATE TRIGGER unit_movements_settle AFTER INSERT ON unit_movements
BEGIN
  UPDATE unit_orders SET status = 'settled', decided_at = NEW.at, decided_by = 'system', day = NEW.day
    WHERE id = NEW.ref AND NEW.code <> 'fee';
  INSERT INTO pool_entries (id, strategy, code, cash, units, ref, at)
    VALUES (NEW.id, NEW.strategy, (CASE NEW.code WHEN 'issue' THEN 'issue' ELSE 'redeem' END),
      (CASE NEW.code WHEN 'issue' THEN NEW.cents ELSE -NEW.cents END) * 10000, NEW.units, NEW.ref, NEW.at);
  INSERT INTO transfers (id, from_account, to_account, amount, code, ref, actor, at)
    SELECT NEW.ref || ':' || code, NEW.investor || from_kind, NEW.investor || to_kind, amount, code, NEW.ref, 'system', NEW.at
    FROM (
      SELECT 1 AS place, 'invest' AS code, ':allocating:' || NEW.strategy AS from_kind, ':invested:' || NEW.strategy AS to_kind,
        (CASE NEW.code WHEN 'issue' THEN NEW.cents ELSE 0 END) AS amount
      UNION ALL SELECT 2, 'redeem', ':invested:' || NEW.strategy, ':available',
        (CASE NEW.code WHEN 'issue' THEN 0 ELSE min(NEW.cost, NEW.cents) END)
      UNION ALL SELECT 3, 'lose', ':invested:' || NEW.strategy, ':result:' || NEW.strategy, NEW.cost - NEW.cents
      UNION ALL SELECT 4, 'gain', ':result:' || NEW.strategy, ':available', NEW.cents - NEW.cost
      UNION ALL SELECT 5, 'fee', ':available', ':fees', (CASE NEW.code WHEN 'fee' THEN NEW.cents ELSE 0 END))
    WHERE amount > 0 ORDER BY place;
  INSERT INTO transfers (id, from_account, to_account, amount, code, ref, actor, at)
    SELECT NEW.ref || ':repay', NEW.investor || ':available', a.id, min(-a.balance, NEW.cents), 'repay', NEW.ref, 'system', NEW.at
    FROM accounts a WHERE a.id = NEW.investor || ':owed' AND a.balance < 0 AND NEW.code = 'redeem' AND NEW.cents > 0;
  -- The money that repaid the debt was never there, so the company keeps the same share of the gain.
  INSERT INTO transfers (id, from_account, to_account, amount, code, ref, actor, at)
    SELECT NEW.ref || ':forfeit', NEW.investor || ':available', NEW.investor || ':fees', amount, 'forfeit', NEW.ref, 'system', NEW.at
    FROM (
      SELECT min(NEW.cents - r.amount, CAST((NEW.cents - NEW.cost) * 1.0 * r.amount / max(NEW.cost, 1) AS INTEGER)) AS amount
      FROM transfers r WHERE r.ref = NEW.ref AND r.code = 'repay' AND NEW.code = 'redeem')
    WHERE amount > 0;
  SELECT RAISE(ABORT, 'unit_movements: order, pool or books not updated')
    WHERE NOT EXISTS (SELECT 1 FROM pool_entries WHERE ref = NEW.ref)
      OR (NEW.code <> 'fee' AND NOT EXISTS (SELECT 1 FROM unit_orders WHERE id = NEW.ref AND status = 'settled' AND day = NEW.day))
      OR (SELECT coalesce(sum(amount), 0) FROM transfers
          WHERE ref = NEW.ref AND code IN ('invest', 'redeem', 'gain')) <> NEW.cents
      OR (SELECT coalesce(sum(amount), 0) FROM transfers
          WHERE ref = NEW.ref AND code IN ('invest', 'redeem', 'lose')) <> NEW.cost
      OR (NEW.code = 'fee' AND NOT EXISTS (SELECT 1 FROM transfers WHERE ref = NEW.ref AND code = 'fee' AND amount = NEW.cents));
END;

-- What was invested of reversed money comes back: the batch that reverses it also files the redemptions, of so many units as the debt
-- bought. By the newest valuation, over all positions, less what comes back already: pending redemptions, and money set aside for
-- orders, which are cancelled while there is a debt.
CREATE TRIGGER transfers_recovered AFTER INSERT ON transfers
WHEN NEW.code = 'overdraw'
BEGIN
  INSERT INTO unit_orders (id, ref, investor, strategy, kind, cents, created_at, recovers)
    WITH held (investor, strategy, cost, worth) AS MATERIALIZED (
      SELECT p.investor, p.strategy, p.cost, p.units * 1e-10 * (
          SELECT unit_price FROM valuations v WHERE v.strategy = p.strategy ORDER BY v.day DESC, v.kind LIMIT 1)
      FROM accounts f JOIN positions p ON p.investor = f.owner
      WHERE f.id = NEW.from_account AND NOT EXISTS (
        SELECT 1 FROM unit_orders o
        WHERE o.investor = p.investor AND o.kind = 'redeem' AND o.strategy = p.strategy AND o.status = 'pending' AND o.cents IS NULL)),
    debt (cents) AS MATERIALIZED (
      SELECT NEW.amount
        - (SELECT coalesce(sum(balance), 0) FROM accounts WHERE owner = f.owner AND kind = 'allocating')
        - (SELECT coalesce(sum(cents), 0) FROM unit_orders WHERE investor = f.owner AND kind = 'redeem' AND status = 'pending')
      FROM accounts f WHERE f.id = NEW.from_account),
    wanted (investor, strategy, worth, cents) AS (
      SELECT h.investor, h.strategy, h.worth,
        d.cents * h.worth / (SELECT sum(worth) FROM held) * max(1.0, h.worth / max(h.cost, 1))
      FROM held h JOIN debt d ON d.cents > 0 AND h.worth > 0)
    SELECT lower(hex(randomblob(16))), 'RDM-' || hex(randomblob(4)), investor, strategy, 'redeem',
      (CASE WHEN cents + 1 < worth THEN CAST(cents AS INTEGER) + 1 END), NEW.at, NEW.ref
    FROM wanted ORDER BY strategy;
END;

-- A pool's debt that the company pays: its trades brought less than the prices at which its investors left.
CREATE TABLE pool_covers (
  proposal TEXT PRIMARY KEY REFERENCES proposals (id),
  strategy TEXT NOT NULL REFERENCES pools (strategy),
  cash INTEGER NOT NULL,                    -- micro-USD
  at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

-- Only an entry changes a pool: units that come or go with their money, fills, and a debt that the company paid.
CREATE TABLE pool_entries (
  seq INTEGER PRIMARY KEY AUTOINCREMENT,
  id TEXT NOT NULL UNIQUE,
  strategy TEXT NOT NULL REFERENCES pools (strategy),
  code TEXT NOT NULL CHECK (code IN ('issue', 'redeem', 'buy', 'sell', 'cover')),
  cash INTEGER NOT NULL,                    -- micro-USD, signed like units and quantity
  units INTEGER NOT NULL DEFAULT 0,
  asset TEXT,
  quantity INTEGER NOT NULL DEFAULT 0,
  ref TEXT NOT NULL UNIQUE,                 -- the movement, the fill or the proposal
  at INTEGER NOT NULL,
  FOREIGN KEY (strategy, asset) REFERENCES pool_holdings (strategy, asset)
) STRICT;
CREATE INDEX pool_entries_by_strategy ON pool_entries (strategy, seq);

CREATE TRIGGER pool_entries_checked BEFORE INSERT ON pool_entries
BEGIN
  SELECT RAISE(ABORT, 'pool_entries: already stored')
    WHERE EXISTS (SELECT 1 FROM pool_entries WHERE id = NEW.id OR seq = NEW.seq OR ref = NEW.ref);
  SELECT RAISE(ABORT, 'pool_entries: no matching cause')
    WHERE NOT (CASE
      WHEN NEW.code IN ('issue', 'redeem') THEN NEW.asset IS NULL AND NEW.quantity = 0 AND EXISTS (
        SELECT 1 FROM unit_movements m WHERE m.ref = NEW.ref AND m.strategy = NEW.strategy AND m.units = NEW.units
          AND (CASE NEW.code WHEN 'issue' THEN m.code = 'issue' AND NEW.cash = m.cents * 10000
            ELSE m.code <> 'issue' AND NEW.cash = -m.cents * 10000 END))
      WHEN NEW.code IN ('buy', 'sell') THEN NEW.units = 0 AND EXISTS (
        SELECT 1 FROM pool_fills f JOIN pool_orders o ON o.id = f.pool_order
        WHERE f.id = NEW.ref AND o.strategy = NEW.strategy AND o.asset = NEW.asset AND o.side = NEW.code AND NEW.cash = f.cash
          AND NEW.quantity = (CASE NEW.code WHEN 'buy' THEN f.quantity ELSE -f.quantity END))
      WHEN NEW.code = 'cover' THEN NEW.asset IS NULL AND NEW.quantity = 0 AND NEW.units = 0 AND EXISTS (
        SELECT 1 FROM pool_covers c WHERE c.proposal = NEW.ref AND c.strategy = NEW.strategy AND c.cash = NEW.cash)
      ELSE 0
      END);
END;
CREATE TRIGGER pool_entries_posted AFTER INSERT ON pool_entries
BEGIN
  UPDATE pools SET cash = cash + NEW.cash, units = units + NEW.units, last_entry = NEW.seq WHERE strategy = NEW.strategy;
  UPDATE pool_holdings SET quantity = quantity + NEW.quantity, last_entry = NEW.seq
    WHERE strategy = NEW.strategy AND asset = NEW.asset;
  SELECT RAISE(ABORT, 'pool_entries: pool not updated')
    WHERE NOT EXISTS (SELECT 1 FROM pools WHERE strategy = NEW.strategy AND last_entry = NEW.seq)
      OR (NEW.asset IS NOT NULL AND NOT EXISTS (
        SELECT 1 FROM pool_holdings WHERE strategy = NEW.strategy AND asset = NEW.asset AND last_entry = NEW.seq));
  SELECT RAISE(ABORT, 'pool_entries: gap in the numbers')
    WHERE NEW.seq <> 1 + coalesce((SELECT seq FROM pool_entries WHERE seq <> NEW.seq ORDER BY seq DESC LIMIT 1), 0);
END;
