-- Exchanges ("venues"): which strategies trade there, what was sent, what was filled, and what each venue must hold.

-- Kinds of things two operators decide about venues: a strategy that trades there, money moved there or back, trading that goes on.
INSERT INTO proposal_kinds (kind) VALUES ('venue');
INSERT INTO proposal_roles (kind, role) VALUES ('venue', 'treasurer'), ('venue', 'administrator');

-- A strategy with a row trades with money at a venue. All others trade on paper.
CREATE TABLE venue_strategies (
  strategy TEXT PRIMARY KEY REFERENCES strategies (slug),
  venue TEXT NOT NULL,
  since INTEGER NOT NULL,
  proposal TEXT NOT NULL REFERENCES proposals (id)
) STRICT, WITHOUT ROWID;                    -- REPLACE on a rowid table would delete a row without firing its triggers

CREATE TRIGGER venue_strategies_decided BEFORE INSERT ON venue_strategies
BEGIN
  SELECT RAISE(ABORT, 'second_operator_required')
    WHERE NOT EXISTS (
      SELECT 1 FROM proposals p
      WHERE p.id = NEW.proposal AND p.kind = 'venue' AND p.status = 'approved' AND p.decided_at = NEW.since
        AND json_extract(p.payload, '$.action') = 'trade' AND json_extract(p.payload, '$.strategy') = NEW.strategy
        AND json_extract(p.payload, '$.venue') = NEW.venue);
  -- Holdings on paper cannot become real ones, and a strategy trades where its prices come from.
  SELECT RAISE(ABORT, 'conflict')
    WHERE EXISTS (SELECT 1 FROM venue_strategies WHERE strategy = NEW.strategy)
      OR NOT EXISTS (SELECT 1 FROM strategies WHERE slug = NEW.strategy AND market = NEW.venue AND status = 'active')
      OR EXISTS (SELECT 1 FROM pools WHERE strategy = NEW.strategy AND units > 0)
      OR EXISTS (SELECT 1 FROM pool_holdings WHERE strategy = NEW.strategy AND quantity > 0);
END;

-- Trading is stopped at one venue, or everywhere. One operator stops it, two let it go on.
CREATE TABLE trading_stops (
  seq INTEGER PRIMARY KEY AUTOINCREMENT,
  scope TEXT NOT NULL,                      -- a venue, or "all"
  at INTEGER NOT NULL,
  actor TEXT NOT NULL,                      -- an operator
  reason TEXT NOT NULL,
  lifted_by TEXT REFERENCES proposals (id),
  lifted_at INTEGER
) STRICT;

CREATE TRIGGER trading_stops_start BEFORE INSERT ON trading_stops
BEGIN
  SELECT RAISE(ABORT, 'trading_stops: already stored')
    WHERE NEW.lifted_by IS NOT NULL OR NEW.lifted_at IS NOT NULL OR EXISTS (SELECT 1 FROM trading_stops WHERE seq = NEW.seq);
  SELECT RAISE(ABORT, 'forbidden')
    WHERE NOT EXISTS (
      SELECT 1 FROM users u JOIN proposal_roles r ON r.kind = 'venue'
      WHERE u.id = NEW.actor AND u.role = 'operator' AND u.disabled_at IS NULL
        AND instr(' ' || u.operator_roles || ' ', ' ' || r.role || ' ') > 0);
  SELECT RAISE(ABORT, 'conflict')
    WHERE EXISTS (SELECT 1 FROM trading_stops WHERE scope = NEW.scope AND lifted_at IS NULL);
END;
CREATE TRIGGER trading_stops_lifted BEFORE UPDATE ON trading_stops
BEGIN
  SELECT RAISE(ABORT, 'trading_stops: already ended or immutable columns')
    WHERE OLD.lifted_at IS NOT NULL OR NEW.lifted_at IS NULL OR NEW.seq IS NOT OLD.seq OR NEW.scope IS NOT OLD.scope
      OR NEW.at IS NOT OLD.at OR NEW.actor IS NOT OLD.actor OR NEW.reason IS NOT OLD.reason;
  SELECT RAISE(ABORT, 'second_operator_required')
    WHERE NOT EXISTS (
      SELECT 1 FROM proposals p
      WHERE p.id = NEW.lifted_by AND p.kind = 'venue' AND p.status = 'approved' AND p.decided_at = NEW.lifted_at
        AND p.created_at >= OLD.at
        AND json_extract(p.payload, '$.action') = 'resume' AND json_extract(p.payload, '$.scope') = OLD.scope);
END;

-- Money that two operators moved from the treasury to a venue, or back.
CREATE TABLE venue_transfers (
  seq INTEGER PRIMARY KEY AUTOINCREMENT,
  venue TEXT NOT NULL,
  asset TEXT NOT NULL,
  quantity INTEGER NOT NULL,                -- 10⁻⁸ of the asset; negative when it left the venue
  at INTEGER NOT NULL,
  proposal TEXT NOT NULL UNIQUE REFERENCES proposals (id)
) STRICT;
CREATE INDEX venue_transfers_by_venue ON venue_transfers (venue, asset);

CREATE TRIGGER venue_transfers_decided BEFORE INSERT ON venue_transfers
BEGIN
  SELECT RAISE(ABORT, 'venue_transfers: already stored')
    WHERE EXISTS (SELECT 1 FROM venue_transfers WHERE seq = NEW.seq OR proposal = NEW.proposal);
  SELECT RAISE(ABORT, 'second_operator_required')
    WHERE NOT EXISTS (
      SELECT 1 FROM proposals p
      WHERE p.id = NEW.proposal AND p.kind = 'venue' AND p.status = 'approved' AND p.decided_at = NEW.at
        AND json_extract(p.payload, '$.action') = 'transfer' AND json_extract(p.payload, '$.venue') = NEW.venue
        AND json_extract(p.payload, '$.asset') = NEW.asset AND json_extract(p.payload, '$.quantity') = NEW.quantity);
END;

-- What is sent to a venue for an order of a pool, written before it is sent. An order that was not filled whole is sent again for
-- the rest under another id, once this one can no longer be filled.
CREATE TABLE venue_orders (
  seq INTEGER PRIMARY KEY AUTOINCREMENT,
  id TEXT NOT NULL UNIQUE,                  -- the venue gets it as the client's order id
  pool_order TEXT NOT NULL REFERENCES pool_orders (id),
  venue TEXT NOT NULL,
  side TEXT NOT NULL,
  quantity INTEGER NOT NULL,                -- 10⁻⁸
  limit_price INTEGER NOT NULL,             -- nano-USD for one
  most_paid INTEGER NOT NULL,               -- micro-USD: quantity × limit price, and the highest fee of a purchase
  believed_price INTEGER NOT NULL,          -- nano-USD: the newest price of the feed
  bid INTEGER NOT NULL,                     -- nano-USD: the venue's own book, just before
  ask INTEGER NOT NULL,
  priced_at INTEGER NOT NULL,               -- when the older of the two prices was read
  sent_at INTEGER NOT NULL,
  expires_at INTEGER NOT NULL,              -- the deadline given to the venue: nothing is filled later
  -- sending: it may have arrived. open: the venue has it. Final: closed, refused by the venue, or absent from it.
  state TEXT NOT NULL DEFAULT 'sending' CHECK (state IN ('sending', 'open', 'closed', 'refused', 'absent')),
  venue_id TEXT,
  filled INTEGER,                           -- 10⁻⁸, as the venue says at the end
  reason TEXT,
  seen_at INTEGER                           -- when the venue's lists were last complete and did not have it
) STRICT;
CREATE INDEX venue_orders_by_order ON venue_orders (pool_order);
CREATE INDEX venue_orders_unfinished ON venue_orders (venue, seq) WHERE state IN ('sending', 'open');

CREATE TRIGGER venue_orders_sent BEFORE INSERT ON venue_orders
BEGIN
  SELECT RAISE(ABORT, 'venue_orders: already stored or already sent')
    WHERE NEW.state <> 'sending' OR NEW.venue_id IS NOT NULL OR NEW.filled IS NOT NULL OR NEW.seen_at IS NOT NULL
      OR EXISTS (SELECT 1 FROM venue_orders WHERE id = NEW.id OR seq = NEW.seq);
  SELECT RAISE(ABORT, 'venue_orders: no open order of a pool there')
    WHERE NOT EXISTS (
      SELECT 1 FROM pool_orders o JOIN venue_strategies v ON v.strategy = o.strategy
      WHERE o.id = NEW.pool_order AND o.side = NEW.side AND v.venue = NEW.venue);
  SELECT RAISE(ABORT, 'venue_orders: trading stopped')
    WHERE EXISTS (SELECT 1 FROM trading_stops WHERE scope IN ('all', NEW.venue) AND lifted_at IS NULL);
  -- Two orders that can both be filled would trade twice.
  SELECT RAISE(ABORT, 'venue_orders: earlier order still open')
    WHERE EXISTS (SELECT 1 FROM venue_orders WHERE pool_order = NEW.pool_order AND state IN ('sending', 'open'))
      OR EXISTS (SELECT 1 FROM pool_order_ends WHERE pool_order = NEW.pool_order);
  SELECT RAISE(ABORT, 'venue_orders: more than the rest of the order')
    WHERE NEW.quantity <= 0 OR NEW.quantity > (
      SELECT o.quantity - (SELECT coalesce(sum(quantity), 0) FROM pool_fills WHERE pool_order = o.id)
      FROM pool_orders o WHERE o.id = NEW.pool_order);
  SELECT RAISE(ABORT, 'venue_orders: prices too old or incomplete')
    WHERE NEW.bid <= 0 OR NEW.ask <= NEW.bid OR NEW.believed_price <= 0
      OR NEW.priced_at NOT BETWEEN NEW.sent_at - 300000 AND NEW.sent_at;
  SELECT RAISE(ABORT, 'venue_orders: limit outside the collar')
    WHERE NEW.limit_price <= 0 OR abs(NEW.limit_price - NEW.believed_price) * 10000.0 > NEW.believed_price
      * coalesce((SELECT CAST(value AS INTEGER) FROM settings WHERE key = 'orderCollar'), 100);
  SELECT RAISE(ABORT, 'venue_orders: must end within an hour')
    WHERE NEW.expires_at NOT BETWEEN NEW.sent_at + 1 AND NEW.sent_at + 3600000;
  SELECT RAISE(ABORT, 'venue_orders: cost below quantity times limit')
    WHERE NEW.most_paid < NEW.quantity / 100000000.0 * NEW.limit_price / 1000.0 - 1;
  SELECT RAISE(ABORT, 'venue_orders: above the limit of an order')
    WHERE NEW.most_paid > 10000 * coalesce((SELECT CAST(value AS INTEGER) FROM settings WHERE key = 'orderMost'), 1000000);
  SELECT RAISE(ABORT, 'venue_orders: above the limit of a day')
    WHERE NEW.most_paid + (
        SELECT coalesce(sum(w.most_paid), 0)
        FROM pool_orders o JOIN pool_orders d ON d.strategy = o.strategy JOIN venue_orders w ON w.pool_order = d.id
        WHERE o.id = NEW.pool_order AND w.sent_at > NEW.sent_at - 86400000 AND w.state NOT IN ('refused', 'absent')
      ) > 10000 * coalesce((SELECT CAST(value AS INTEGER) FROM settings WHERE key = 'orderDayMost'), 5000000);
  -- The day's allocations belong to the pool once they are settled, after its trades.
  SELECT RAISE(ABORT, 'venue_orders: more than the cash of the pool')
    WHERE NEW.side = 'buy' AND NEW.most_paid > (
      SELECT p.cash
        + (SELECT coalesce(sum(u.cents), 0) * 10000 FROM unit_orders u
           WHERE u.strategy = p.strategy AND u.status = 'pending' AND u.kind = 'allocate' AND u.created_at < o.day)
        - (SELECT coalesce(sum(w.most_paid), 0) FROM pool_orders d JOIN venue_orders w ON w.pool_order = d.id
           WHERE d.strategy = p.strategy AND d.side = 'buy' AND w.state IN ('sending', 'open'))
      FROM pool_orders o JOIN pools p ON p.strategy = o.strategy WHERE o.id = NEW.pool_order);
  SELECT RAISE(ABORT, 'venue_orders: more sold than held')
    WHERE NEW.side = 'sell' AND NEW.quantity > (
      SELECT h.quantity
        - (SELECT coalesce(sum(w.quantity), 0) FROM pool_orders d JOIN venue_orders w ON w.pool_order = d.id
           WHERE d.strategy = h.strategy AND d.asset = h.asset AND d.side = 'sell' AND w.state IN ('sending', 'open'))
      FROM pool_orders o JOIN pool_holdings h ON h.strategy = o.strategy AND h.asset = o.asset WHERE o.id = NEW.pool_order);
END;
CREATE TRIGGER venue_orders_advance BEFORE UPDATE ON venue_orders
BEGIN
  SELECT RAISE(ABORT, 'venue_orders: immutable columns')
    WHERE NEW.venue_id IS NOT coalesce(OLD.venue_id, NEW.venue_id);
  SELECT RAISE(ABORT, 'conflict')
    WHERE NOT (CASE OLD.state
      WHEN 'sending' THEN NEW.state IN ('sending', 'open', 'closed', 'refused', 'absent')
      WHEN 'open' THEN NEW.state IN ('open', 'closed')
      ELSE 0 END);
  SELECT RAISE(ABORT, 'venue_orders: no id of the venue')
    WHERE NEW.state IN ('open', 'closed') AND NEW.venue_id IS NULL;
  SELECT RAISE(ABORT, 'venue_orders: fills differ from the quantity filled')
    WHERE (NEW.state = 'closed') <> (NEW.filled IS NOT NULL) OR (
      NEW.state IN ('closed', 'refused', 'absent') AND coalesce(NEW.filled, 0) <> (
        SELECT coalesce(sum(quantity), 0) FROM pool_fills WHERE venue_order = NEW.id));
  -- A venue may show an order half an hour late.
  SELECT RAISE(ABORT, 'venue_orders: absent too early')
    WHERE NEW.state = 'absent' AND coalesce(NEW.seen_at, 0) < NEW.expires_at + 1800000;
END;

CREATE UNIQUE INDEX pool_fills_by_trade ON pool_fills (trade) WHERE trade IS NOT NULL;
CREATE INDEX pool_fills_by_venue_order ON pool_fills (venue_order) WHERE venue_order IS NOT NULL;

CREATE TRIGGER pool_fills_of_venues BEFORE INSERT ON pool_fills
BEGIN
  SELECT RAISE(ABORT, 'pool_fills: trade already booked')
    WHERE NEW.trade IS NOT NULL AND EXISTS (SELECT 1 FROM pool_fills WHERE trade = NEW.trade);
  SELECT RAISE(ABORT, 'pool_fills: fill of another venue')
    WHERE (NEW.trade IS NULL) <> (NEW.venue_order IS NULL) OR (NEW.venue_cash IS NULL) <> (NEW.venue_order IS NULL)
      OR (NEW.venue_order IS NOT NULL) <> EXISTS (
        SELECT 1 FROM pool_orders o JOIN venue_strategies v ON v.strategy = o.strategy WHERE o.id = NEW.pool_order);
  SELECT RAISE(ABORT, 'pool_fills: no sent order or more than ordered')
    WHERE NEW.venue_order IS NOT NULL AND NOT EXISTS (
      SELECT 1 FROM venue_orders w
      WHERE w.id = NEW.venue_order AND w.pool_order = NEW.pool_order AND w.state IN ('sending', 'open')
        AND substr(NEW.trade, 1, length(w.venue) + 1) = w.venue || ':'
        AND NEW.quantity + (SELECT coalesce(sum(quantity), 0) FROM pool_fills WHERE venue_order = w.id) <= w.quantity);
END;

-- What each venue must hold: the sum of its transfers and fills. Only their triggers change it.
CREATE TABLE venue_balances (
  venue TEXT NOT NULL,
  asset TEXT NOT NULL,
  quantity INTEGER NOT NULL DEFAULT 0,      -- 10⁻⁸
  entries INTEGER NOT NULL DEFAULT 0,
  PRIMARY KEY (venue, asset)
) STRICT, WITHOUT ROWID;

CREATE TRIGGER venue_transfers_posted AFTER INSERT ON venue_transfers
BEGIN
  INSERT INTO venue_balances (venue, asset, quantity, entries) VALUES (NEW.venue, NEW.asset, NEW.quantity, 1)
    ON CONFLICT (venue, asset) DO UPDATE SET quantity = quantity + excluded.quantity, entries = entries + 1;
END;
CREATE TRIGGER pool_fills_posted_at_venue AFTER INSERT ON pool_fills
WHEN NEW.venue_order IS NOT NULL
BEGIN
  INSERT INTO venue_balances (venue, asset, quantity, entries)
    SELECT w.venue, o.asset, (CASE o.side WHEN 'buy' THEN NEW.quantity ELSE -NEW.quantity END), 1
    FROM venue_orders w JOIN pool_orders o ON o.id = w.pool_order WHERE w.id = NEW.venue_order
    ON CONFLICT (venue, asset) DO UPDATE SET quantity = quantity + excluded.quantity, entries = entries + 1;
  INSERT INTO venue_balances (venue, asset, quantity, entries)
    SELECT w.venue, 'usd', NEW.venue_cash, 1 FROM venue_orders w WHERE w.id = NEW.venue_order
    ON CONFLICT (venue, asset) DO UPDATE SET quantity = quantity + excluded.quantity, entries = entries + 1;
END;

-- An order of a pool that ended at its venue. What was not filled is a tracking difference, which the next day's orders repair.
CREATE TABLE pool_order_ends (
  pool_order TEXT PRIMARY KEY REFERENCES pool_orders (id),
  at INTEGER NOT NULL,
  unfilled INTEGER NOT NULL                 -- 10⁻⁸
) STRICT, WITHOUT ROWID;

CREATE TRIGGER pool_order_ends_final BEFORE INSERT ON pool_order_ends
BEGIN
  SELECT RAISE(ABORT, 'pool_order_ends: already ended or still open')
    WHERE EXISTS (SELECT 1 FROM pool_order_ends WHERE pool_order = NEW.pool_order)
      OR EXISTS (SELECT 1 FROM venue_orders WHERE pool_order = NEW.pool_order AND state IN ('sending', 'open'))
      OR NEW.unfilled IS NOT (
        SELECT o.quantity - (SELECT coalesce(sum(quantity), 0) FROM pool_fills WHERE pool_order = o.id)
        FROM pool_orders o JOIN venue_strategies v ON v.strategy = o.strategy WHERE o.id = NEW.pool_order);
END;

-- A day at a venue is done when each of its orders has ended.
CREATE TRIGGER pool_steps_at_venues BEFORE INSERT ON pool_steps
BEGIN
  SELECT RAISE(ABORT, 'pool_steps: open orders at the venue')
    WHERE EXISTS (
      SELECT 1 FROM pool_orders o JOIN venue_strategies v ON v.strategy = o.strategy
      WHERE o.strategy = NEW.strategy AND o.day = NEW.day
        AND NOT EXISTS (SELECT 1 FROM pool_order_ends e WHERE e.pool_order = o.id));
END;

-- Two operators decide what the company pays for a pool.
CREATE TRIGGER pool_covers_decided BEFORE INSERT ON pool_covers
BEGIN
  SELECT RAISE(ABORT, 'conflict')
    WHERE EXISTS (SELECT 1 FROM pool_covers WHERE proposal = NEW.proposal)
      OR NOT EXISTS (SELECT 1 FROM pools WHERE strategy = NEW.strategy AND cash = -NEW.cash AND cash < 0)
      -- While a day is settled its cash may be negative: allocations come in last.
      OR EXISTS (
        SELECT 1 FROM unit_orders u WHERE u.strategy = NEW.strategy AND u.status = 'pending'
          AND u.created_at < (SELECT max(day) FROM valuations WHERE strategy = NEW.strategy));
  SELECT RAISE(ABORT, 'second_operator_required')
    WHERE NOT EXISTS (
      SELECT 1 FROM proposals p
      WHERE p.id = NEW.proposal AND p.kind = 'venue' AND p.status = 'approved' AND p.decided_at = NEW.at
        AND json_extract(p.payload, '$.action') = 'cover' AND json_extract(p.payload, '$.strategy') = NEW.strategy);
END;
CREATE TRIGGER pool_covers_booked AFTER INSERT ON pool_covers
BEGIN
  INSERT INTO pool_entries (id, strategy, code, cash, ref, at)
    VALUES (NEW.proposal, NEW.strategy, 'cover', NEW.cash, NEW.proposal, NEW.at);
END;

-- The last comparison of a venue with the books. Two differing comparisons in a row suspend the strategies that trade there.
CREATE TABLE venue_checks (
  venue TEXT PRIMARY KEY,
  at INTEGER NOT NULL,
  state TEXT NOT NULL CHECK (state IN ('equal', 'different', 'unreachable')),
  since INTEGER NOT NULL,                   -- when it got this state
  differing INTEGER NOT NULL DEFAULT 0,     -- how many comparisons in a row found a difference
  finding TEXT NOT NULL DEFAULT '[]',       -- JSON: the differences
  balances TEXT NOT NULL DEFAULT '{}'       -- JSON: what the venue holds, 10⁻⁸ by asset
) STRICT, WITHOUT ROWID;
