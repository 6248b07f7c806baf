-- Whoever decides about an order a second time, at the same moment and in the same words, is told so too.
CREATE TRIGGER unit_orders_decided_already BEFORE UPDATE OF status ON unit_orders
WHEN OLD.status <> 'pending'
BEGIN
  SELECT RAISE(ABORT, 'already_decided');
END;
