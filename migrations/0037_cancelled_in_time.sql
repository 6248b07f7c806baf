-- An order belongs to the first 00:00 UTC after it was filed, whenever the price of that moment is written down. Until now whoever had filed
-- one could still cancel it between the two, and know what had become of the price since. One that a strategy which takes no new money
-- waits to give back may be taken back at any time.
CREATE TRIGGER unit_orders_cancelled_in_time BEFORE UPDATE OF status ON unit_orders
WHEN NEW.status = 'cancelled' AND NEW.decided_by IS NOT 'system'
BEGIN
  SELECT RAISE(ABORT, 'already_decided')
    WHERE NEW.decided_at >= (OLD.created_at / 86400000 + 1) * 86400000
      AND NOT (OLD.kind = 'allocate' AND EXISTS (SELECT 1 FROM strategies WHERE slug = OLD.strategy AND status <> 'active'));
END;
