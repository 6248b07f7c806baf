-- Of a pool of less than one unit a cent's rounding moved the price to any height, and down to nothing, where no valuation could be recorded
-- any more. Its price may now be another one than the pool's worth by its units, as long as all of them are worth no cent more than it.
DROP TRIGGER valuations_chained;
CREATE TRIGGER valuations_chained BEFORE INSERT ON valuations
BEGIN
  SELECT RAISE(ABORT, 'valuations: each is recorded once, in the order of days')
    WHERE NEW.kind NOT IN ('open', 'close') OR NEW.day % 86400000 <> 0 OR EXISTS (
      SELECT 1 FROM valuations WHERE strategy = NEW.strategy
        AND (day > NEW.day OR (day = NEW.day AND (kind = 'close' OR NEW.kind = 'open'))));
  SELECT RAISE(ABORT, 'valuations: none is recorded before its time')
    WHERE NEW.recorded_at < NEW.day + CASE NEW.kind WHEN 'close' THEN 86400000 ELSE 0 END;
  SELECT RAISE(ABORT, 'valuations: the chain of hashes goes on')
    WHERE NEW.hash = '' OR NEW.previous IS NOT coalesce(
      (SELECT hash FROM valuations WHERE strategy = NEW.strategy ORDER BY day DESC, kind LIMIT 1),
      (SELECT hash FROM strategies WHERE slug = NEW.strategy));
  SELECT RAISE(ABORT, 'valuations: a price is above zero')
    WHERE NEW.unit_price NOT BETWEEN 1 AND 1000000000000 OR CASE NEW.kind
      WHEN 'open' THEN coalesce(
        NEW.redeem_price NOT BETWEEN 1 AND NEW.unit_price OR NEW.issue_price NOT BETWEEN NEW.unit_price AND 1000000000000, 1)
      ELSE NEW.redeem_price IS NOT NULL OR NEW.issue_price IS NOT NULL END;
  SELECT RAISE(ABORT, 'valuations: the price is what the pool is worth by its units')
    WHERE NEW.units IS NOT (SELECT units FROM pools WHERE strategy = NEW.strategy)
      OR NEW.net_value NOT BETWEEN 0 AND 9007199254740991
      OR (NEW.units BETWEEN 1 AND 999999 AND NEW.units * NEW.unit_price / 10000000000 * 10000 > NEW.net_value)
      OR (NEW.units >= 1000000 AND NEW.unit_price IS NOT
        (SELECT q * 4096 + (r * 4096 + (NEW.net_value & 4095) * 1000000) / NEW.units
          FROM (SELECT q * 4096 + n / NEW.units AS q, n % NEW.units AS r
          FROM (SELECT q, r * 4096 + ((NEW.net_value >> 12) & 4095) * 1000000 AS n
          FROM (SELECT q * 4096 + n / NEW.units AS q, n % NEW.units AS r
          FROM (SELECT q, r * 4096 + ((NEW.net_value >> 24) & 4095) * 1000000 AS n
          FROM (SELECT n / NEW.units AS q, n % NEW.units AS r FROM (SELECT (NEW.net_value >> 36) * 1000000 AS n))))))));
  SELECT RAISE(ABORT, 'valuations: the step of an earlier day is not done')
    WHERE EXISTS (
      SELECT 1 FROM valuations v WHERE v.strategy = NEW.strategy AND v.kind = 'open'
        AND v.day = (SELECT max(day) FROM valuations WHERE strategy = NEW.strategy AND kind = 'open')
        AND NOT EXISTS (SELECT 1 FROM pool_steps s WHERE s.strategy = v.strategy AND s.day = v.day));
END;
