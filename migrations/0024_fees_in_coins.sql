CREATE TRIGGER pool_fills_fee_in_coins BEFORE INSERT ON pool_fills
WHEN NEW.venue_fee IS NOT NULL
BEGIN
  SELECT RAISE(ABORT, 'pool_fills: invalid fee in coins')
    WHERE NEW.venue_order IS NULL OR NEW.venue_fee >= NEW.quantity
      OR NOT EXISTS (SELECT 1 FROM pool_orders WHERE id = NEW.pool_order AND side = 'sell');
END;

DROP TRIGGER pool_fills_posted_at_venue;
CREATE TRIGGER pool_fills_posted_at_venue AFTER INSERT ON pool_fills
WHEN NEW.venue_order IS NOT NULL
BEGIN
  INSERT INTO venue_balances (venue, asset, quantity, entries)
    SELECT w.venue, o.asset,
      (CASE o.side WHEN 'buy' THEN NEW.quantity ELSE -NEW.quantity - coalesce(NEW.venue_fee, 0) END), 1
    FROM venue_orders w JOIN pool_orders o ON o.id = w.pool_order WHERE w.id = NEW.venue_order
    ON CONFLICT (venue, asset) DO UPDATE SET quantity = quantity + excluded.quantity, entries = entries + 1;
  INSERT INTO venue_balances (venue, asset, quantity, entries)
    SELECT w.venue, 'usd', NEW.venue_cash, 1 FROM venue_orders w WHERE w.id = NEW.venue_order
    ON CONFLICT (venue, asset) DO UPDATE SET quantity = quantity + excluded.quantity, entries = entries + 1;
END;
