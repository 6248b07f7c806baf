-- One place for each network of a coin, and the journal by time. docs/decisions/0050-treasury.md
CREATE INDEX place_entries_by_time ON place_entries (at, seq);

-- The place of the coins on each network that nobody watches. Addresses of several networks of a coin are not interchangeable.
CREATE VIEW custody_networks (network, place, asset, name) AS
  VALUES ('btc', 'bitcoin:other', 'bitcoin', 'Bitcoin'), ('eth', 'ethereum:other', 'ethereum', 'Ethereum'),
    ('usdt-trc20', 'usdt-trc20:other', 'usdt', 'TRON (TRC-20)'), ('usdt-bsc', 'usdt-bsc:other', 'usdt', 'BNB Smart Chain (BEP-20)'),
    ('usdt-erc20', 'usdt-erc20:other', 'usdt', 'Ethereum (ERC-20)'), ('usdc-erc20', 'usdc:other', 'usdc', 'Ethereum (ERC-20)');

DROP VIEW custody_places;
CREATE VIEW custody_places (id, kind, name, asset, proof, at) AS
  SELECT n.coin || ':watched', 'wallet', 'Watched wallets on ' || c.name, n.coin, 'chain', 0
  FROM chain_networks n JOIN custody_networks c ON c.network = n.network
  UNION ALL SELECT place, 'wallet', 'Other wallets on ' || name, asset, 'statement', 0 FROM custody_networks
  UNION ALL SELECT asset || iif(asset = 'usd', ':bank', ':other'), iif(asset = 'usd', 'bank', 'wallet'),
    iif(asset = 'usd', 'Bank account', 'Other wallets, network not recorded'), asset, 'statement', 0
  FROM custody_assets a
  WHERE asset = 'usd' OR (asset = 'usdt' AND EXISTS (SELECT 1 FROM place_entries WHERE place = a.asset || ':other'))
  UNION ALL SELECT id, json_extract(payload, '$.placeKind'), json_extract(payload, '$.name'), json_extract(payload, '$.asset'), 'statement', decided_at
  FROM proposals WHERE kind = 'treasury' AND +status = 'approved' AND json_extract(payload, '$.action') = 'place';

-- The balances until now move to the place of the network that their requests name. Earlier entries stay as they were.
DROP TRIGGER place_entries_follow;
INSERT INTO place_entries (place, quantity, balance, code, ref, at)
  WITH m AS (
    SELECT n.place, n.network, n.asset, sum(e.quantity) AS quantity
    FROM custody_networks n JOIN place_entries e ON e.place = n.asset || ':other' AND e.place <> n.place
      LEFT JOIN deposit_details d ON d.request = e.ref LEFT JOIN withdrawal_details w ON w.request = e.ref
    WHERE coalesce(d.network, w.network) = n.network GROUP BY n.network HAVING sum(e.quantity) <> 0)
  SELECT place, quantity, balance, code, ref, max(unixepoch() * 1000, (SELECT max(at) FROM place_entries))
  FROM (
    SELECT place, quantity, quantity AS balance, 'move_in' AS code, 'network:' || network AS ref FROM m
    UNION ALL SELECT asset || ':other', -quantity,
      (SELECT balance FROM place_entries WHERE place = m.asset || ':other' ORDER BY at DESC, seq DESC LIMIT 1)
        - sum(quantity) OVER (PARTITION BY asset ORDER BY network ROWS UNBOUNDED PRECEDING),
      'move_out', 'network:' || network FROM m)
  ORDER BY ref, code;
CREATE TRIGGER place_entries_follow BEFORE INSERT ON place_entries
BEGIN
  SELECT RAISE(ABORT, 'place_entries: no matching cause')
    WHERE NOT EXISTS (SELECT 1 FROM custody_entries WHERE ref = NEW.ref AND code = NEW.code AND quantity = NEW.quantity)
      AND NOT EXISTS (SELECT 1 FROM exchange_moves WHERE proposal = NEW.ref AND 'exchange' = NEW.code AND quantity = NEW.quantity);
  SELECT RAISE(ABORT, 'place_entries: balance or time does not follow')
    WHERE NEW.balance - NEW.quantity IS NOT coalesce((SELECT balance FROM place_entries WHERE place = NEW.place ORDER BY at DESC, seq DESC LIMIT 1), 0)
      OR NEW.at < (SELECT max(at) FROM place_entries WHERE place = NEW.place);
END;

DROP TRIGGER custody_placed;
CREATE TRIGGER custody_placed AFTER INSERT ON custody_entries
BEGIN
  INSERT INTO place_entries (place, quantity, balance, code, ref, at)
    SELECT l.id, NEW.quantity,
      NEW.quantity + coalesce((SELECT balance FROM place_entries WHERE place = l.id ORDER BY at DESC, seq DESC LIMIT 1), 0),
      NEW.code, NEW.ref, max(NEW.at, coalesce((SELECT max(at) FROM place_entries WHERE place = l.id), 0))
    FROM (
      SELECT coalesce(
        (SELECT place FROM treasury_lines WHERE ref = NEW.ref AND code = NEW.code),
        (CASE WHEN NEW.asset = 'usd' THEN 'usd:bank'
          WHEN NEW.code = 'kept' OR EXISTS (SELECT 1 FROM watched_causes WHERE ref = NEW.ref) THEN NEW.asset || ':watched'
          ELSE coalesce((
            SELECT place FROM custody_networks WHERE asset = NEW.asset AND network = coalesce(
              (SELECT network FROM deposit_details WHERE request = NEW.ref),
              (SELECT network FROM withdrawal_details WHERE request = NEW.ref))), NEW.asset || ':other') END)) AS id) l;
END;

-- The record of a transfer to an exchange names no network: of a coin with several, the place that has most of it is taken.
-- Treasurers correct it with a move.
DROP TRIGGER venue_transfers_placed;
CREATE TRIGGER venue_transfers_placed AFTER INSERT ON venue_transfers
BEGIN
  INSERT INTO place_entries (place, quantity, balance, code, ref, at)
    SELECT m.place, m.quantity,
      m.quantity + coalesce((SELECT balance FROM place_entries WHERE place = m.place ORDER BY at DESC, seq DESC LIMIT 1), 0),
      'exchange', m.proposal, max(m.at, coalesce((SELECT max(at) FROM place_entries WHERE place = m.place), 0))
    FROM (
      SELECT proposal, quantity, at, coalesce((
        SELECT n.place FROM custody_networks n WHERE n.asset = NEW.asset AND e.place = NEW.asset || ':other'
        ORDER BY coalesce((SELECT balance FROM place_entries WHERE place = n.place ORDER BY at DESC, seq DESC LIMIT 1), 0) DESC LIMIT 1), place) AS place
      FROM exchange_moves e WHERE proposal = NEW.proposal AND quantity <> 0) m;
END;
