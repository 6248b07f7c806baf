-- Checkpoints of investors' balances, so that a statement of a past period does not read every later entry.

-- What each transfer changes, in cents. `owner` is the indexed expression of transfers_by_owner. `net_paid_in` is money paid in and
-- bonuses, less money paid out.
CREATE VIEW balance_changes (seq, owner, at, available, held, allocating, invested, owed, net_paid_in) AS
  SELECT seq, owner, at,
    amount * ((to_kind = 'available') - (from_kind = 'available')),
    amount * ((to_kind = 'held') - (from_kind = 'held')),
    amount * ((to_kind GLOB 'allocating:*') - (from_kind GLOB 'allocating:*')),
    amount * ((to_kind GLOB 'invested:*') - (from_kind GLOB 'invested:*')),
    amount * ((to_kind = 'owed') - (from_kind = 'owed')),
    -- Sums, because SQLite makes a table of a longer list each time.
    amount * ((from_kind = 'paid_in') + (from_kind = 'granted') + (from_kind = 'paid_out')
      - (to_kind = 'paid_in') - (to_kind = 'granted') - (to_kind = 'paid_out'))
  FROM (
    SELECT seq, at, amount, substr(from_account, 1, instr(from_account, ':') - 1) AS owner,
      substr(from_account, instr(from_account, ':') + 1) AS from_kind,
      substr(to_account, instr(to_account, ':') + 1) AS to_kind
    FROM transfers);

-- A row has the balances before the entry at (at, seq), in the order of statements. An investor's first entry has one, the first of
-- each day, and at most 100 entries lie between two. Each investor's last row stands after all entries.
CREATE TABLE balance_checkpoints (
  owner TEXT NOT NULL,
  at INTEGER NOT NULL,                      -- of the entry; 9007199254740991: after all entries
  seq INTEGER NOT NULL,
  entries INTEGER NOT NULL,                 -- how many the owner has before it
  available INTEGER NOT NULL,
  held INTEGER NOT NULL,
  allocating INTEGER NOT NULL,
  invested INTEGER NOT NULL,
  owed INTEGER NOT NULL,
  net_paid_in INTEGER NOT NULL,
  last_transfer INTEGER NOT NULL,           -- the newest one counted
  PRIMARY KEY (owner, at, seq)
) STRICT, WITHOUT ROWID;                    -- REPLACE on a rowid table would delete a row without firing its triggers

CREATE TRIGGER accounts_checkpointed AFTER INSERT ON accounts
WHEN NOT EXISTS (SELECT 1 FROM balance_checkpoints WHERE owner = NEW.owner)
BEGIN
  INSERT INTO balance_checkpoints (owner, at, seq, entries, available, held, allocating, invested, owed, net_paid_in, last_transfer)
    VALUES (NEW.owner, 9007199254740991, 9007199254740991, 0, 0, 0, 0, 0, 0, 0, 0);
END;
-- SQLite fires the newest trigger first: a transfer is counted before transfers_posted inserts its repayment. In another order the
-- checks below would refuse both.
CREATE TRIGGER transfers_checkpointed AFTER INSERT ON transfers
BEGIN
  -- All later checkpoints. With the clock set back there are more than the last one.
  UPDATE balance_checkpoints
    SET (entries, available, held, allocating, invested, owed, net_paid_in, last_transfer) = (
      SELECT entries + 1, balance_checkpoints.available + c.available, balance_checkpoints.held + c.held,
        balance_checkpoints.allocating + c.allocating, balance_checkpoints.invested + c.invested,
        balance_checkpoints.owed + c.owed, balance_checkpoints.net_paid_in + c.net_paid_in, c.seq
      FROM balance_changes c WHERE c.seq = NEW.seq)
    WHERE owner = substr(NEW.from_account, 1, instr(NEW.from_account, ':') - 1) AND (at, seq) > (NEW.at, NEW.seq);
  -- A new one before the last entry of its range, if the range has more than 100 entries or begins on an earlier day.
  INSERT INTO balance_checkpoints (owner, at, seq, entries, available, held, allocating, invested, owed, net_paid_in, last_transfer)
    SELECT c.owner, c.at, c.seq, n.entries - 1, n.available - c.available, n.held - c.held, n.allocating - c.allocating,
      n.invested - c.invested, n.owed - c.owed, n.net_paid_in - c.net_paid_in, n.last_transfer
    FROM (
      SELECT * FROM balance_checkpoints
      WHERE owner = substr(NEW.from_account, 1, instr(NEW.from_account, ':') - 1) AND (at, seq) > (NEW.at, NEW.seq)
      ORDER BY at, seq LIMIT 1) n
    JOIN balance_changes c ON c.seq = (
      SELECT seq FROM balance_changes
      WHERE owner = substr(NEW.from_account, 1, instr(NEW.from_account, ':') - 1) AND (at, seq) < (n.at, n.seq)
      ORDER BY at DESC, seq DESC LIMIT 1)
    WHERE NOT coalesce((
      SELECT at / 86400000 = NEW.at / 86400000 AND entries >= n.entries - 100 FROM balance_checkpoints
      WHERE owner = n.owner AND (at, seq) < (NEW.at, NEW.seq) ORDER BY at DESC, seq DESC LIMIT 1), 0);
  -- OR IGNORE in an outer statement could otherwise skip the update silently.
  SELECT RAISE(ABORT, 'transfers: checkpoints not updated')
    WHERE NOT EXISTS (
      SELECT 1 FROM balance_checkpoints
      WHERE owner = substr(NEW.from_account, 1, instr(NEW.from_account, ':') - 1) AND at = 9007199254740991
        AND last_transfer = NEW.seq);
END;

-- Nobody can write a checkpoint that its entries do not explain.
CREATE TRIGGER balance_checkpoints_begin BEFORE INSERT ON balance_checkpoints
WHEN NOT EXISTS (SELECT 1 FROM balance_checkpoints WHERE owner = NEW.owner)
BEGIN
  SELECT RAISE(ABORT, 'balance_checkpoints: must start empty')
    WHERE (NEW.at, NEW.seq, NEW.entries, NEW.available, NEW.held, NEW.allocating, NEW.invested, NEW.owed, NEW.net_paid_in,
        NEW.last_transfer) IS NOT (9007199254740991, 9007199254740991, 0, 0, 0, 0, 0, 0, 0, 0)
      OR NOT EXISTS (SELECT 1 FROM accounts WHERE owner = NEW.owner);
END;
CREATE TRIGGER balance_checkpoints_checked BEFORE INSERT ON balance_checkpoints
WHEN EXISTS (SELECT 1 FROM balance_checkpoints WHERE owner = NEW.owner)
BEGIN
  SELECT RAISE(ABORT, 'balance_checkpoints: already stored')
    WHERE EXISTS (SELECT 1 FROM balance_checkpoints WHERE owner = NEW.owner AND at = NEW.at AND seq = NEW.seq);
  SELECT RAISE(ABORT, 'balance_checkpoints: balances differ from the entries')
    WHERE (NEW.entries, NEW.available, NEW.held, NEW.allocating, NEW.invested, NEW.owed, NEW.net_paid_in, NEW.last_transfer) IS NOT (
      SELECT n.entries - 1, n.available - c.available, n.held - c.held, n.allocating - c.allocating, n.invested - c.invested,
        n.owed - c.owed, n.net_paid_in - c.net_paid_in, n.last_transfer
      FROM balance_changes c JOIN (
        SELECT * FROM balance_checkpoints WHERE owner = NEW.owner AND (at, seq) > (NEW.at, NEW.seq) ORDER BY at, seq LIMIT 1) n
      WHERE c.seq = NEW.seq AND c.owner = NEW.owner AND c.at = NEW.at AND NOT EXISTS (
        SELECT 1 FROM balance_changes WHERE owner = NEW.owner AND (at, seq) > (NEW.at, NEW.seq) AND (at, seq) < (n.at, n.seq)));
END;
CREATE TRIGGER balance_checkpoints_follow BEFORE UPDATE ON balance_checkpoints
BEGIN
  SELECT RAISE(ABORT, 'balance_checkpoints: changed without an earlier entry')
    WHERE NEW.last_transfer <= OLD.last_transfer
      OR (NEW.owner, NEW.at, NEW.seq, NEW.entries, NEW.available, NEW.held, NEW.allocating, NEW.invested, NEW.owed,
        NEW.net_paid_in) IS NOT (
        SELECT c.owner, OLD.at, OLD.seq, OLD.entries + 1, OLD.available + c.available, OLD.held + c.held,
          OLD.allocating + c.allocating, OLD.invested + c.invested, OLD.owed + c.owed, OLD.net_paid_in + c.net_paid_in
        FROM balance_changes c
        WHERE c.seq = NEW.last_transfer AND c.owner = OLD.owner AND (c.at, c.seq) < (OLD.at, OLD.seq));
END;

-- An investor's units of a strategy after each movement, in the order of statements.
CREATE TABLE position_history (
  investor TEXT NOT NULL,
  strategy TEXT NOT NULL,
  at INTEGER NOT NULL,                      -- of the movement
  seq INTEGER NOT NULL,
  units INTEGER NOT NULL,                   -- 10⁻⁶
  cost INTEGER NOT NULL,                    -- cents
  last_movement INTEGER NOT NULL,           -- the newest one counted
  PRIMARY KEY (investor, strategy, at, seq)
) STRICT, WITHOUT ROWID;                    -- REPLACE on a rowid table would delete a row without firing its triggers

CREATE TRIGGER unit_movements_remembered AFTER INSERT ON unit_movements
BEGIN
  INSERT INTO position_history (investor, strategy, at, seq, units, cost, last_movement)
    SELECT NEW.investor, NEW.strategy, NEW.at, NEW.seq, coalesce(sum(units), 0) + NEW.units,
      coalesce(sum(cost), 0) + (CASE NEW.code WHEN 'issue' THEN NEW.cost ELSE -NEW.cost END), NEW.seq
    FROM (
      SELECT units, cost FROM position_history
      WHERE investor = NEW.investor AND strategy = NEW.strategy AND (at, seq) < (NEW.at, NEW.seq)
      ORDER BY at DESC, seq DESC LIMIT 1);
  -- There are later ones only if the clock was set back.
  UPDATE position_history SET units = units + NEW.units, cost = cost + (CASE NEW.code WHEN 'issue' THEN NEW.cost ELSE -NEW.cost END),
      last_movement = NEW.seq
    WHERE investor = NEW.investor AND strategy = NEW.strategy AND (at, seq) > (NEW.at, NEW.seq);
END;
-- The trigger above writes the row of a movement at once, so nobody else can.
CREATE TRIGGER position_history_checked BEFORE INSERT ON position_history
BEGIN
  SELECT RAISE(ABORT, 'position_history: already stored')
    WHERE EXISTS (
      SELECT 1 FROM position_history
      WHERE investor = NEW.investor AND strategy = NEW.strategy AND at = NEW.at AND seq = NEW.seq)
      OR NOT EXISTS (
        SELECT 1 FROM unit_movements
        WHERE seq = NEW.seq AND investor = NEW.investor AND strategy = NEW.strategy AND at = NEW.at);
END;
CREATE TRIGGER position_history_follow BEFORE UPDATE ON position_history
BEGIN
  SELECT RAISE(ABORT, 'position_history: changed without an earlier movement')
    WHERE NEW.last_movement <= OLD.last_movement
      OR (NEW.investor, NEW.strategy, NEW.at, NEW.seq, NEW.units, NEW.cost) IS NOT (
        SELECT m.investor, m.strategy, OLD.at, OLD.seq, OLD.units + m.units,
          OLD.cost + (CASE m.code WHEN 'issue' THEN m.cost ELSE -m.cost END)
        FROM unit_movements m
        WHERE m.seq = NEW.last_movement AND m.investor = OLD.investor AND m.strategy = OLD.strategy
          AND (m.at, m.seq) < (OLD.at, OLD.seq));
END;
-- Statements read the states instead.
DROP INDEX unit_movements_by_time;
