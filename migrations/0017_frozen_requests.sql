-- A frozen account moves no money: what was filed before the freeze waits until it is lifted. Rejecting it, cancelling it and
-- taking a mistake back stay possible.
CREATE TRIGGER request_events_unfrozen BEFORE INSERT ON request_events
WHEN NEW.status IN ('approved', 'completed')
BEGIN
  SELECT RAISE(ABORT, 'account_frozen')
    WHERE EXISTS (
      SELECT 1 FROM requests r JOIN users u ON u.id = r.investor
      WHERE r.id = NEW.request AND u.frozen_at IS NOT NULL);
END;
CREATE TRIGGER credit_approvals_unfrozen BEFORE INSERT ON credit_approvals
BEGIN
  SELECT RAISE(ABORT, 'account_frozen')
    WHERE EXISTS (
      SELECT 1 FROM requests r JOIN users u ON u.id = r.investor
      WHERE r.id = NEW.request AND u.frozen_at IS NOT NULL);
END;
CREATE TRIGGER transfers_bonus_unfrozen BEFORE INSERT ON transfers
WHEN NEW.code = 'bonus'
BEGIN
  SELECT RAISE(ABORT, 'account_frozen')
    WHERE EXISTS (
      SELECT 1 FROM accounts a JOIN users u ON u.id = a.owner
      WHERE a.id = NEW.to_account AND u.frozen_at IS NOT NULL);
END;
