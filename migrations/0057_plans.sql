-- Plans invest or withdraw on their dates as their owner would. A date runs at most once, a day or more after it was announced, and
-- moves at most what was announced.

CREATE TABLE plan_kinds (
  kind TEXT PRIMARY KEY,
  invests INTEGER NOT NULL CHECK (invests IN (0, 1))  -- 1: files orders, 0: files withdrawals
) STRICT, WITHOUT ROWID;
INSERT INTO plan_kinds VALUES ('invest', 1), ('invest_above', 1), ('withdraw', 0);

CREATE TABLE plan_rhythms (rhythm TEXT PRIMARY KEY) STRICT, WITHOUT ROWID;
INSERT INTO plan_rhythms VALUES ('weekly'), ('monthly'), ('quarterly'), ('yearly');

CREATE TABLE plan_transitions (
  from_status TEXT NOT NULL,
  to_status TEXT NOT NULL,
  PRIMARY KEY (from_status, to_status)
) STRICT, WITHOUT ROWID;
INSERT INTO plan_transitions VALUES
  ('active', 'active'), ('active', 'paused'), ('active', 'ended'), ('paused', 'paused'), ('paused', 'active'), ('paused', 'ended');

CREATE TABLE plan_run_statuses (status TEXT PRIMARY KEY) STRICT, WITHOUT ROWID;
INSERT INTO plan_run_statuses VALUES ('announced'), ('done'), ('skipped'), ('failed'), ('missed');

CREATE TABLE plans (
  seq INTEGER PRIMARY KEY AUTOINCREMENT,
  id TEXT NOT NULL UNIQUE,
  investor TEXT NOT NULL REFERENCES users (id),
  kind TEXT NOT NULL REFERENCES plan_kinds (kind),
  strategy TEXT REFERENCES strategies (slug),  -- null: a withdrawal
  amount INTEGER NOT NULL CHECK (amount BETWEEN 1 AND 1000000000000),  -- cents to invest, to keep, or to withdraw
  destination TEXT,                         -- JSON like unit_orders.onward, with its proof, until the plan ends
  rhythm TEXT NOT NULL REFERENCES plan_rhythms (rhythm),
  starts TEXT NOT NULL,                     -- the first date, YYYY-MM-DD
  day INTEGER NOT NULL CHECK (day BETWEEN 1 AND 31),  -- of the month; a shorter month has it on its last day
  zone TEXT NOT NULL,                       -- IANA time zone of its dates
  status TEXT NOT NULL DEFAULT 'active',
  reason TEXT,                              -- why the platform paused or ended it: a code. Null: its owner did
  status_at INTEGER NOT NULL,
  next_on TEXT NOT NULL,                    -- the first date that is not in plan_runs
  next_at INTEGER NOT NULL,                 -- when it is due
  created_at INTEGER NOT NULL,
  -- The session that made, changed or resumed it last, and when. A distrusted session's plans end.
  session_id TEXT NOT NULL,
  changed_at INTEGER NOT NULL
) STRICT;
CREATE INDEX plans_by_investor ON plans (investor, seq);
CREATE INDEX plans_due ON plans (next_at) WHERE status = 'active';

-- The dates of a plan that were announced or left out. A date has one row, so it runs once.
CREATE TABLE plan_runs (
  plan TEXT NOT NULL REFERENCES plans (id),
  due_on TEXT NOT NULL,                     -- YYYY-MM-DD
  due_at INTEGER NOT NULL,
  status TEXT NOT NULL REFERENCES plan_run_statuses (status),
  amount INTEGER CHECK (amount > 0),        -- cents: the most that it moves
  announced_at INTEGER,
  decided_at INTEGER,
  reason TEXT,                              -- why it moved nothing: a code
  unit_order TEXT UNIQUE REFERENCES unit_orders (id),
  withdrawal TEXT UNIQUE REFERENCES requests (id),
  PRIMARY KEY (plan, due_on),
  CHECK ((amount IS NULL) = (announced_at IS NULL)),
  CHECK ((status = 'announced') = (decided_at IS NULL)),
  CHECK (status <> 'announced' OR announced_at IS NOT NULL),
  CHECK ((status = 'done') = (coalesce(unit_order, withdrawal) IS NOT NULL)),
  CHECK (unit_order IS NULL OR withdrawal IS NULL)
) STRICT, WITHOUT ROWID;
CREATE UNIQUE INDEX plan_runs_announced ON plan_runs (plan) WHERE status = 'announced';
CREATE INDEX plan_runs_due ON plan_runs (due_at) WHERE status = 'announced';

CREATE TRIGGER plans_made BEFORE INSERT ON plans
BEGIN
  SELECT RAISE(ABORT, 'plans: not active or already made')
    WHERE NEW.status <> 'active' OR EXISTS (SELECT 1 FROM plans WHERE id = NEW.id OR seq = NEW.seq);
  SELECT RAISE(ABORT, 'plans: strategy does not fit the kind')
    WHERE (NEW.strategy IS NOT NULL) IS NOT (SELECT invests FROM plan_kinds WHERE kind = NEW.kind);
  SELECT RAISE(ABORT, 'plans: destination does not fit the kind')
    WHERE (NEW.destination IS NULL) <> (NEW.strategy IS NOT NULL);
  SELECT RAISE(ABORT, 'not_found') WHERE NOT EXISTS (SELECT 1 FROM users WHERE id = NEW.investor AND role = 'investor');
  SELECT RAISE(ABORT, 'account_closed')
    WHERE EXISTS (SELECT 1 FROM users WHERE id = NEW.investor AND closed_at IS NOT NULL);
  SELECT RAISE(ABORT, 'account_frozen')
    WHERE EXISTS (SELECT 1 FROM users WHERE id = NEW.investor AND frozen_at IS NOT NULL);
  SELECT RAISE(ABORT, 'too_many_open')
    WHERE (SELECT count(*) FROM plans WHERE investor = NEW.investor AND status <> 'ended') >= 20;
END;
CREATE TRIGGER plans_changed BEFORE UPDATE ON plans
BEGIN
  SELECT RAISE(ABORT, 'plans: immutable columns')
    WHERE NEW.seq IS NOT OLD.seq OR NEW.id IS NOT OLD.id OR NEW.investor IS NOT OLD.investor OR NEW.kind IS NOT OLD.kind
      OR NEW.strategy IS NOT OLD.strategy OR NEW.created_at IS NOT OLD.created_at;
  SELECT RAISE(ABORT, 'already_decided')
    WHERE NOT EXISTS (SELECT 1 FROM plan_transitions WHERE from_status = OLD.status AND to_status = NEW.status);
  -- The destination is deleted once the plan no longer needs it.
  SELECT RAISE(ABORT, 'plans: destination does not fit the status')
    WHERE (NEW.destination IS NULL) <> (NEW.strategy IS NOT NULL OR NEW.status = 'ended');
  SELECT RAISE(ABORT, 'plans: date already used')
    WHERE EXISTS (SELECT 1 FROM plan_runs WHERE plan = NEW.id AND due_on >= NEW.next_on);
END;
-- A plan that is paused or ended takes its announced date with it.
CREATE TRIGGER plans_stopped AFTER UPDATE OF status ON plans
WHEN NEW.status <> 'active'
BEGIN
  UPDATE plan_runs SET status = 'skipped', reason = NEW.reason, decided_at = NEW.status_at
    WHERE plan = NEW.id AND status = 'announced';
  SELECT RAISE(ABORT, 'plans: announced date left')
    WHERE EXISTS (SELECT 1 FROM plan_runs WHERE plan = NEW.id AND status = 'announced');
END;
CREATE TRIGGER plans_no_delete BEFORE DELETE ON plans BEGIN SELECT RAISE(ABORT, 'plans: never deleted'); END;

CREATE TRIGGER plan_runs_made BEFORE INSERT ON plan_runs
BEGIN
  SELECT RAISE(ABORT, 'plan_runs: date already used')
    WHERE EXISTS (SELECT 1 FROM plan_runs WHERE plan = NEW.plan AND due_on = NEW.due_on);
  SELECT RAISE(ABORT, 'plan_runs: plan not active or another date')
    WHERE NOT EXISTS (
      SELECT 1 FROM plans WHERE id = NEW.plan AND status = 'active' AND next_on = NEW.due_on AND next_at = NEW.due_at);
  SELECT RAISE(ABORT, 'plan_runs: not announced') WHERE NEW.status = 'done';
END;
CREATE TRIGGER plan_runs_decided BEFORE UPDATE ON plan_runs
BEGIN
  SELECT RAISE(ABORT, 'plan_runs: immutable columns')
    WHERE NEW.plan IS NOT OLD.plan OR NEW.due_on IS NOT OLD.due_on OR NEW.due_at IS NOT OLD.due_at
      OR NEW.amount IS NOT OLD.amount OR NEW.announced_at IS NOT OLD.announced_at;
  SELECT RAISE(ABORT, 'already_decided') WHERE OLD.status <> 'announced';
END;
CREATE TRIGGER plan_runs_done BEFORE UPDATE ON plan_runs
WHEN NEW.status = 'done'
BEGIN
  SELECT RAISE(ABORT, 'plan_runs: plan not active')
    WHERE NOT EXISTS (SELECT 1 FROM plans WHERE id = NEW.plan AND status = 'active');
  SELECT RAISE(ABORT, 'plan_runs: too early')
    WHERE NEW.decided_at < OLD.due_at OR NEW.decided_at < OLD.announced_at + 86400000;
  -- The order or withdrawal of the same batch: its owner's, to the same place, of no more than was announced.
  SELECT RAISE(ABORT, 'plan_runs: order does not fit the plan')
    WHERE NEW.unit_order IS NOT NULL AND NOT EXISTS (
      SELECT 1 FROM plans p JOIN unit_orders o ON o.investor = p.investor AND o.strategy = p.strategy
      WHERE p.id = NEW.plan AND o.id = NEW.unit_order AND o.kind = 'allocate' AND o.cents <= OLD.amount
        AND o.created_at = NEW.decided_at);
  SELECT RAISE(ABORT, 'plan_runs: withdrawal does not fit the plan')
    WHERE NEW.withdrawal IS NOT NULL AND NOT EXISTS (
      SELECT 1 FROM plans p JOIN requests r ON r.investor = p.investor JOIN withdrawal_details d ON d.request = r.id
      WHERE p.id = NEW.plan AND r.id = NEW.withdrawal AND r.amount <= OLD.amount AND r.created_at = NEW.decided_at
        AND d.destination_hash = json_extract(p.destination, '$.destination.hash'));
END;
CREATE TRIGGER plan_runs_no_delete BEFORE DELETE ON plan_runs BEGIN SELECT RAISE(ABORT, 'plan_runs: never deleted'); END;
