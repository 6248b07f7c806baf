-- Payouts: transactions that pay approved withdrawals. The console builds them unsigned, hardware signs them, the chain confirms them.
-- docs/decisions/0033-payouts-signed-offline.md

CREATE TABLE payout_transitions (
  from_state TEXT NOT NULL,
  to_state TEXT NOT NULL,
  PRIMARY KEY (from_state, to_state)
) STRICT, WITHOUT ROWID;
-- built: unsigned. released: signed, compared and broadcast. confirmed: deep enough in the chain. failed: Ethereum mined it, and it paid
-- nothing. replaced: another final transaction spent its coins or its nonce, so it can never be mined. After both of these its withdrawals
-- can be paid by another payout.
INSERT INTO payout_transitions VALUES
  ('built', 'released'), ('built', 'cancelled'), ('released', 'confirmed'), ('released', 'failed'), ('released', 'replaced');

CREATE TABLE payouts (
  seq INTEGER PRIMARY KEY AUTOINCREMENT,
  id TEXT NOT NULL UNIQUE,
  chain TEXT NOT NULL CHECK (chain IN ('bitcoin', 'ethereum')),
  wallet TEXT NOT NULL REFERENCES watch_wallets (id),
  state TEXT NOT NULL DEFAULT 'built',
  built_by TEXT NOT NULL,
  built_at INTEGER NOT NULL,
  released_by TEXT,
  released_at INTEGER,
  cancelled_by TEXT,
  cancelled_at INTEGER,
  -- The transaction that is in a block, once one is. Replaced: the block of the other transaction.
  version INTEGER,
  height INTEGER,
  block_hash TEXT,
  replaced_by TEXT,                         -- the other transaction
  confirmed_at INTEGER,                     -- when it was deep enough
  checked_at INTEGER NOT NULL DEFAULT 0,    -- when its chain was last asked
  problem TEXT                              -- a code of src/contract/console/payouts.ts; null while all is well
) STRICT;
CREATE INDEX payouts_open ON payouts (seq) WHERE state IN ('built', 'released');
CREATE INDEX payouts_cancelled ON payouts (seq) WHERE state = 'cancelled';
CREATE INDEX payouts_by_height ON payouts (chain, height) WHERE state = 'confirmed';

-- The withdrawals that a payout pays. Their order is the order of the outputs.
CREATE TABLE payout_items (
  payout TEXT NOT NULL REFERENCES payouts (id),
  output INTEGER NOT NULL,                  -- the number of the output; 0 on Ethereum, where a transaction pays one withdrawal
  request TEXT NOT NULL REFERENCES requests (id),
  network TEXT NOT NULL REFERENCES chain_networks (network),
  quantity TEXT NOT NULL,                   -- in the network's smallest unit, as an integer
  units INTEGER NOT NULL CHECK (units > 0), -- in the coin's smallest unit of custody
  rate TEXT NOT NULL,                       -- USD per coin when it was built, as a decimal
  PRIMARY KEY (payout, output)
) STRICT, WITHOUT ROWID;
CREATE INDEX payout_items_by_request ON payout_items (request);

-- The transaction, and after it those that replace it with a higher fee. All pay the same.
CREATE TABLE payout_transactions (
  payout TEXT NOT NULL REFERENCES payouts (id),
  version INTEGER NOT NULL CHECK (version >= 1),
  unsigned TEXT NOT NULL,                   -- Bitcoin: a PSBT in base64; Ethereum: the payload in hexadecimal
  details TEXT NOT NULL,                    -- JSON: what was built, for comparing and replacing
  fee INTEGER NOT NULL CHECK (fee > 0),     -- satoshi; Ethereum: the most it may cost, in gwei
  built_by TEXT NOT NULL,
  built_at INTEGER NOT NULL,
  txid TEXT UNIQUE,                         -- from here on: once it is signed
  signed TEXT,                              -- the raw transaction in hexadecimal
  released_by TEXT,
  released_at INTEGER,
  PRIMARY KEY (payout, version)
) STRICT, WITHOUT ROWID;

-- The coins that a Bitcoin transaction spends. An open payout reserves them.
CREATE TABLE payout_coins (
  payout TEXT NOT NULL,
  version INTEGER NOT NULL,
  coin TEXT NOT NULL,                       -- txid:n
  value INTEGER NOT NULL CHECK (value > 0), -- satoshi
  PRIMARY KEY (payout, version, coin),
  FOREIGN KEY (payout, version) REFERENCES payout_transactions (payout, version)
) STRICT, WITHOUT ROWID;
CREATE INDEX payout_coins_by_coin ON payout_coins (coin);

-- Verified signatures of a transaction that is not complete: with a multisignature wallet several people sign, one after the other.
CREATE TABLE payout_signatures (
  seq INTEGER PRIMARY KEY AUTOINCREMENT,
  payout TEXT NOT NULL,
  version INTEGER NOT NULL,
  psbt TEXT NOT NULL,                       -- base64
  added_by TEXT NOT NULL,
  added_at INTEGER NOT NULL,
  FOREIGN KEY (payout, version) REFERENCES payout_transactions (payout, version)
) STRICT;
CREATE INDEX payout_signatures_by_payout ON payout_signatures (payout, version);

-- The blocks that spend coins of the watch wallets.
CREATE TABLE coin_spends (
  coin TEXT NOT NULL,                       -- txid:n
  block_hash TEXT NOT NULL,
  height INTEGER NOT NULL,
  txid TEXT NOT NULL,                       -- the transaction that spends it
  PRIMARY KEY (coin, block_hash)
) STRICT, WITHOUT ROWID;

-- The transactions that the treasuries of the watch wallets sent on Ethereum, in finalised blocks.
CREATE TABLE treasury_transactions (
  wallet TEXT NOT NULL REFERENCES watch_wallets (id),
  nonce INTEGER NOT NULL,
  txid TEXT NOT NULL UNIQUE,
  payload TEXT NOT NULL,                    -- what was signed, in hexadecimal, as payout_transactions.unsigned has it
  height INTEGER NOT NULL,
  block_hash TEXT NOT NULL,
  succeeded INTEGER NOT NULL CHECK (succeeded IN (0, 1)),  -- as its receipt says
  PRIMARY KEY (wallet, nonce)
) STRICT, WITHOUT ROWID;

-- Final transactions that spent a coin or the nonce of a payout's transaction. is_own: it is a version of the payout itself.
CREATE VIEW payout_spends (payout, version, txid, height, block_hash, is_own) AS
  SELECT c.payout, c.version, s.txid, s.height, s.block_hash, EXISTS (
      SELECT 1 FROM payout_transactions o
      WHERE o.payout = c.payout AND s.txid = coalesce(o.txid, json_extract(o.details, '$.txid')))
  FROM payout_coins c JOIN coin_spends s ON s.coin = c.coin
    JOIN bitcoin_headers h ON h.height = s.height AND h.hash = s.block_hash
  -- Three blocks, as a deposit needs.
  WHERE s.height <= (SELECT max(height) FROM bitcoin_headers) - 2
  UNION ALL
  SELECT t.payout, t.version, x.txid, x.height, x.block_hash, EXISTS (
      SELECT 1 FROM payout_transactions o WHERE o.payout = t.payout AND o.unsigned = x.payload)
  FROM payout_transactions t JOIN payouts p ON p.id = t.payout AND p.chain = 'ethereum'
    JOIN treasury_transactions x ON x.wallet = p.wallet AND x.nonce = json_extract(t.details, '$.nonce');
-- Payouts that can no longer be mined, in any version.
CREATE VIEW displaced_payouts (payout) AS
  SELECT p.id FROM payouts p
  WHERE NOT EXISTS (SELECT 1 FROM payout_spends s WHERE s.payout = p.id AND s.is_own = 1)
    AND NOT EXISTS (
      SELECT 1 FROM payout_transactions t WHERE t.payout = p.id AND NOT EXISTS (
        SELECT 1 FROM payout_spends s WHERE s.payout = t.payout AND s.version = t.version));
-- Withdrawals in payouts that were not released. The file of such a payout can still be signed and mined.
-- is_signed: somebody handed in a signature, or the payout was mined.
CREATE VIEW unreleased_withdrawals (request, payout, state, is_signed) AS
  SELECT i.request, p.id, p.state,
         EXISTS (SELECT 1 FROM payout_signatures WHERE payout = p.id)
           OR EXISTS (SELECT 1 FROM payout_spends s WHERE s.payout = p.id AND s.is_own = 1)
  FROM payouts p JOIN payout_items i ON i.payout = p.id
  WHERE p.state IN ('built', 'cancelled') AND NOT EXISTS (SELECT 1 FROM displaced_payouts d WHERE d.payout = p.id);

-- A count of the reserves of Ethereum that is under way, in pages of addresses, all at one block.
CREATE TABLE reserve_counts (
  day TEXT PRIMARY KEY,                     -- 2026-01-31, UTC
  height INTEGER NOT NULL,
  block_hash TEXT NOT NULL,
  reached INTEGER NOT NULL DEFAULT 0,       -- the last address that is counted, by deposit_addresses.seq; 0: the treasury is next
  held TEXT NOT NULL,                       -- JSON: so far, by asset, in its smallest unit of custody
  booked TEXT NOT NULL,                     -- JSON: in the books when the count began, by asset
  at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

-- What the watch wallets held on their chains, once a day at a named block.
CREATE TABLE reserves (
  day TEXT NOT NULL,                        -- 2026-01-31, UTC
  asset TEXT NOT NULL REFERENCES custody_assets (asset),
  chain TEXT NOT NULL CHECK (chain IN ('bitcoin', 'ethereum')),
  height INTEGER NOT NULL,
  block_hash TEXT NOT NULL,
  units INTEGER NOT NULL CHECK (units >= 0),  -- on the chain, in the asset's smallest unit
  booked INTEGER NOT NULL,                  -- what the books of custody say of these wallets at that time
  stops_payouts INTEGER NOT NULL CHECK (stops_payouts IN (0, 1)),  -- 1: less than booked by more than the setting allows
  at INTEGER NOT NULL,
  PRIMARY KEY (day, asset)
) STRICT, WITHOUT ROWID;
CREATE TRIGGER reserves_published_once BEFORE INSERT ON reserves
BEGIN
  -- The newest day decides whether payouts stop.
  SELECT RAISE(ABORT, 'reserves: day not begun')
    WHERE NEW.day > strftime('%Y-%m-%d', unixepoch('subsec'), 'unixepoch') OR NEW.day NOT GLOB '[0-9][0-9][0-9][0-9]-[0-1][0-9]-[0-3][0-9]';
  SELECT RAISE(IGNORE) WHERE EXISTS (SELECT 1 FROM reserves WHERE day = NEW.day AND asset = NEW.asset);
END;

-- What leaves custody for a payout is the quantity that it paid.
CREATE TRIGGER custody_matches_mined_payout AFTER INSERT ON custody_entries
WHEN NEW.code = 'out'
BEGIN
  SELECT RAISE(ABORT, 'custody_entries: differs from the quantity sent')
    WHERE EXISTS (
      SELECT 1 FROM payout_items i JOIN payouts p ON p.id = i.payout AND p.state = 'confirmed'
      WHERE i.request = NEW.ref AND i.units <> -NEW.quantity);
END;

CREATE TRIGGER payouts_start_built BEFORE INSERT ON payouts
BEGIN
  SELECT RAISE(ABORT, 'payouts: already built')
    WHERE NEW.state <> 'built' OR NEW.released_by IS NOT NULL OR NEW.cancelled_by IS NOT NULL OR NEW.version IS NOT NULL
      OR NEW.confirmed_at IS NOT NULL OR NEW.problem IS NOT NULL OR EXISTS (SELECT 1 FROM payouts WHERE id = NEW.id OR seq = NEW.seq);
  SELECT RAISE(ABORT, 'conflict')
    WHERE NOT EXISTS (SELECT 1 FROM watch_wallets WHERE id = NEW.wallet AND chain = NEW.chain AND retired_at IS NULL);
  SELECT RAISE(ABORT, 'forbidden')
    WHERE NOT EXISTS (SELECT 1 FROM deciding_treasurers WHERE id = NEW.built_by);
END;
CREATE TRIGGER payout_items_approved BEFORE INSERT ON payout_items
BEGIN
  SELECT RAISE(ABORT, 'payout_items: withdrawal already listed or transaction already built')
    WHERE EXISTS (SELECT 1 FROM payout_items WHERE payout = NEW.payout AND (output = NEW.output OR request = NEW.request))
      OR EXISTS (SELECT 1 FROM payout_transactions WHERE payout = NEW.payout)
      OR NOT EXISTS (
        SELECT 1 FROM payouts p JOIN chain_networks n ON n.chain = p.chain
        -- A transaction on Ethereum pays one withdrawal.
        WHERE p.id = NEW.payout AND p.state = 'built' AND n.network = NEW.network AND (p.chain = 'bitcoin' OR NEW.output = 0));
  SELECT RAISE(ABORT, 'already_decided')
    WHERE NOT EXISTS (
      SELECT 1 FROM requests r JOIN withdrawal_details d ON d.request = r.id
      WHERE r.id = NEW.request AND r.queue = 'withdrawals' AND r.status = 'approved'
        AND d.network = NEW.network AND d.address <> '');
  SELECT RAISE(ABORT, 'payout_items: units differ from the amount at the rate')
    WHERE NOT EXISTS (
      SELECT 1 FROM requests r JOIN chain_networks n ON n.network = NEW.network JOIN custody_assets a ON a.asset = n.coin
      -- One cent or unit for rounding down.
      WHERE r.id = NEW.request
        AND abs(NEW.units * CAST(NEW.rate AS REAL) * 100 / CAST('1e' || a.decimals AS REAL) - r.amount)
          <= max(1, CAST(NEW.rate AS REAL) * 100 / CAST('1e' || a.decimals AS REAL)));
  SELECT RAISE(ABORT, 'conflict')
    WHERE EXISTS (
      SELECT 1 FROM payout_items i JOIN payouts p ON p.id = i.payout
      WHERE i.request = NEW.request AND p.state NOT IN ('cancelled', 'failed', 'replaced'));
END;

CREATE TRIGGER payout_transactions_built BEFORE INSERT ON payout_transactions
BEGIN
  SELECT RAISE(ABORT, 'payout_transactions: wrong version or state of the payout')
    WHERE NEW.txid IS NOT NULL OR NEW.signed IS NOT NULL OR NEW.released_by IS NOT NULL OR NEW.released_at IS NOT NULL
      OR NEW.version <> 1 + (SELECT count(*) FROM payout_transactions WHERE payout = NEW.payout)
      OR NOT EXISTS (
        SELECT 1 FROM payouts WHERE id = NEW.payout AND state = (CASE NEW.version WHEN 1 THEN 'built' ELSE 'released' END))
      OR NOT EXISTS (SELECT 1 FROM payout_items WHERE payout = NEW.payout);
  SELECT RAISE(ABORT, 'forbidden')
    WHERE NOT EXISTS (SELECT 1 FROM deciding_treasurers WHERE id = NEW.built_by);
END;
-- A transaction is signed and released once. An operator who approved one of its withdrawals cannot release it, so it takes two people.
-- A version that replaces a released one pays the same and may go on.
CREATE TRIGGER payout_transactions_silently_frozen BEFORE UPDATE ON payout_transactions
WHEN OLD.version = 1
BEGIN
  SELECT RAISE(ABORT, 'decisions_reserved')
    WHERE EXISTS (
      SELECT 1 FROM payout_items i JOIN requests r ON r.id = i.request JOIN silent_freezes f ON f.investor = r.investor
      WHERE i.payout = NEW.payout AND f.ended_at IS NULL);
END;
CREATE TRIGGER payout_transactions_released BEFORE UPDATE ON payout_transactions
BEGIN
  SELECT RAISE(ABORT, 'already_decided')
    WHERE OLD.txid IS NOT NULL OR NEW.txid IS NULL OR NEW.signed IS NULL OR NEW.released_by IS NULL OR NEW.released_at IS NULL
      OR NOT EXISTS (SELECT 1 FROM payouts WHERE id = NEW.payout AND state IN ('built', 'released'));
  -- Its quantities follow from the prices when it was built. Nobody waits for a better moment to release it. A replacement pays the same.
  SELECT RAISE(ABORT, 'conflict') WHERE NEW.version = 1 AND NEW.released_at > NEW.built_at + 86400000;
  SELECT RAISE(ABORT, 'payout_transactions: transaction id not canonical')
    WHERE length(NEW.txid) <> 64 OR NEW.txid GLOB '*[^0-9a-f]*';
  SELECT RAISE(ABORT, 'payout_transactions: transaction id already used')
    WHERE EXISTS (SELECT 1 FROM payout_transactions WHERE txid = NEW.txid);
  -- All versions have the same nonce, or spend a coin of each other. Otherwise the withdrawals could be paid twice.
  SELECT RAISE(ABORT, 'payout_transactions: another version can be mined')
    WHERE EXISTS (
      SELECT 1 FROM payout_transactions t JOIN payouts p ON p.id = t.payout
      WHERE t.payout = NEW.payout AND t.txid IS NOT NULL AND NOT (CASE p.chain
        WHEN 'ethereum' THEN coalesce(json_extract(t.details, '$.nonce') = json_extract(NEW.details, '$.nonce'), 0)
        ELSE EXISTS (
          SELECT 1 FROM payout_coins a JOIN payout_coins b ON b.coin = a.coin AND b.payout = a.payout
          WHERE a.payout = NEW.payout AND a.version = t.version AND b.version = NEW.version)
        END));
  -- A cancelled payout of the same withdrawal may have been signed. Only one of both can be mined if they share a coin or the nonce.
  SELECT RAISE(ABORT, 'conflict')
    WHERE EXISTS (
      SELECT 1 FROM payout_items i JOIN unreleased_withdrawals c ON c.request = i.request AND c.state = 'cancelled'
        JOIN payout_transactions t ON t.payout = c.payout JOIN payouts p ON p.id = c.payout
      WHERE i.payout = NEW.payout AND NOT (CASE p.chain
        WHEN 'ethereum' THEN coalesce(json_extract(t.details, '$.nonce') = json_extract(NEW.details, '$.nonce'), 0)
        ELSE EXISTS (
          SELECT 1 FROM payout_coins a JOIN payout_coins b ON b.coin = a.coin
          WHERE a.payout = c.payout AND a.version = t.version AND b.payout = NEW.payout AND b.version = NEW.version)
        END));
  SELECT RAISE(ABORT, 'forbidden')
    WHERE NOT EXISTS (SELECT 1 FROM deciding_treasurers WHERE id = NEW.released_by);
  -- The withdrawals were approved and are still to be paid. A replacement pays them again in the same way.
  SELECT RAISE(ABORT, 'conflict')
    WHERE EXISTS (
      SELECT 1 FROM payout_items i JOIN requests r ON r.id = i.request WHERE i.payout = NEW.payout AND r.status <> 'approved');
  SELECT RAISE(ABORT, 'account_frozen')
    WHERE OLD.version = 1 AND EXISTS (
      SELECT 1 FROM payout_items i JOIN requests r ON r.id = i.request JOIN users u ON u.id = r.investor
      WHERE i.payout = NEW.payout AND u.frozen_at IS NOT NULL);
  SELECT RAISE(ABORT, 'debt_outstanding')
    WHERE OLD.version = 1 AND EXISTS (
      SELECT 1 FROM payout_items i JOIN requests r ON r.id = i.request JOIN accounts o ON o.id = r.investor || ':owed'
      WHERE i.payout = NEW.payout AND o.balance < 0);
  SELECT RAISE(ABORT, 'payment_undone')
    WHERE OLD.version = 1 AND EXISTS (
      SELECT 1 FROM payout_items i JOIN requests r ON r.id = i.request JOIN payments p ON p.investor = r.investor
        JOIN requests d ON d.id = p.request AND d.status = 'approved'
      WHERE i.payout = NEW.payout AND p.state = 'undone');
  SELECT RAISE(ABORT, 'destination_on_hold')
    WHERE EXISTS (
      SELECT 1 FROM payout_items i JOIN withdrawal_details d ON d.request = i.request
      WHERE i.payout = NEW.payout AND d.held_until > min(NEW.released_at, CAST(unixepoch('subsec') * 1000 AS INTEGER)));
  SELECT RAISE(ABORT, 'reserve_shortfall')
    WHERE OLD.version = 1 AND EXISTS (
      SELECT 1 FROM reserves s WHERE s.day = (SELECT max(day) FROM reserves WHERE asset = s.asset) AND s.stops_payouts = 1);
  SELECT RAISE(ABORT, 'daily_payout_ceiling')
    WHERE OLD.version = 1 AND (
      SELECT coalesce(sum(r.amount), 0) FROM payout_items i JOIN requests r ON r.id = i.request WHERE i.payout = NEW.payout
    ) + (
      SELECT coalesce(sum(amount), 0) FROM decision_totals
      WHERE queue = 'withdrawals' AND operator = 'house'
        AND hour >= CAST(unixepoch('subsec') AS INTEGER) / 3600 - 24
    ) > (SELECT payouts FROM daily_ceilings);
  SELECT RAISE(ABORT, 'second_operator_required')
    WHERE EXISTS (
      SELECT 1 FROM payout_items i JOIN request_events e ON e.request = i.request AND e.status = 'approved'
      WHERE i.payout = NEW.payout AND e.actor = NEW.released_by);
END;
-- The first release counts in the company's daily ceiling, and the payout follows.
CREATE TRIGGER payout_transactions_sent AFTER UPDATE ON payout_transactions
WHEN NEW.version = 1
BEGIN
  INSERT INTO decision_totals (queue, operator, hour, amount)
    SELECT 'withdrawals', 'house', CAST(unixepoch('subsec') AS INTEGER) / 3600, 0
    WHERE NOT EXISTS (
      SELECT 1 FROM decision_totals
      WHERE queue = 'withdrawals' AND operator = 'house' AND hour = CAST(unixepoch('subsec') AS INTEGER) / 3600);
  UPDATE decision_totals SET amount = amount + (
      SELECT sum(r.amount) FROM payout_items i JOIN requests r ON r.id = i.request WHERE i.payout = NEW.payout)
    WHERE queue = 'withdrawals' AND operator = 'house' AND hour = CAST(unixepoch('subsec') AS INTEGER) / 3600;
  UPDATE payouts SET state = 'released', released_by = NEW.released_by, released_at = NEW.released_at WHERE id = NEW.payout;
  SELECT RAISE(ABORT, 'payout_transactions: payout not updated')
    WHERE NOT EXISTS (SELECT 1 FROM payouts WHERE id = NEW.payout AND state = 'released');
END;

CREATE TRIGGER payouts_follow BEFORE UPDATE ON payouts
BEGIN
  SELECT RAISE(ABORT, 'already_decided')
    WHERE NEW.state IS NOT OLD.state
      AND NOT EXISTS (SELECT 1 FROM payout_transitions WHERE from_state = OLD.state AND to_state = NEW.state);
  SELECT RAISE(ABORT, 'payouts: released without a signed transaction')
    WHERE NEW.state = 'released' AND NOT EXISTS (
      SELECT 1 FROM payout_transactions WHERE payout = NEW.id AND txid IS NOT NULL AND released_by = NEW.released_by);
  SELECT RAISE(ABORT, 'forbidden')
    WHERE NEW.state = 'cancelled' AND NOT EXISTS (SELECT 1 FROM deciding_treasurers WHERE id = NEW.cancelled_by);
  SELECT RAISE(ABORT, 'payouts: mined without transaction or block')
    WHERE NEW.state IN ('confirmed', 'failed') AND (
      NEW.height IS NULL OR NEW.block_hash IS NULL OR NEW.confirmed_at IS NULL OR NOT EXISTS (
        SELECT 1 FROM payout_transactions WHERE payout = NEW.id AND version = NEW.version AND txid IS NOT NULL));
  SELECT RAISE(ABORT, 'payouts: failed without a mined transaction')
    WHERE NEW.state = 'failed' AND NOT EXISTS (
      SELECT 1 FROM payout_transactions t JOIN treasury_transactions x ON x.txid = t.txid AND x.succeeded = 0
      WHERE t.payout = NEW.id AND t.version = NEW.version AND x.height = NEW.height AND x.block_hash = NEW.block_hash);
  SELECT RAISE(ABORT, 'payouts: replaced but can be mined')
    WHERE (NEW.state = 'replaced') <> (NEW.replaced_by IS NOT NULL) OR (NEW.state = 'replaced' AND (
      NOT EXISTS (SELECT 1 FROM displaced_payouts WHERE payout = NEW.id) OR NOT EXISTS (
        SELECT 1 FROM payout_spends s
        WHERE s.payout = NEW.id AND s.txid = NEW.replaced_by AND s.height = NEW.height AND s.block_hash = NEW.block_hash)));
  -- A problem may still be noted: a reorganisation removed its block. It ends in another block.
  SELECT RAISE(ABORT, 'payouts: already ended')
    WHERE OLD.state IN ('confirmed', 'cancelled', 'failed', 'replaced') AND (
      NEW.state IS NOT OLD.state OR NEW.version IS NOT OLD.version OR NEW.replaced_by IS NOT OLD.replaced_by
      OR ((NEW.height IS NOT OLD.height OR NEW.block_hash IS NOT OLD.block_hash) AND (OLD.problem IS NOT 'gone' OR NEW.problem IS NOT NULL))
      OR NEW.confirmed_at IS NOT OLD.confirmed_at
      OR NEW.released_by IS NOT OLD.released_by OR NEW.released_at IS NOT OLD.released_at
      OR NEW.cancelled_by IS NOT OLD.cancelled_by OR NEW.cancelled_at IS NOT OLD.cancelled_at);
END;
CREATE TRIGGER payout_signatures_before_release BEFORE INSERT ON payout_signatures
BEGIN
  SELECT RAISE(ABORT, 'payout_signatures: immutable')
    WHERE EXISTS (SELECT 1 FROM payout_signatures WHERE seq = NEW.seq);
  SELECT RAISE(ABORT, 'already_decided')
    WHERE NOT EXISTS (
      SELECT 1 FROM payout_transactions t JOIN payouts p ON p.id = t.payout AND p.state IN ('built', 'released')
      WHERE t.payout = NEW.payout AND t.version = NEW.version AND t.txid IS NULL);
  SELECT RAISE(ABORT, 'conflict')
    WHERE EXISTS (
      SELECT 1 FROM payout_items i JOIN requests r ON r.id = i.request WHERE i.payout = NEW.payout AND r.status <> 'approved');
  SELECT RAISE(ABORT, 'forbidden')
    WHERE NOT EXISTS (SELECT 1 FROM deciding_treasurers WHERE id = NEW.added_by);
END;
CREATE TRIGGER payout_coins_unspent BEFORE INSERT ON payout_coins
BEGIN
  -- A replacement must spend a coin of the version before, so no coin is added to one that was released.
  SELECT RAISE(ABORT, 'payout_coins: immutable')
    WHERE EXISTS (SELECT 1 FROM payout_coins WHERE payout = NEW.payout AND version = NEW.version AND coin = NEW.coin)
      OR EXISTS (SELECT 1 FROM payout_transactions WHERE payout = NEW.payout AND version = NEW.version AND txid IS NOT NULL);
  SELECT RAISE(ABORT, 'conflict')
    WHERE EXISTS (
      SELECT 1 FROM payout_coins c JOIN payouts p ON p.id = c.payout
      WHERE c.coin = NEW.coin AND c.payout <> NEW.payout AND p.state NOT IN ('cancelled', 'replaced')
        -- A confirmed payout spent the coins of the transaction that was mined, and frees those that only another version has.
        AND (p.state <> 'confirmed' OR c.version = p.version));
END;

-- On a network with a watch wallet, only the chain completes a withdrawal: the system, for a confirmed payout that two people made.
-- While no servers are configured for the chain, nobody could see that payout, so two operators pay by hand what is in none.
CREATE TRIGGER request_events_paid_by_chain BEFORE INSERT ON request_events
WHEN NEW.status = 'completed' AND EXISTS (SELECT 1 FROM requests WHERE id = NEW.request AND status = 'approved')
BEGIN
  -- Unless the transaction that took the coins or the nonce of its payout paid it: then somebody who did not approve it says so.
  SELECT RAISE(ABORT, 'paid_by_chain')
    WHERE NEW.actor <> 'system' AND EXISTS (
      SELECT 1 FROM withdrawal_details d JOIN chain_networks n ON n.network = d.network
        JOIN watch_wallets w ON w.chain = n.chain AND w.retired_at IS NULL
      WHERE d.request = NEW.request AND (
        EXISTS (SELECT 1 FROM chain_servers WHERE chain = w.chain)
        OR EXISTS (SELECT 1 FROM sent_withdrawals WHERE request = NEW.request)
        OR EXISTS (
          SELECT 1 FROM payout_items i JOIN payouts p ON p.id = i.payout AND p.state = 'built' WHERE i.request = NEW.request)))
    AND NOT EXISTS (SELECT 1 FROM paid_elsewhere WHERE request = NEW.request AND txid = substr(NEW.reference_key, 1, 64));
  SELECT RAISE(ABORT, 'second_operator_required')
    WHERE NEW.actor <> 'system' AND NEW.second_operator IS NULL AND (
      EXISTS (SELECT 1 FROM paid_elsewhere WHERE request = NEW.request AND txid = substr(NEW.reference_key, 1, 64))
      OR EXISTS (
        SELECT 1 FROM withdrawal_details d JOIN chain_networks n ON n.network = d.network
          JOIN watch_wallets w ON w.chain = n.chain AND w.retired_at IS NULL
        WHERE d.request = NEW.request));
  SELECT RAISE(ABORT, 'paid_by_chain')
    WHERE NEW.actor <> 'system' AND EXISTS (
      SELECT 1 FROM payout_items i JOIN payouts p ON p.id = i.payout WHERE i.request = NEW.request AND p.state IN ('released', 'confirmed'));
  SELECT RAISE(ABORT, 'forbidden')
    WHERE NEW.actor = 'system' AND NOT EXISTS (
      SELECT 1 FROM payout_items i JOIN payouts p ON p.id = i.payout AND p.state = 'confirmed'
        JOIN payout_transactions t ON t.payout = p.id AND t.version = p.version
      WHERE i.request = NEW.request AND NEW.second_operator IS NOT NULL AND NEW.second_operator <> t.released_by
        AND NEW.reference_key = t.txid || (CASE p.chain WHEN 'bitcoin' THEN ':' || i.output ELSE '' END));
END;
-- What was broadcast is on its way. It is neither rejected nor sent back to a decision.
CREATE TRIGGER withdrawn_payout_approvals_keep_sent BEFORE INSERT ON withdrawn_payout_approvals
BEGIN
  SELECT RAISE(ABORT, 'payout_sent') WHERE EXISTS (SELECT 1 FROM sent_withdrawals WHERE request = NEW.request);
END;
CREATE TRIGGER request_events_keep_sent BEFORE INSERT ON request_events
WHEN NEW.status = 'rejected'
BEGIN
  SELECT RAISE(ABORT, 'payout_sent') WHERE EXISTS (SELECT 1 FROM sent_withdrawals WHERE request = NEW.request);
END;
-- Withdrawals that are paid, sent or signed. A signed file can still be sent after its payout was cancelled.
CREATE VIEW sent_withdrawals (request) AS
  SELECT i.request FROM payout_items i JOIN payouts p ON p.id = i.payout WHERE p.state IN ('released', 'confirmed')
  UNION ALL SELECT request FROM unreleased_withdrawals WHERE is_signed = 1;
-- Final transactions that took the coins or the nonce of a withdrawal's payout.
CREATE VIEW paid_elsewhere (request, txid) AS
  SELECT i.request, s.txid FROM payout_items i JOIN payouts p ON p.id = i.payout AND p.state IN ('replaced', 'cancelled')
    JOIN payout_spends s ON s.payout = p.id;
