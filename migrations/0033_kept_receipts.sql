-- What arrived at own addresses without a credit by the system, and stays in the wallet: custody counts it once an operator has closed it.
-- docs/decisions/0032-payments-proven-by-the-chain.md

DROP TRIGGER custody_codes_no_insert;
INSERT INTO custody_codes VALUES ('kept');
CREATE TRIGGER custody_codes_no_insert BEFORE INSERT ON custody_codes BEGIN SELECT RAISE(ABORT, 'custody_codes: immutable outside migrations'); END;

-- Closed payments and receipts in units of custody. A payment that was credited by hand is in custody already. A token has no asset, and
-- a contract names one of two.
CREATE VIEW closed_receipts (id, asset, units) AS
  SELECT p.id, n.coin, p.units FROM payments p JOIN chain_networks n ON n.network = p.network
  WHERE p.closed_at IS NOT NULL AND p.reason IS NOT 'reference_used'
  UNION ALL
  SELECT u.id, n.coin, CAST(substr(u.quantity, 1, length(u.quantity) + 1 - length(n.smallest_per_unit)) AS INTEGER)
  FROM unknown_receipts u JOIN chain_networks n ON n.chain = u.chain
  WHERE u.closed_at IS NOT NULL AND u.kind <> 'token' AND (u.contract IS NULL) = (n.network IN ('btc', 'eth'));

DROP TRIGGER custody_checked;
CREATE TRIGGER custody_checked BEFORE INSERT ON custody_entries
BEGIN
  SELECT RAISE(ABORT, 'custody_entries: already stored')
    WHERE EXISTS (SELECT 1 FROM custody_entries WHERE id = NEW.id OR seq = NEW.seq OR (ref = NEW.ref AND code = NEW.code));
  SELECT RAISE(ABORT, 'custody_entries: no matching cause')
    WHERE NOT (CASE NEW.code
      WHEN 'network_fee' THEN EXISTS (
        SELECT 1 FROM payouts p WHERE p.id = NEW.ref AND p.state IN ('confirmed', 'failed') AND p.chain = NEW.asset AND NEW.quantity < 0
          AND -NEW.quantity <= (SELECT fee FROM payout_transactions WHERE payout = p.id AND version = p.version))
        OR EXISTS (
          SELECT 1 FROM request_events e JOIN request_chains c ON c.request = e.request
          WHERE e.request = NEW.ref AND e.status = 'completed' AND c.chain = NEW.asset AND NEW.quantity = -e.fee)
      WHEN 'kept' THEN NEW.quantity > 0 AND EXISTS (
        SELECT 1 FROM closed_receipts WHERE id = NEW.ref AND asset = NEW.asset AND units = NEW.quantity)
      ELSE EXISTS (
        SELECT 1 FROM requests r WHERE r.id = NEW.ref AND (CASE NEW.code
          WHEN 'in' THEN r.queue = 'deposits' AND r.status = 'approved' AND NEW.quantity > 0
            AND NEW.asset = (SELECT coin FROM deposit_details WHERE request = r.id)
          WHEN 'out' THEN r.queue = 'withdrawals' AND r.status = 'completed' AND NEW.quantity < 0
            AND NEW.asset = (SELECT coalesce(coin, 'usd') FROM withdrawal_details WHERE request = r.id)
          ELSE r.status = 'reversed' AND EXISTS (
            SELECT 1 FROM custody_entries o WHERE o.ref = NEW.ref AND o.code = substr(NEW.code, 9)
              AND o.asset = NEW.asset AND o.quantity = -NEW.quantity)
          END))
      END);
END;
