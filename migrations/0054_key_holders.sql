-- The people who hold the keys of watch-only wallets, and which key made each signature of a payout.
-- docs/decisions/0033-payouts-signed-offline.md
INSERT INTO proposal_kinds (kind) VALUES ('key_holders');
INSERT INTO proposal_roles (kind, role) VALUES ('key_holders', 'administrator');

CREATE INDEX proposals_key_holders ON proposals (json_extract(payload, '$.wallet'), decided_at) WHERE kind = 'key_holders';
-- A wallet's newest approved proposal names the holder of each key, by its number in the descriptor. NULL: nobody.
CREATE VIEW key_holders (wallet, key, holder) AS
  SELECT json_extract(p.payload, '$.wallet'), k.key, json_extract(k.value, '$.holder')
  FROM proposals p JOIN json_each(p.payload, '$.keys') k
  WHERE p.kind = 'key_holders' AND +p.status = 'approved' AND NOT EXISTS (
    SELECT 1 FROM proposals n
    WHERE n.kind = 'key_holders' AND +n.status = 'approved' AND json_extract(n.payload, '$.wallet') = json_extract(p.payload, '$.wallet')
      AND (n.decided_at, n.seq) > (p.decided_at, p.seq));

CREATE TRIGGER proposals_key_holders_approved BEFORE UPDATE ON proposals
WHEN OLD.kind = 'key_holders' AND NEW.status = 'approved'
BEGIN
  SELECT RAISE(ABORT, 'conflict')
    WHERE NOT EXISTS (SELECT 1 FROM watch_wallets WHERE id = json_extract(OLD.payload, '$.wallet') AND retired_at IS NULL)
      OR EXISTS (
        SELECT json_extract(value, '$.holder') AS holder FROM json_each(OLD.payload, '$.keys')
        WHERE holder IS NOT NULL
        GROUP BY holder HAVING count(*) > 1 OR holder NOT IN (SELECT id FROM deciding_treasurers));
END;

CREATE TABLE payout_key_signatures (
  payout TEXT NOT NULL,
  version INTEGER NOT NULL,
  key INTEGER NOT NULL,                     -- its number in the wallet's descriptor
  signed_by TEXT NOT NULL,                  -- who handed the signature in
  signed_at INTEGER NOT NULL,
  PRIMARY KEY (payout, version, key),
  FOREIGN KEY (payout, version) REFERENCES payout_transactions (payout, version)
) STRICT, WITHOUT ROWID;
CREATE TRIGGER payout_key_signatures_of_holder BEFORE INSERT ON payout_key_signatures
BEGIN
  SELECT RAISE(ABORT, 'conflict')
    WHERE EXISTS (SELECT 1 FROM payout_key_signatures WHERE payout = NEW.payout AND version = NEW.version AND key = NEW.key);
  SELECT RAISE(ABORT, 'already_decided')
    WHERE EXISTS (SELECT 1 FROM payout_transactions WHERE payout = NEW.payout AND version = NEW.version AND txid IS NOT NULL);
  SELECT RAISE(ABORT, 'forbidden')
    WHERE NOT EXISTS (SELECT 1 FROM deciding_treasurers WHERE id = NEW.signed_by);
  SELECT RAISE(ABORT, 'key_of_another')
    WHERE EXISTS (
      SELECT 1 FROM payouts p JOIN key_holders h ON h.wallet = p.wallet AND h.key = NEW.key
      WHERE p.id = NEW.payout AND h.holder <> NEW.signed_by);
END;
CREATE TRIGGER payout_key_signatures_no_update BEFORE UPDATE ON payout_key_signatures BEGIN SELECT RAISE(ABORT, 'payout_key_signatures: immutable'); END;
CREATE TRIGGER payout_key_signatures_no_delete BEFORE DELETE ON payout_key_signatures BEGIN SELECT RAISE(ABORT, 'payout_key_signatures: never deleted'); END;
