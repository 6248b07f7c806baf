-- The ledger: double entry. One row is both sides of a transfer, so each investor's accounts sum to zero. Integer cents.

CREATE TABLE account_kinds (
  kind TEXT PRIMARY KEY,
  floor INTEGER,                            -- the lowest balance allowed; null: no limit
  ceiling INTEGER,                          -- the highest; null: no limit
  per_subject INTEGER NOT NULL DEFAULT 0 CHECK (per_subject IN (0, 1))  -- 1: one account per strategy; 0: one per owner
) STRICT;
INSERT INTO account_kinds (kind, floor, ceiling) VALUES
  ('available', 0, NULL), ('held', 0, NULL),
  ('paid_in', NULL, 0), ('granted', NULL, 0), ('paid_out', 0, NULL), ('fees', NULL, NULL), ('owed', NULL, 0);
INSERT INTO account_kinds (kind, floor, ceiling, per_subject) VALUES
  ('allocating', 0, NULL, 1), ('invested', 0, NULL, 1), ('result', NULL, NULL, 1);

CREATE TABLE transfer_codes (
  code TEXT NOT NULL,
  from_kind TEXT NOT NULL REFERENCES account_kinds (kind),
  to_kind TEXT NOT NULL REFERENCES account_kinds (kind),
  PRIMARY KEY (code, from_kind, to_kind)
) STRICT;
INSERT INTO transfer_codes VALUES
  ('credit', 'paid_in', 'available'), ('repay', 'available', 'owed'),
  ('hold', 'available', 'held'), ('release', 'held', 'available'), ('complete', 'held', 'paid_out'),
  ('bonus', 'granted', 'available'),
  ('overdraw', 'owed', 'available'), ('reverse_credit', 'available', 'paid_in'), ('reverse_payout', 'paid_out', 'available'),
  ('reverse_bonus', 'available', 'granted');
INSERT INTO transfer_codes VALUES
  ('allocate', 'available', 'allocating'), ('deallocate', 'allocating', 'available'), ('invest', 'allocating', 'invested'),
  ('redeem', 'invested', 'available'), ('lose', 'invested', 'result'), ('gain', 'result', 'available'),
  ('fee', 'available', 'fees'), ('forfeit', 'available', 'fees');

CREATE TABLE accounts (
  id TEXT PRIMARY KEY,                      -- owner:kind or owner:kind:subject
  owner TEXT NOT NULL,
  kind TEXT NOT NULL REFERENCES account_kinds (kind),
  subject TEXT NOT NULL DEFAULT '',
  balance INTEGER NOT NULL DEFAULT 0,
  last_transfer INTEGER NOT NULL DEFAULT 0,
  UNIQUE (owner, kind, subject)
) STRICT, WITHOUT ROWID;                    -- REPLACE on a rowid table would delete a row without firing its triggers
CREATE INDEX accounts_by_kind ON accounts (kind, balance);

CREATE TRIGGER accounts_open_empty BEFORE INSERT ON accounts
BEGIN
  SELECT RAISE(ABORT, 'accounts: not empty or already open')
    WHERE NEW.balance <> 0 OR NEW.last_transfer <> 0
      OR EXISTS (SELECT 1 FROM accounts WHERE id = NEW.id OR (owner = NEW.owner AND kind = NEW.kind AND subject = NEW.subject));
  SELECT RAISE(ABORT, 'accounts: id differs from owner and kind')
    WHERE NEW.id <> NEW.owner || ':' || NEW.kind || (CASE NEW.subject WHEN '' THEN '' ELSE ':' || NEW.subject END)
      OR NEW.owner = '' OR instr(NEW.owner, ':') > 0
      OR (NEW.subject <> '') IS NOT (SELECT per_subject FROM account_kinds WHERE kind = NEW.kind);
END;
-- A balance changes only with a newer transfer that explains it. Outside the ledger's own trigger there is no newer one.
CREATE TRIGGER accounts_follow_transfers BEFORE UPDATE ON accounts
BEGIN
  SELECT RAISE(ABORT, 'accounts: changed without a transfer')
    WHERE NEW.last_transfer <= OLD.last_transfer
      OR NOT EXISTS (
        SELECT 1 FROM transfers t WHERE t.seq = NEW.last_transfer AND (
          (t.from_account = OLD.id AND NEW.balance = OLD.balance - t.amount)
          OR (t.to_account = OLD.id AND NEW.balance = OLD.balance + t.amount)));
  SELECT RAISE(ABORT, 'accounts: balance out of bounds')
    WHERE EXISTS (
      SELECT 1 FROM account_kinds k WHERE k.kind = OLD.kind
        AND (NEW.balance < k.floor OR NEW.balance > k.ceiling));
END;

CREATE TABLE transfers (
  seq INTEGER PRIMARY KEY AUTOINCREMENT,
  id TEXT NOT NULL UNIQUE,
  from_account TEXT NOT NULL REFERENCES accounts (id),
  to_account TEXT NOT NULL REFERENCES accounts (id),
  amount INTEGER NOT NULL CHECK (amount > 0 AND amount <= 9007199254740991),
  code TEXT NOT NULL,
  ref TEXT NOT NULL,                        -- the request or proposal that caused it
  reverses TEXT UNIQUE REFERENCES transfers (id),
  actor TEXT NOT NULL,
  at INTEGER NOT NULL
) STRICT;
CREATE INDEX transfers_from ON transfers (from_account, seq);
CREATE INDEX transfers_to ON transfers (to_account, seq);
CREATE INDEX transfers_by_ref ON transfers (ref, code);
-- An investor's transfers by time, for statements and the balance chart.
CREATE INDEX transfers_by_owner ON transfers (substr(from_account, 1, instr(from_account, ':') - 1), at, seq);

CREATE TRIGGER transfers_checked BEFORE INSERT ON transfers
BEGIN
  -- Checked here, because OR REPLACE would delete the old row without firing its triggers.
  SELECT RAISE(ABORT, 'transfers: already stored')
    WHERE EXISTS (SELECT 1 FROM transfers WHERE id = NEW.id OR seq = NEW.seq)
      OR (NEW.reverses IS NOT NULL AND EXISTS (SELECT 1 FROM transfers WHERE reverses = NEW.reverses));
  SELECT RAISE(ABORT, 'transfers: accounts of different owners')
    WHERE NEW.from_account = NEW.to_account OR NOT EXISTS (
      SELECT 1 FROM accounts f JOIN accounts t ON t.owner = f.owner
      WHERE f.id = NEW.from_account AND t.id = NEW.to_account);
  SELECT RAISE(ABORT, 'transfers: accounts differ from the code')
    WHERE NOT EXISTS (
      SELECT 1 FROM transfer_codes c
      JOIN accounts f ON f.id = NEW.from_account AND f.kind = c.from_kind
      JOIN accounts t ON t.id = NEW.to_account AND t.kind = c.to_kind
      WHERE c.code = NEW.code);
  SELECT RAISE(ABORT, 'transfers: amount out of range') WHERE NEW.amount <= 0;
  SELECT RAISE(ABORT, 'insufficient_funds')
    WHERE EXISTS (
      SELECT 1 FROM accounts a JOIN account_kinds k ON k.kind = a.kind
      WHERE a.id = NEW.from_account AND k.floor IS NOT NULL AND a.balance - NEW.amount < k.floor);
  SELECT RAISE(ABORT, 'transfers: balance out of bounds')
    WHERE EXISTS (
      SELECT 1 FROM accounts a JOIN account_kinds k ON k.kind = a.kind
      WHERE a.id = NEW.to_account AND k.ceiling IS NOT NULL AND a.balance + NEW.amount > k.ceiling);
  -- A reversed payout differs: it was paid from held money and comes back as available.
  SELECT RAISE(ABORT, 'transfers: reversal differs from the original')
    WHERE (NEW.reverses IS NOT NULL) <> (NEW.code IN ('reverse_credit', 'reverse_payout', 'reverse_bonus'))
      OR (NEW.reverses IS NOT NULL AND NOT EXISTS (
        SELECT 1 FROM transfers o WHERE o.id = NEW.reverses AND o.amount = NEW.amount AND o.ref = NEW.ref
          AND o.to_account = NEW.from_account
          AND o.code = (CASE NEW.code WHEN 'reverse_credit' THEN 'credit' WHEN 'reverse_bonus' THEN 'bonus' ELSE 'complete' END)
          AND (NEW.code = 'reverse_payout' OR o.from_account = NEW.to_account)));
END;
CREATE TRIGGER transfers_not_closed BEFORE INSERT ON transfers
BEGIN
  SELECT RAISE(ABORT, 'account_closed')
    WHERE EXISTS (
      SELECT 1 FROM accounts a JOIN users u ON u.id = a.owner
      WHERE a.id IN (NEW.from_account, NEW.to_account) AND u.closed_at IS NOT NULL);
END;
CREATE TRIGGER transfers_posted AFTER INSERT ON transfers
BEGIN
  UPDATE accounts SET balance = balance - NEW.amount, last_transfer = NEW.seq WHERE id = NEW.from_account;
  UPDATE accounts SET balance = balance + NEW.amount, last_transfer = NEW.seq WHERE id = NEW.to_account;
  -- OR IGNORE in an outer statement could otherwise skip one of the two updates silently.
  SELECT RAISE(ABORT, 'transfers: balances not updated')
    WHERE (SELECT count(*) FROM accounts WHERE id IN (NEW.from_account, NEW.to_account) AND last_transfer = NEW.seq) <> 2;
  SELECT RAISE(ABORT, 'transfers: gap in the numbers')
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
  SELECT RAISE(ABORT, 'transfers: debt not repaid first')
    WHERE NEW.code IN ('credit', 'release', 'bonus', 'reverse_payout') AND EXISTS (
      SELECT 1 FROM accounts a JOIN accounts o ON o.id = a.owner || ':owed'
      WHERE a.id = NEW.to_account AND a.balance > 0 AND o.balance < 0);
END;
-- Money moves only for a recorded reason: a request in the matching state, or an approved proposal, as the code demands.
CREATE TRIGGER transfers_caused BEFORE INSERT ON transfers
BEGIN
  SELECT RAISE(ABORT, 'transfers: no matching cause')
    WHERE NOT (CASE
      -- Directly after money came in: the whole debt, or all that came in.
      WHEN NEW.code = 'repay' AND NOT EXISTS (SELECT 1 FROM unit_orders WHERE id = NEW.ref) THEN EXISTS (
        SELECT 1 FROM accounts f JOIN accounts t ON t.id = NEW.to_account JOIN transfers c ON c.seq = f.last_transfer
        WHERE f.id = NEW.from_account AND c.to_account = f.id AND c.ref = NEW.ref AND c.actor = NEW.actor
          AND c.code IN ('credit', 'release', 'bonus', 'reverse_payout') AND NEW.amount = min(-t.balance, c.amount)
          AND NOT EXISTS (SELECT 1 FROM transfers o WHERE o.ref = NEW.ref AND o.code = NEW.code))
      -- Money that comes back from a strategy repays in one transfer, even if it is booked in several parts.
      WHEN NEW.code = 'repay' AND EXISTS (SELECT 1 FROM unit_orders WHERE id = NEW.ref) THEN EXISTS (
        SELECT 1 FROM accounts f JOIN accounts t ON t.id = NEW.to_account JOIN transfers c ON c.seq = f.last_transfer
        WHERE f.id = NEW.from_account AND c.ref = NEW.ref AND c.code IN ('redeem', 'gain', 'deallocate') AND NEW.actor = c.actor
          AND NEW.amount = min(-t.balance, (
            SELECT sum(p.amount) FROM transfers p WHERE p.ref = c.ref AND p.code IN ('redeem', 'gain', 'deallocate')))
          AND NOT EXISTS (SELECT 1 FROM unit_movements m WHERE m.ref = c.ref AND m.code = 'fee')
          AND NOT EXISTS (SELECT 1 FROM transfers o WHERE o.ref = NEW.ref AND o.code = NEW.code))
      -- The deposit that earned a referral bonus was reversed. As with a credit, what was spent becomes a debt.
      WHEN NEW.code IN ('overdraw', 'reverse_bonus') AND EXISTS (SELECT 1 FROM referral_bonuses WHERE id = NEW.ref) THEN EXISTS (
        SELECT 1 FROM referral_bonuses b JOIN request_events e ON e.request = b.deposit AND e.status = 'reversed'
          JOIN accounts t ON t.id = NEW.to_account
        WHERE b.id = NEW.ref AND b.referrer = t.owner AND b.reversed_at IS NOT NULL AND e.actor = NEW.actor
          AND NEW.amount = (CASE NEW.code WHEN 'overdraw' THEN b.amount - t.balance ELSE b.amount END)
          AND NOT EXISTS (SELECT 1 FROM transfers o WHERE o.ref = NEW.ref AND o.code IN (NEW.code, 'reverse_bonus')))
      WHEN NEW.code IN ('credit', 'hold', 'release', 'complete', 'reverse_credit', 'reverse_payout', 'overdraw') THEN EXISTS (
        SELECT 1 FROM requests r JOIN accounts f ON f.id = NEW.from_account JOIN accounts t ON t.id = NEW.to_account
          JOIN request_events e ON e.request = r.id AND e.status = r.status AND e.actor = NEW.actor
        WHERE r.id = NEW.ref AND r.investor = f.owner
          AND (CASE NEW.code
            WHEN 'credit' THEN r.queue = 'deposits' AND r.status = 'approved' AND r.amount = NEW.amount
            WHEN 'hold' THEN r.queue = 'withdrawals' AND r.status = 'pending' AND r.amount = NEW.amount
            WHEN 'release' THEN r.queue = 'withdrawals' AND r.status IN ('cancelled', 'rejected') AND r.amount = NEW.amount
              AND EXISTS (SELECT 1 FROM transfers h WHERE h.ref = r.id AND h.code = 'hold')
            WHEN 'complete' THEN r.queue = 'withdrawals' AND r.status = 'completed' AND r.amount = NEW.amount
              AND EXISTS (SELECT 1 FROM transfers h WHERE h.ref = r.id AND h.code = 'hold')
            -- Before the reversal: exactly the missing amount.
            WHEN 'overdraw' THEN r.queue = 'deposits' AND r.status = 'reversed' AND NEW.amount = r.amount - t.balance
              AND EXISTS (SELECT 1 FROM transfers c WHERE c.ref = r.id AND c.code = 'credit')
              AND NOT EXISTS (SELECT 1 FROM transfers v WHERE v.ref = r.id AND v.code = 'reverse_credit')
            WHEN 'reverse_credit' THEN r.queue = 'deposits' AND r.status = 'reversed' AND r.amount = NEW.amount
            ELSE r.queue = 'withdrawals' AND r.status = 'reversed' AND r.amount = NEW.amount
            END)
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
          AND o.strategy = (CASE NEW.code WHEN 'allocate' THEN t.subject ELSE f.subject END)
          AND (CASE NEW.code
            WHEN 'allocate' THEN o.status = 'pending' AND NEW.actor = o.investor
            WHEN 'deallocate' THEN o.status = 'cancelled' AND NEW.actor = o.decided_by
              AND EXISTS (SELECT 1 FROM transfers a WHERE a.ref = o.id AND a.code = 'allocate')
            ELSE o.status = 'settled' AND NEW.actor = 'system' AND t.subject = o.strategy
              AND EXISTS (SELECT 1 FROM transfers a WHERE a.ref = o.id AND a.code = 'allocate')
              AND EXISTS (SELECT 1 FROM unit_movements m WHERE m.ref = o.id AND m.code = 'issue' AND m.cents = NEW.amount)
            END)
          AND NOT EXISTS (SELECT 1 FROM transfers t WHERE t.ref = NEW.ref AND t.code = NEW.code))
      -- The proceeds of units up to their cost, then the difference. A fee is all that its units brought.
      WHEN NEW.code IN ('redeem', 'lose', 'gain', 'fee') THEN EXISTS (
        SELECT 1 FROM unit_movements m JOIN accounts f ON f.id = NEW.from_account JOIN accounts t ON t.id = NEW.to_account
        WHERE m.ref = NEW.ref AND m.code <> 'issue' AND m.investor = f.owner AND NEW.actor = 'system'
          AND f.subject IN ('', m.strategy) AND t.subject IN ('', m.strategy)
          AND NEW.amount = (CASE NEW.code
            WHEN 'redeem' THEN min(m.cost, m.cents)
            WHEN 'lose' THEN m.cost - m.cents
            WHEN 'gain' THEN m.cents - m.cost
            ELSE (CASE m.code WHEN 'fee' THEN m.cents END)
            END)
          AND NOT EXISTS (SELECT 1 FROM transfers t WHERE t.ref = NEW.ref AND t.code = NEW.code))
      -- The part of a gain that belongs to reversed money, once it has repaid the debt.
      WHEN NEW.code = 'forfeit' THEN EXISTS (
        SELECT 1 FROM unit_movements m JOIN transfers r ON r.ref = m.ref AND r.code = 'repay'
          JOIN accounts f ON f.id = NEW.from_account
        WHERE m.ref = NEW.ref AND m.code = 'redeem' AND m.investor = f.owner AND NEW.actor = 'system'
          AND NEW.amount = min(m.cents - r.amount, CAST((m.cents - m.cost) * 1.0 * r.amount / max(m.cost, 1) AS INTEGER))
          AND NOT EXISTS (SELECT 1 FROM transfers t WHERE t.ref = NEW.ref AND t.code = NEW.code))
      ELSE 0
      END);
END;
-- A bonus is money that nobody paid in, so it counts in the company's daily ceiling of credits.
CREATE TRIGGER transfers_bonus_ceiling BEFORE INSERT ON transfers
WHEN NEW.code = 'bonus'
BEGIN
  SELECT RAISE(ABORT, 'daily_credit_ceiling')
    WHERE NEW.amount + (
      SELECT coalesce(sum(amount), 0) FROM decision_totals
      WHERE queue = 'deposits' AND operator = 'house' AND hour >= CAST(unixepoch('subsec') AS INTEGER) / 3600 - 24
    ) > (SELECT credits FROM daily_ceilings);
END;
CREATE TRIGGER transfers_bonus_counted AFTER INSERT ON transfers
WHEN NEW.code = 'bonus'
BEGIN
  INSERT INTO decision_totals (queue, operator, hour, amount)
    SELECT 'deposits', 'house', CAST(unixepoch('subsec') AS INTEGER) / 3600, 0
    WHERE NOT EXISTS (
      SELECT 1 FROM decision_totals
      WHERE queue = 'deposits' AND operator = 'house' AND hour = CAST(unixepoch('subsec') AS INTEGER) / 3600);
  UPDATE decision_totals SET amount = amount + NEW.amount
    WHERE queue = 'deposits' AND operator = 'house' AND hour = CAST(unixepoch('subsec') AS INTEGER) / 3600;
END;
CREATE TRIGGER transfers_bonus_unfrozen BEFORE INSERT ON transfers
WHEN NEW.code = 'bonus'
BEGIN
  SELECT RAISE(ABORT, 'account_frozen')
    WHERE EXISTS (
      SELECT 1 FROM accounts a JOIN users u ON u.id = a.owner
      WHERE a.id = NEW.to_account AND u.frozen_at IS NOT NULL);
END;
CREATE TRIGGER transfers_bonus_silently_frozen BEFORE INSERT ON transfers
WHEN NEW.code = 'bonus'
BEGIN
  SELECT RAISE(ABORT, 'decisions_reserved')
    WHERE EXISTS (
      SELECT 1 FROM accounts a JOIN silent_freezes f ON f.investor = a.owner
      WHERE a.id = NEW.to_account AND f.ended_at IS NULL);
END;
CREATE TRIGGER transfers_without_debt BEFORE INSERT ON transfers
WHEN NEW.code IN ('hold', 'allocate', 'invest') OR (NEW.code = 'complete' AND NEW.actor <> 'system')
BEGIN
  SELECT RAISE(ABORT, 'debt_outstanding')
    WHERE EXISTS (
      SELECT 1 FROM accounts f JOIN accounts o ON o.id = f.owner || ':owed'
      WHERE f.id = NEW.from_account AND o.balance < 0);
END;
