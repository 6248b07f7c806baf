-- What is public of a valuation no longer tells what investors paid in or took out. From here on a row has format 2: its hash covers the
-- unit price, the return, the weights of the rules and a salted commitment to everything else. Older rows have format 1: their hashes
-- covered issue and redeem prices, which are answered no more, so that outside they are links of the chain and nothing else.
ALTER TABLE valuations ADD COLUMN format INTEGER NOT NULL DEFAULT 1;
ALTER TABLE valuations ADD COLUMN price_return REAL;     -- since the valuation before, as a share
ALTER TABLE valuations ADD COLUMN salt TEXT;             -- of the commitment: for operators and auditors only
ALTER TABLE valuations ADD COLUMN details TEXT;          -- JSON: cash, holdings, flows and orders, which the commitment covers too
ALTER TABLE valuations ADD COLUMN commitment TEXT;
ALTER TABLE valuations ADD COLUMN follows INTEGER;       -- 1: from this day's open on the pool holds what the rules do; 0: cash alone
ALTER TABLE valuations ADD COLUMN trades TEXT;           -- JSON: what the rules traded; null where nothing
CREATE INDEX valuations_trades ON valuations (strategy, day DESC, kind) WHERE trades IS NOT NULL;

-- As before, but for the price: of format 2 it follows the rules, and all units together are worth at most what the pool holds, rounded down
-- to a cent, and one cent more. What investors pay for trading beyond what it costs stays in the pool and is not in the price, which would tell
-- how much they paid in or took out.
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
  SELECT RAISE(ABORT, 'valuations: a row of format 2 has a commitment, and none of format 1 follows it')
    WHERE CASE NEW.format
      WHEN 2 THEN NEW.price_return IS NULL OR coalesce(length(NEW.salt) <> 64, 1) OR coalesce(length(NEW.commitment) <> 64, 1)
        OR NEW.details IS NULL OR NEW.follows IS NULL OR NEW.follows NOT IN (0, 1)
      WHEN 1 THEN EXISTS (SELECT 1 FROM valuations WHERE strategy = NEW.strategy AND format = 2)
      ELSE 1 END;
  SELECT RAISE(ABORT, 'valuations: a price is above zero')
    WHERE NEW.unit_price NOT BETWEEN 1 AND 1000000000000 OR CASE NEW.kind
      WHEN 'open' THEN coalesce(
        NEW.redeem_price NOT BETWEEN 1 AND NEW.unit_price OR NEW.issue_price NOT BETWEEN NEW.unit_price AND 1000000000000, 1)
      ELSE NEW.redeem_price IS NOT NULL OR NEW.issue_price IS NOT NULL END;
  SELECT RAISE(ABORT, 'valuations: the price is what the pool is worth by its units')
    WHERE NEW.units IS NOT (SELECT units FROM pools WHERE strategy = NEW.strategy)
      OR NEW.net_value NOT BETWEEN 0 AND 9007199254740991
      OR (NEW.format = 1 AND NEW.units BETWEEN 1 AND 999999
        AND NEW.units * NEW.unit_price / 10000000000 * 10000 > NEW.net_value)
      OR (NEW.format = 2 AND (NEW.units / 1000000 * NEW.unit_price + NEW.units % 1000000 * NEW.unit_price / 1000000) / 10000
        > NEW.net_value / 10000 + 1)
      OR (NEW.format = 1 AND NEW.units >= 1000000 AND NEW.unit_price IS NOT
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
