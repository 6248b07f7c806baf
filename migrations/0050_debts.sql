-- Debts. A reversed credit that was already spent leaves a debt (`owed` below zero). Every amount that comes in repays it first, and
-- while there is a debt nothing is held, approved, paid or invested. So `available` is zero as long as anything is owed.

DROP TRIGGER transfers_posted;
CREATE TRIGGER transfers_posted AFTER INSERT ON transfers
BEGIN
  UPDATE accounts SET balance = balance - NEW.amount, last_transfer = NEW.seq WHERE id = NEW.from_account;
  UPDATE accounts SET balance = balance + NEW.amount, last_transfer = NEW.seq WHERE id = NEW.to_account;
  -- A statement that overrides conflict handling could let one of the two pass in silence.
  SELECT RAISE(ABORT, 'ledger: both sides move or neither')
    WHERE (SELECT count(*) FROM accounts WHERE id IN (NEW.from_account, NEW.to_account) AND last_transfer = NEW.seq) <> 2;
  SELECT RAISE(ABORT, 'ledger: transfers are numbered without a gap')
    WHERE NEW.seq <> 1 + coalesce((SELECT seq FROM transfers WHERE seq <> NEW.seq ORDER BY seq DESC LIMIT 1), 0);
  INSERT INTO transfers (id, from_account, to_account, amount, code, ref, actor, at)
    SELECT NEW.ref || ':repay', NEW.to_account, o.id, min(-o.balance, NEW.amount), 'repay', NEW.ref, NEW.actor, NEW.at
    FROM accounts a JOIN accounts o ON o.id = a.owner || ':owed'
    WHERE a.id = NEW.to_account AND o.balance < 0 AND NEW.code IN ('credit', 'release', 'bonus', 'reverse_payout');
  -- SQLite does not run a trigger inside itself (recursive_triggers is off), so the repayment is posted here.
  UPDATE accounts SET balance = accounts.balance - r.amount, last_transfer = r.seq
    FROM transfers r WHERE r.seq = NEW.seq + 1 AND r.code = 'repay' AND r.from_account = accounts.id AND r.ref = NEW.ref;
  UPDATE accounts SET balance = accounts.balance + r.amount, last_transfer = r.seq
    FROM transfers r WHERE r.seq = NEW.seq + 1 AND r.code = 'repay' AND r.to_account = accounts.id AND r.ref = NEW.ref;
  SELECT RAISE(ABORT, 'ledger: money came in and a debt was left beside it')
    WHERE NEW.code IN ('credit', 'release', 'bonus', 'reverse_payout') AND EXISTS (
      SELECT 1 FROM accounts a JOIN accounts o ON o.id = a.owner || ':owed'
      WHERE a.id = NEW.to_account AND a.balance > 0 AND o.balance < 0);
END;

-- As before, but a repayment follows a credit, a release, a bonus or a reversed payout.
DROP TRIGGER transfers_caused;
CREATE TRIGGER transfers_caused BEFORE INSERT ON transfers
BEGIN
  SELECT RAISE(ABORT, 'ledger: a transfer needs the record of what caused it')
    WHERE NOT CASE
      -- Straight after money came in, all that is owed or all that came.
      WHEN NEW.code = 'repay' AND NOT EXISTS (SELECT 1 FROM unit_orders WHERE id = NEW.ref) THEN EXISTS (
        SELECT 1 FROM accounts f JOIN accounts t ON t.id = NEW.to_account JOIN transfers c ON c.seq = f.last_transfer
        WHERE f.id = NEW.from_account AND c.to_account = f.id AND c.ref = NEW.ref AND c.actor = NEW.actor
          AND c.code IN ('credit', 'release', 'bonus', 'reverse_payout') AND NEW.amount = min(-t.balance, c.amount)
          AND NOT EXISTS (SELECT 1 FROM transfers o WHERE o.ref = NEW.ref AND o.code = NEW.code))
      -- What comes back from a strategy repays in one sum, whatever parts it is booked in.
      WHEN NEW.code = 'repay' AND EXISTS (SELECT 1 FROM unit_orders WHERE id = NEW.ref) THEN EXISTS (
        SELECT 1 FROM accounts f JOIN accounts t ON t.id = NEW.to_account JOIN transfers c ON c.seq = f.last_transfer
        WHERE f.id = NEW.from_account AND c.ref = NEW.ref AND c.code IN ('redeem', 'gain', 'deallocate') AND NEW.actor = c.actor
          AND NEW.amount = min(-t.balance, (
            SELECT sum(p.amount) FROM transfers p WHERE p.ref = c.ref AND p.code IN ('redeem', 'gain', 'deallocate')))
          AND NOT EXISTS (SELECT 1 FROM unit_movements m WHERE m.ref = c.ref AND m.code = 'fee')
          AND NOT EXISTS (SELECT 1 FROM transfers o WHERE o.ref = NEW.ref AND o.code = NEW.code))
      WHEN NEW.code IN ('credit', 'hold', 'release', 'complete', 'reverse_credit', 'reverse_payout', 'overdraw') THEN EXISTS (
        SELECT 1 FROM requests r JOIN accounts f ON f.id = NEW.from_account JOIN accounts t ON t.id = NEW.to_account
          JOIN request_events e ON e.request = r.id AND e.status = r.status AND e.actor = NEW.actor
        WHERE r.id = NEW.ref AND r.investor = f.owner
          AND CASE NEW.code
            WHEN 'credit' THEN r.queue = 'deposits' AND r.status = 'approved' AND r.amount = NEW.amount
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

-- As before: SQLite asks the newest trigger of a table first, so these keep their place in the order of refusals.
DROP TRIGGER transfers_bonus_unfrozen;
CREATE TRIGGER transfers_bonus_unfrozen BEFORE INSERT ON transfers
WHEN NEW.code = 'bonus'
BEGIN
  SELECT RAISE(ABORT, 'account_frozen')
    WHERE EXISTS (
      SELECT 1 FROM accounts a JOIN users u ON u.id = a.owner
      WHERE a.id = NEW.to_account AND u.frozen_at IS NOT NULL);
END;

CREATE TRIGGER transfers_without_debt BEFORE INSERT ON transfers
WHEN NEW.code IN ('hold', 'complete', 'allocate', 'invest')
BEGIN
  SELECT RAISE(ABORT, 'debt_outstanding')
    WHERE EXISTS (
      SELECT 1 FROM accounts f JOIN accounts o ON o.id = f.owner || ':owed'
      WHERE f.id = NEW.from_account AND o.balance < 0);
END;
-- Only of a step that could be taken otherwise: that it was decided already, or that the account is frozen, is said first.
CREATE TRIGGER request_events_without_debt BEFORE INSERT ON request_events
WHEN NEW.status IN ('approved', 'completed') AND EXISTS (
  SELECT 1 FROM requests r JOIN request_transitions t ON t.queue = r.queue AND t.from_status = r.status
    JOIN users u ON u.id = r.investor
  WHERE r.id = NEW.request AND r.queue = 'withdrawals' AND t.to_status = NEW.status AND u.frozen_at IS NULL)
BEGIN
  SELECT RAISE(ABORT, 'debt_outstanding')
    WHERE EXISTS (SELECT 1 FROM accounts WHERE id = NEW.investor || ':owed' AND balance < 0);
END;

-- As before, but an allocation whose investor has a debt is given back even when its price is fixed.
DROP TRIGGER unit_orders_decided_once;
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
  -- An order whose price is fixed can no longer be cancelled, since the price is known. Two exceptions: the units are gone, or
  -- the investor has a debt by now.
  SELECT RAISE(ABORT, 'already_decided')
    WHERE OLD.status = 'pending' AND NEW.status = 'cancelled' AND EXISTS (
        SELECT 1 FROM valuations WHERE strategy = OLD.strategy AND day > OLD.created_at AND kind = 'open')
      AND CASE OLD.kind
        WHEN 'allocate' THEN NEW.decided_by <> 'system'
          OR NOT EXISTS (SELECT 1 FROM accounts WHERE id = OLD.investor || ':owed' AND balance < 0)
        ELSE EXISTS (SELECT 1 FROM positions WHERE investor = OLD.investor AND strategy = OLD.strategy AND units > 0)
        END;
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

DROP TRIGGER unit_orders_decided_already;
CREATE TRIGGER unit_orders_decided_already BEFORE UPDATE OF status ON unit_orders
WHEN OLD.status <> 'pending'
BEGIN
  SELECT RAISE(ABORT, 'already_decided');
END;

DROP TRIGGER unit_orders_cancelled_in_time;
CREATE TRIGGER unit_orders_cancelled_in_time BEFORE UPDATE OF status ON unit_orders
WHEN NEW.status = 'cancelled' AND NEW.decided_by IS NOT 'system'
BEGIN
  SELECT RAISE(ABORT, 'already_decided')
    WHERE NEW.decided_at >= (OLD.created_at / 86400000 + 1) * 86400000
      AND NOT (OLD.kind = 'allocate' AND EXISTS (SELECT 1 FROM strategies WHERE slug = OLD.strategy AND status <> 'active'));
END;
