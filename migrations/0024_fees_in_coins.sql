-- A venue may take the fee of a sale in coins, beside the coins that were sold. The pool pays it in USD at the trade's price ("fee"
-- and "cash"), and the company's own coins at the venue become fewer. 10⁻⁸; null if the fee was taken otherwise.
ALTER TABLE pool_fills ADD COLUMN venue_fee INTEGER CHECK (venue_fee > 0);

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
