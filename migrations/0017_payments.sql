-- Payments that a chain proves: watch-only wallets, investors' own addresses, observed payments, and their credit by the system.
-- docs/decisions/0032-payments-proven-by-the-chain.md

-- The platform itself as an actor. It credits what a chain proves and completes what a chain confirms. It has no password, no
-- mailbox and no session. The rules of what it may do are below.
INSERT INTO users (id, role, operator_roles, email, fullname, display_name, phone, country, password_hash, created_at, referral_code)
  VALUES ('system', 'operator', 'treasurer', 'system', 'system', 'System', '', '', '', 0, 'system');
CREATE TRIGGER users_system_immutable BEFORE UPDATE ON users
WHEN OLD.id = 'system'
BEGIN
  SELECT RAISE(ABORT, 'users: immutable system user');
END;
CREATE TRIGGER sessions_not_system_insert BEFORE INSERT ON sessions
WHEN NEW.user_id IN ('system', 'practice')
BEGIN
  SELECT RAISE(ABORT, 'sessions: no session for a program');
END;
CREATE TRIGGER sessions_not_system_update BEFORE UPDATE OF user_id ON sessions
WHEN NEW.user_id IN ('system', 'practice')
BEGIN
  SELECT RAISE(ABORT, 'sessions: no session for a program');
END;

-- The networks that can be proved, and what they carry.
CREATE TABLE chain_networks (
  network TEXT PRIMARY KEY REFERENCES networks (name),
  chain TEXT NOT NULL CHECK (chain IN ('bitcoin', 'ethereum')),
  coin TEXT NOT NULL REFERENCES custody_assets (asset),
  -- How many of the network's smallest units are one unit of custody: wei in a gwei.
  smallest_per_unit INTEGER NOT NULL DEFAULT 1
) STRICT, WITHOUT ROWID;
INSERT INTO chain_networks (network, chain, coin, smallest_per_unit) VALUES
  ('btc', 'bitcoin', 'bitcoin', 1), ('eth', 'ethereum', 'ethereum', 1000000000), ('usdt-erc20', 'ethereum', 'usdt', 1),
  ('usdc-erc20', 'ethereum', 'usdc', 1);

INSERT INTO proposal_kinds (kind) VALUES
  ('watch_wallet'),                         -- a descriptor, or an account's public key
  ('watch_wallet_retirement');              -- its chain is paid by hand again
INSERT INTO proposal_roles (kind, role) VALUES ('watch_wallet', 'administrator'), ('watch_wallet_retirement', 'administrator');

-- Messages for the keys of a descriptor to sign, before it is proposed.
CREATE TABLE watch_challenges (
  id TEXT PRIMARY KEY,
  chain TEXT NOT NULL CHECK (chain IN ('bitcoin', 'ethereum')),
  descriptor TEXT NOT NULL,
  message TEXT NOT NULL UNIQUE,
  issued_to TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  expires_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE TRIGGER watch_challenges_issued BEFORE INSERT ON watch_challenges
BEGIN
  SELECT RAISE(ABORT, 'watch_challenges: already issued')
    WHERE EXISTS (SELECT 1 FROM watch_challenges WHERE id = NEW.id OR message = NEW.message);
END;

-- Watch-only wallets. Bitcoin: an output descriptor. Ethereum: an account's extended public key. None holds a secret.
CREATE TABLE watch_wallets (
  seq INTEGER PRIMARY KEY AUTOINCREMENT,
  id TEXT NOT NULL UNIQUE,
  chain TEXT NOT NULL CHECK (chain IN ('bitcoin', 'ethereum')),
  descriptor TEXT NOT NULL UNIQUE,          -- canonical form
  proposal TEXT NOT NULL UNIQUE REFERENCES proposals (id),
  created_at INTEGER NOT NULL,
  retired_at INTEGER,                       -- gives no new address. Its addresses are still watched.
  retirement TEXT UNIQUE REFERENCES proposals (id)
) STRICT;
CREATE UNIQUE INDEX watch_wallets_active_once ON watch_wallets (chain) WHERE retired_at IS NULL;

CREATE TRIGGER watch_wallets_need_two BEFORE INSERT ON watch_wallets
BEGIN
  SELECT RAISE(ABORT, 'watch_wallets: retired or proposal already used')
    WHERE NEW.retired_at IS NOT NULL OR NEW.retirement IS NOT NULL
      OR EXISTS (SELECT 1 FROM watch_wallets WHERE id = NEW.id OR seq = NEW.seq OR proposal = NEW.proposal);
  SELECT RAISE(ABORT, 'conflict')
    WHERE EXISTS (SELECT 1 FROM watch_wallets WHERE descriptor = NEW.descriptor OR (chain = NEW.chain AND retired_at IS NULL));
  SELECT RAISE(ABORT, 'watch_wallets: private key in the descriptor')
    -- A private key begins with xprv or tprv. A public key may contain these letters by chance.
    WHERE NEW.descriptor GLOB '[a-zA-Z]prv*' OR NEW.descriptor GLOB '*[^0-9A-Za-z][a-zA-Z]prv*';
  SELECT RAISE(ABORT, 'second_operator_required')
    WHERE NOT EXISTS (
      SELECT 1 FROM proposals p JOIN watch_challenges c ON c.message = json_extract(p.payload, '$.message')
      WHERE p.id = NEW.proposal AND p.kind = 'watch_wallet' AND p.status = 'approved'
        AND json_extract(p.payload, '$.chain') = NEW.chain AND json_extract(p.payload, '$.descriptor') = NEW.descriptor
        AND json_array_length(p.payload, '$.signatures') > 0
        AND c.chain = NEW.chain AND c.descriptor = NEW.descriptor AND p.created_at BETWEEN c.created_at AND c.expires_at);
END;
CREATE TRIGGER watch_wallets_retired BEFORE UPDATE ON watch_wallets
BEGIN
  SELECT RAISE(ABORT, 'already_decided') WHERE OLD.retired_at IS NOT NULL;
  -- Without an active wallet withdrawals are completed by hand again. So it takes two administrators, as adding one does.
  SELECT RAISE(ABORT, 'second_operator_required')
    WHERE NEW.retired_at IS NULL OR NOT EXISTS (
      SELECT 1 FROM proposals p WHERE p.id = NEW.retirement AND p.kind = 'watch_wallet_retirement' AND p.status = 'approved'
        AND json_extract(p.payload, '$.wallet') = NEW.id);
END;

-- The addresses that investors were given, each to one investor, in the order of the wallet's indexes.
CREATE TABLE deposit_addresses (
  seq INTEGER PRIMARY KEY AUTOINCREMENT,
  id TEXT NOT NULL UNIQUE,                  -- names its QR picture, which is public: the address itself names nothing
  wallet TEXT NOT NULL REFERENCES watch_wallets (id),
  position INTEGER NOT NULL,                -- the index of the derivation
  address TEXT NOT NULL UNIQUE,
  script TEXT NOT NULL,                     -- Bitcoin: the output's script in hexadecimal; Ethereum: ''
  investor TEXT NOT NULL REFERENCES users (id),
  given_at INTEGER NOT NULL,
  shown_at INTEGER NOT NULL,                -- when the investor last saw it: recent addresses are looked at each minute
  checked_at INTEGER NOT NULL DEFAULT 0,    -- when the chain was last asked
  paid_at INTEGER,                          -- the first payment. Then the investor is given another address.
  UNIQUE (wallet, position)
) STRICT;
CREATE INDEX deposit_addresses_by_investor ON deposit_addresses (investor, wallet, seq);
CREATE INDEX deposit_addresses_due ON deposit_addresses (wallet, checked_at);
CREATE INDEX deposit_addresses_by_script ON deposit_addresses (script) WHERE script <> '';
CREATE INDEX deposit_addresses_shown ON deposit_addresses (shown_at);
CREATE INDEX deposit_addresses_paid ON deposit_addresses (wallet, position) WHERE paid_at IS NOT NULL;

CREATE TRIGGER deposit_addresses_in_order BEFORE INSERT ON deposit_addresses
BEGIN
  SELECT RAISE(ABORT, 'deposit_addresses: already given, no investor or retired wallet')
    WHERE NEW.paid_at IS NOT NULL OR NEW.checked_at <> 0 OR NEW.address = ''
      OR EXISTS (SELECT 1 FROM deposit_addresses WHERE seq = NEW.seq OR id = NEW.id)
      OR NOT EXISTS (SELECT 1 FROM users WHERE id = NEW.investor AND role = 'investor' AND closed_at IS NULL)
      OR NOT EXISTS (SELECT 1 FROM watch_wallets WHERE id = NEW.wallet AND retired_at IS NULL);
  -- Two calls at the same moment take the same position, and one of them is refused.
  SELECT RAISE(ABORT, 'conflict')
    WHERE NEW.position IS NOT (SELECT coalesce(max(position) + 1, 0) FROM deposit_addresses WHERE wallet = NEW.wallet)
      OR EXISTS (SELECT 1 FROM deposit_addresses WHERE address = NEW.address)
      OR EXISTS (
        SELECT 1 FROM deposit_addresses WHERE investor = NEW.investor AND wallet = NEW.wallet AND paid_at IS NULL);
END;
CREATE TRIGGER deposit_addresses_immutable BEFORE UPDATE ON deposit_addresses
BEGIN
  SELECT RAISE(ABORT, 'deposit_addresses: immutable columns')
    WHERE (OLD.paid_at IS NOT NULL AND NEW.paid_at IS NOT OLD.paid_at);
END;

-- What an announced payment was quoted. It prices one payment: the view `fitting_quotes` says which, at the moment when that payment is
-- first seen.
CREATE TABLE deposit_quotes (
  request TEXT PRIMARY KEY REFERENCES requests (id),
  address TEXT NOT NULL REFERENCES deposit_addresses (address),
  network TEXT NOT NULL REFERENCES chain_networks (network),
  units INTEGER NOT NULL CHECK (units > 0), -- in the coin's smallest unit of custody
  rate TEXT NOT NULL,                       -- USD per coin, as a decimal
  until INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX deposit_quotes_by_address ON deposit_quotes (address, network);
CREATE TRIGGER deposit_quotes_filed BEFORE INSERT ON deposit_quotes
BEGIN
  SELECT RAISE(ABORT, 'deposit_quotes: no pending deposit to the investor''s own address')
    WHERE EXISTS (SELECT 1 FROM deposit_quotes WHERE request = NEW.request)
      OR NOT EXISTS (
        SELECT 1 FROM requests r JOIN deposit_details d ON d.request = r.id
          JOIN deposit_addresses a ON a.address = d.payment_to AND a.investor = r.investor
        WHERE r.id = NEW.request AND r.queue = 'deposits' AND r.status = 'pending'
          AND d.network = NEW.network AND d.payment_to = NEW.address);
  -- Nobody chooses the price of a payment that was already seen. The investor has another address for the next one.
  SELECT RAISE(ABORT, 'conflict')
    WHERE EXISTS (SELECT 1 FROM deposit_addresses WHERE address = NEW.address AND paid_at IS NOT NULL);
END;

-- The headers of Bitcoin's chain with the most work, from the configured checkpoint on.
CREATE TABLE bitcoin_headers (
  height INTEGER PRIMARY KEY,
  hash TEXT NOT NULL UNIQUE,
  header TEXT NOT NULL CHECK (length(header) = 160),  -- 80 bytes in hexadecimal
  work TEXT NOT NULL CHECK (length(work) = 64),       -- since the checkpoint, in hexadecimal, so that text compares as numbers do
  period_start INTEGER NOT NULL,            -- seconds: the time of the first block of the period of 2,016 blocks
  searched_at INTEGER                       -- when its transactions were searched for payments; null: not yet
) STRICT;
CREATE INDEX bitcoin_headers_unsearched ON bitcoin_headers (height) WHERE searched_at IS NULL;

-- How far the chain of Ethereum was searched for payments: 'finalised', which both servers agree on, and 'newest'.
CREATE TABLE ethereum_positions (
  name TEXT PRIMARY KEY CHECK (name IN ('finalised', 'newest')),
  height INTEGER NOT NULL,
  hash TEXT NOT NULL
) STRICT, WITHOUT ROWID;

-- What cannot be credited: a token that we do not take, ether that a contract sent, a payment whose proof is too large to be stored.
CREATE TABLE receipt_kinds (kind TEXT PRIMARY KEY) STRICT, WITHOUT ROWID;
INSERT INTO receipt_kinds VALUES ('token'), ('internal'), ('oversized');

-- What arrived at own addresses and cannot be credited. One row stands for all transfers of one contract in one transaction.
CREATE TABLE unknown_receipts (
  seq INTEGER PRIMARY KEY AUTOINCREMENT,
  id TEXT NOT NULL UNIQUE,
  chain TEXT NOT NULL CHECK (chain IN ('bitcoin', 'ethereum')),
  reference TEXT NOT NULL,                  -- the transaction and the number of the log; for ether without a transaction its address
  address TEXT NOT NULL REFERENCES deposit_addresses (address),
  investor TEXT NOT NULL REFERENCES users (id),
  kind TEXT NOT NULL REFERENCES receipt_kinds (kind),
  contract TEXT,                            -- the token's
  quantity TEXT NOT NULL,                   -- of all transfers, in the smallest unit, as an integer
  transfers INTEGER NOT NULL DEFAULT 1 CHECK (transfers > 0),
  height INTEGER NOT NULL,
  seen_at INTEGER NOT NULL,
  closed_by TEXT,                           -- who looked at it, and what they did
  closed_at INTEGER,
  closing TEXT,
  UNIQUE (chain, reference)
) STRICT;
CREATE INDEX unknown_receipts_by_investor ON unknown_receipts (investor, seq);
CREATE INDEX unknown_receipts_waiting ON unknown_receipts (seen_at) WHERE closed_at IS NULL;
CREATE UNIQUE INDEX unknown_receipts_once ON unknown_receipts (chain, substr(reference, 1, 64), contract);
CREATE TRIGGER unknown_receipts_observed BEFORE INSERT ON unknown_receipts
BEGIN
  SELECT RAISE(ABORT, 'unknown_receipts: already observed or unknown address')
    WHERE NEW.closed_at IS NOT NULL OR EXISTS (
        SELECT 1 FROM unknown_receipts WHERE seq = NEW.seq OR id = NEW.id OR (chain = NEW.chain AND reference = NEW.reference))
      OR NOT EXISTS (SELECT 1 FROM deposit_addresses WHERE address = NEW.address AND investor = NEW.investor);
END;
CREATE TRIGGER unknown_receipts_closed BEFORE UPDATE ON unknown_receipts
BEGIN
  SELECT RAISE(ABORT, 'already_decided') WHERE OLD.closed_at IS NOT NULL;
  SELECT RAISE(ABORT, 'forbidden')
    WHERE NEW.closed_at IS NULL OR NEW.closing IS NULL OR NOT EXISTS (SELECT 1 FROM deciding_treasurers WHERE id = NEW.closed_by);
END;
-- The operators who may decide about money.
CREATE VIEW deciding_treasurers AS
  SELECT id FROM users
  WHERE role = 'operator' AND id NOT IN ('system', 'practice') AND disabled_at IS NULL AND instr(' ' || operator_roles || ' ', ' treasurer ') > 0;

-- What each server of a chain last answered.
CREATE TABLE chain_servers (
  chain TEXT NOT NULL CHECK (chain IN ('bitcoin', 'ethereum')),
  server TEXT NOT NULL,                     -- its host
  height INTEGER,
  hash TEXT,
  answered_at INTEGER,
  failing_since INTEGER,                    -- null while it answers and agrees
  fault TEXT,                               -- why not, in words
  PRIMARY KEY (chain, server)
) STRICT, WITHOUT ROWID;

CREATE TABLE payment_transitions (
  from_state TEXT NOT NULL,
  to_state TEXT NOT NULL,
  PRIMARY KEY (from_state, to_state)
) STRICT, WITHOUT ROWID;
-- seen: not in a block. confirming: in a block. final: proved. credited: its request is approved. queued: a person decides.
-- gone: no longer on the chain. undone: gone after the credit.
INSERT INTO payment_transitions VALUES
  ('seen', 'confirming'), ('seen', 'gone'), ('confirming', 'seen'), ('confirming', 'gone'), ('confirming', 'final'),
  ('confirming', 'queued'), ('gone', 'seen'), ('gone', 'confirming'), ('final', 'credited'), ('final', 'queued'),
  ('final', 'confirming'), ('final', 'gone'), ('queued', 'final'), ('queued', 'gone'), ('queued', 'confirming'),
  ('credited', 'undone'), ('undone', 'credited'), ('undone', 'queued');

CREATE TABLE payments (
  seq INTEGER PRIMARY KEY AUTOINCREMENT,
  id TEXT NOT NULL UNIQUE,
  network TEXT NOT NULL REFERENCES chain_networks (network),
  reference TEXT NOT NULL,                  -- the transaction, and the number of the output or log: txid:n. Without n for eth.
  address TEXT NOT NULL REFERENCES deposit_addresses (address),
  investor TEXT NOT NULL REFERENCES users (id),
  quantity TEXT NOT NULL,                   -- in the network's smallest unit, as an integer: satoshi, wei, the token's own
  units INTEGER NOT NULL CHECK (units >= 0),  -- in the coin's smallest unit of custody, rounded down
  state TEXT NOT NULL,
  reason TEXT,                              -- queued: a code of src/contract/money/payments.ts
  seen_at INTEGER NOT NULL,
  height INTEGER,                           -- the block, once there is one
  block_hash TEXT,
  confirmations INTEGER NOT NULL DEFAULT 0,
  needed INTEGER NOT NULL,                  -- confirmations that make it final
  quote TEXT UNIQUE REFERENCES deposit_quotes (request),  -- was filed before the payment was first seen, and prices it
  confirm_by INTEGER,                       -- the quote ends if the payment is in no block by then
  quote_ended INTEGER NOT NULL DEFAULT 0 CHECK (quote_ended IN (0, 1)),  -- 1: the lower of the quote and the final price counts
  checked_at INTEGER NOT NULL,
  final_at INTEGER,
  rate TEXT,                                -- USD per coin, once final
  amount INTEGER CHECK (amount >= 0),       -- cents, once final
  rule TEXT,                                -- quote or price: where the rate is from
  proof TEXT,                               -- JSON: src/chain
  request TEXT UNIQUE REFERENCES requests (id),
  credited_at INTEGER,
  undone_at INTEGER,
  closed_by TEXT,                           -- who looked at it while it was queued, and what they did
  closed_at INTEGER,
  closing TEXT,
  UNIQUE (network, reference)
) STRICT;
CREATE INDEX payments_by_investor ON payments (investor, seq);
CREATE INDEX payments_by_address ON payments (address, seq);
CREATE INDEX payments_open ON payments (network, checked_at) WHERE state IN ('seen', 'confirming', 'final');
CREATE INDEX payments_queued ON payments (seq) WHERE state = 'queued';
CREATE INDEX payments_waiting ON payments (seen_at) WHERE state = 'queued' AND closed_at IS NULL;
-- The dust of one transaction is one row for operators.
CREATE INDEX payments_dust ON payments (substr(reference, 1, 64), seq) WHERE state = 'queued' AND reason = 'dust';
CREATE INDEX payments_undone ON payments (investor) WHERE state = 'undone';
-- Those whose block may still be replaced.
CREATE INDEX payments_by_height ON payments (network, height) WHERE state IN ('final', 'credited', 'queued');

CREATE TRIGGER payments_observed BEFORE INSERT ON payments
BEGIN
  SELECT RAISE(ABORT, 'payments: already observed or unknown address')
    WHERE NEW.state NOT IN ('seen', 'confirming') OR NEW.proof IS NOT NULL OR NEW.request IS NOT NULL OR NEW.amount IS NOT NULL
      OR NEW.final_at IS NOT NULL OR NEW.credited_at IS NOT NULL OR NEW.closed_at IS NOT NULL OR NEW.needed < 1
      OR NEW.quote IS NOT NULL OR NEW.confirm_by IS NOT NULL
      OR EXISTS (
        SELECT 1 FROM payments WHERE seq = NEW.seq OR id = NEW.id OR (network = NEW.network AND reference = NEW.reference))
      OR NOT EXISTS (
        SELECT 1 FROM deposit_addresses a JOIN watch_wallets w ON w.id = a.wallet
          JOIN chain_networks n ON n.network = NEW.network AND n.chain = w.chain
        WHERE a.address = NEW.address AND a.investor = NEW.investor);
END;
-- The quote of each payment that has none yet: of the oldest deposit that was announced to its address before it was first seen, at
-- most 30 minutes before, and within 1 %. A quote prices one payment. Compared in the network's smallest unit, because a payment at
-- the edge, rounded to custody, would miss its quote.
CREATE VIEW fitting_quotes AS
  SELECT p.id AS payment, q.request, r.created_at, r.seq
  FROM payments p JOIN chain_networks n ON n.network = p.network
    JOIN deposit_quotes q ON q.address = p.address AND q.network = p.network
    JOIN requests r ON r.id = q.request AND r.investor = p.investor
  WHERE p.quote IS NULL AND r.status = 'pending' AND r.created_at < p.seen_at AND p.seen_at < q.until
    AND NOT EXISTS (SELECT 1 FROM payments o WHERE o.quote = q.request OR o.request = q.request)
    AND 100 * iif(n.smallest_per_unit = 1, 0, CAST(substr(p.quantity, 1 - length(n.smallest_per_unit)) AS INTEGER))
      BETWEEN n.smallest_per_unit * max(-1, min(100, 99 * q.units - 100 * p.units))
      AND n.smallest_per_unit * max(-1, min(100, 101 * q.units - 100 * p.units));
CREATE TRIGGER payments_take_quote AFTER INSERT ON payments
BEGIN
  UPDATE payments SET
    quote = (SELECT request FROM fitting_quotes WHERE payment = NEW.id ORDER BY created_at, seq LIMIT 1),
    confirm_by = NEW.seen_at + 60000 * (
      SELECT coalesce(
        (SELECT CAST(value AS INTEGER) FROM settings WHERE key = iif(n.chain = 'bitcoin', 'quoteMinutesBitcoin', 'quoteMinutesEthereum')),
        iif(n.chain = 'bitcoin', 60, 15))
      FROM chain_networks n WHERE n.network = NEW.network)
  WHERE id = NEW.id;
END;
-- The first proof corrected what one server had said about it.
CREATE TRIGGER payments_take_other_quote AFTER UPDATE OF address, investor, quantity ON payments
WHEN NEW.quote IS NULL
BEGIN
  UPDATE payments
  SET quote = (SELECT request FROM fitting_quotes WHERE payment = NEW.id ORDER BY created_at, seq LIMIT 1) WHERE id = NEW.id;
END;
-- A quote ends if the payment is in no block in time, leaves the chain, or its block is replaced.
CREATE TRIGGER payments_end_quote AFTER UPDATE OF state, block_hash ON payments
WHEN NEW.state = 'gone' OR (NEW.block_hash IS NOT OLD.block_hash AND (
  OLD.block_hash IS NOT NULL OR NEW.checked_at > NEW.confirm_by))
BEGIN
  UPDATE payments SET quote_ended = 1 WHERE id = NEW.id;
END;
CREATE TRIGGER payments_paid_address AFTER INSERT ON payments
BEGIN
  UPDATE deposit_addresses SET paid_at = NEW.seen_at WHERE address = NEW.address AND paid_at IS NULL;
END;
CREATE TRIGGER payments_corrected_address AFTER UPDATE OF address ON payments
BEGIN
  UPDATE deposit_addresses SET paid_at = NEW.seen_at WHERE address = NEW.address AND paid_at IS NULL;
END;
CREATE TRIGGER payments_follow BEFORE UPDATE ON payments
BEGIN
  -- What one server said may be false. The first proof corrects it.
  SELECT RAISE(ABORT, 'payments: immutable proof')
    WHERE (NEW.address IS NOT OLD.address OR NEW.investor IS NOT OLD.investor OR NEW.quantity IS NOT OLD.quantity
        OR NEW.units IS NOT OLD.units)
      AND (OLD.proof IS NOT NULL OR NEW.proof IS NULL OR OLD.request IS NOT NULL OR NOT EXISTS (
        SELECT 1 FROM deposit_addresses a JOIN watch_wallets w ON w.id = a.wallet
          JOIN chain_networks n ON n.network = NEW.network AND n.chain = w.chain
        WHERE a.address = NEW.address AND a.investor = NEW.investor));
  SELECT RAISE(ABORT, 'payments: immutable quote')
    WHERE NOT iif(NEW.address IS NOT OLD.address OR NEW.investor IS NOT OLD.investor OR NEW.quantity IS NOT OLD.quantity,
        NEW.quote IS NULL,
        NEW.quote IS OLD.quote OR (OLD.quote IS NULL AND EXISTS (
          SELECT 1 FROM fitting_quotes WHERE payment = NEW.id AND request = NEW.quote)))
      OR (OLD.confirm_by IS NOT NULL AND NEW.confirm_by IS NOT OLD.confirm_by)
      OR NEW.quote_ended < OLD.quote_ended;
  SELECT RAISE(ABORT, 'payments: rate differs from the quote')
    WHERE NEW.state = 'final' AND NOT iif(NEW.quote IS NULL, NEW.rule IS NOT 'quote', (
      SELECT iif(NEW.rule IS 'quote', NEW.rate = q.rate, NEW.quote_ended = 1 AND CAST(NEW.rate AS REAL) < CAST(q.rate AS REAL))
      FROM deposit_quotes q WHERE q.request = NEW.quote));
  SELECT RAISE(ABORT, 'already_decided')
    WHERE OLD.closed_at IS NOT NULL AND (
      NEW.closed_by IS NOT OLD.closed_by OR NEW.closed_at IS NOT OLD.closed_at OR NEW.closing IS NOT OLD.closing);
  SELECT RAISE(ABORT, 'payments: closed without operator or reason')
    WHERE OLD.closed_at IS NULL AND NEW.closed_at IS NOT NULL AND (
      NEW.closing IS NULL OR NEW.state <> 'queued' OR NOT EXISTS (SELECT 1 FROM deciding_treasurers WHERE id = NEW.closed_by));
  SELECT RAISE(ABORT, 'payments: invalid transition')
    WHERE NEW.state IS NOT OLD.state
      AND NOT EXISTS (SELECT 1 FROM payment_transitions WHERE from_state = OLD.state AND to_state = NEW.state);
  SELECT RAISE(ABORT, 'payments: final without proof, depth or price')
    WHERE NEW.state IN ('final', 'credited') AND (
      NEW.proof IS NULL OR NEW.height IS NULL OR NEW.block_hash IS NULL OR NEW.final_at IS NULL
      OR NEW.amount IS NULL OR NEW.rate IS NULL
      OR (OLD.state NOT IN ('final', 'credited') AND NEW.confirmations < NEW.needed));
  SELECT RAISE(ABORT, 'payments: amount differs from units and rate')
    WHERE NEW.state = 'final' AND NOT EXISTS (
      SELECT 1 FROM chain_networks n JOIN custody_assets a ON a.asset = n.coin
      -- One cent for rounding down.
      WHERE n.network = NEW.network
        AND abs(NEW.units * CAST(NEW.rate AS REAL) * 100 / CAST('1e' || a.decimals AS REAL) - NEW.amount) <= 1);
  SELECT RAISE(ABORT, 'payments: immutable price and proof')
    WHERE OLD.state IN ('final', 'credited') AND NEW.state IN ('final', 'credited', 'undone') AND (
      NEW.proof IS NOT OLD.proof OR NEW.amount IS NOT OLD.amount OR NEW.rate IS NOT OLD.rate
      OR NEW.block_hash IS NOT OLD.block_hash OR NEW.height IS NOT OLD.height);
  -- An undone payment holds its amount back. It may come back in another block.
  SELECT RAISE(ABORT, 'payments: immutable amount before the reversal')
    WHERE OLD.state = 'undone' AND (
      NEW.amount IS NOT OLD.amount OR (NEW.state = 'queued' AND NOT EXISTS (
        SELECT 1 FROM requests WHERE id = OLD.request AND status = 'reversed')));
  SELECT RAISE(ABORT, 'payments: immutable request')
    WHERE OLD.request IS NOT NULL AND NEW.request IS NOT OLD.request;
  SELECT RAISE(ABORT, 'payments: request of another investor, network or address')
    WHERE NEW.request IS NOT NULL AND OLD.request IS NULL AND (NEW.state <> 'final'
      OR EXISTS (SELECT 1 FROM payments WHERE request = NEW.request) OR NOT EXISTS (
      SELECT 1 FROM requests r JOIN deposit_details d ON d.request = r.id
      WHERE r.id = NEW.request AND r.queue = 'deposits' AND r.status = 'pending' AND r.investor = NEW.investor
        AND d.network = NEW.network AND d.payment_to = NEW.address));
  SELECT RAISE(ABORT, 'payments: credited without its credit')
    WHERE NEW.state = 'credited' AND OLD.state <> 'credited' AND NOT EXISTS (
      SELECT 1 FROM requests r JOIN request_events e ON e.request = r.id AND e.status = 'approved'
      WHERE r.id = NEW.request AND r.status = 'approved' AND e.reference_key = NEW.reference AND e.amount = NEW.amount);
END;

-- A deposit to an own address is credited only for a payment that is proved. The system credits alone up to the setting, counted over
-- 24 hours; above, two operators do.
CREATE TRIGGER request_events_proved BEFORE INSERT ON request_events
WHEN NEW.status = 'approved' AND EXISTS (
  SELECT 1 FROM requests r JOIN deposit_details d ON d.request = r.id JOIN deposit_addresses a ON a.address = d.payment_to
    JOIN users u ON u.id = r.investor
  WHERE r.id = NEW.request AND r.queue = 'deposits' AND r.status = 'pending' AND u.frozen_at IS NULL)
BEGIN
  SELECT RAISE(ABORT, 'payment_not_proved')
    WHERE NOT EXISTS (
      SELECT 1 FROM payments p WHERE p.request = NEW.request AND p.state = 'final' AND p.proof IS NOT NULL
        AND p.amount = NEW.amount AND p.units = NEW.units AND p.reference = NEW.reference_key);
  SELECT RAISE(ABORT, 'second_operator_required')
    -- A reference that was used is refused as such (0005).
    WHERE NOT EXISTS (SELECT 1 FROM references_in_force WHERE reference_key = NEW.reference_key)
      AND NEW.second_operator IS NULL AND (NEW.actor <> 'system' OR NEW.amount + (
      SELECT coalesce(sum(amount), 0) FROM request_events
      WHERE investor = NEW.investor AND actor = 'system' AND status = 'approved' AND at > NEW.at - 86400000
    ) > coalesce((SELECT CAST(value AS INTEGER) FROM settings WHERE key = 'automaticCredit'), 500000));
  -- The 24 hours are those of the database. With a made-up time, credits would not be counted together.
  SELECT RAISE(ABORT, 'request_events: credit of the system at another time')
    WHERE NEW.actor = 'system' AND abs(NEW.at - CAST(unixepoch('subsec') * 1000 AS INTEGER)) > 3600000;
END;
-- A payment that arrived at an own address is credited to its own deposit and no other, also not as part of its transaction.
CREATE TRIGGER request_events_own_payment BEFORE INSERT ON request_events
WHEN NEW.status = 'approved' AND NEW.reference_key IS NOT NULL
BEGIN
  SELECT RAISE(ABORT, 'reference_used')
    WHERE EXISTS (
      -- CROSS JOIN makes SQLite search by the index of networks and references.
      SELECT 1 FROM chain_networks n CROSS JOIN payments p ON p.network = n.network
      WHERE p.reference >= substr(NEW.reference_key, 1, 64) AND p.reference < substr(NEW.reference_key, 1, 64) || ';'
        AND (length(NEW.reference_key) = 64 OR p.reference = NEW.reference_key) AND p.request IS NOT NEW.request);
END;
-- An investor does not cancel a deposit whose payment was seen, unless that payment is gone.
CREATE TRIGGER request_events_cancel_unpaid BEFORE INSERT ON request_events
WHEN NEW.status = 'cancelled' AND EXISTS (
  SELECT 1 FROM requests r JOIN payments p ON p.request = r.id OR (p.quote = r.id AND p.state <> 'gone')
  WHERE r.id = NEW.request AND r.status = 'pending')
BEGIN
  SELECT RAISE(ABORT, 'not_pending');
END;
-- The system decides nothing else.
CREATE TRIGGER request_events_by_system BEFORE INSERT ON request_events
WHEN NEW.actor = 'system'
BEGIN
  SELECT RAISE(ABORT, 'forbidden')
    -- It is neither of the two operators of a credit above its limit.
    WHERE NEW.status NOT IN ('approved', 'completed') OR (NEW.status = 'approved' AND NEW.second_operator IS NOT NULL);
  SELECT RAISE(ABORT, 'payment_not_proved')
    WHERE NEW.status = 'approved' AND NOT EXISTS (SELECT 1 FROM payments WHERE request = NEW.request);
END;
CREATE TRIGGER credit_approvals_not_by_system BEFORE INSERT ON credit_approvals
WHEN NEW.operator IN ('system', 'practice')
BEGIN
  SELECT RAISE(ABORT, 'forbidden');
END;
CREATE TRIGGER proposals_decided_by_people BEFORE UPDATE ON proposals
WHEN NEW.decided_by IN ('system', 'practice')
BEGIN
  SELECT RAISE(ABORT, 'forbidden');
END;
-- The system proposes a reversal of a credit whose payment is gone, and nothing else.
CREATE TRIGGER proposals_by_system BEFORE INSERT ON proposals
WHEN NEW.proposed_by = 'system'
BEGIN
  SELECT RAISE(ABORT, 'forbidden')
    WHERE NEW.kind <> 'reversal' OR NOT EXISTS (SELECT 1 FROM payments WHERE request = NEW.request AND state = 'undone');
END;

-- Meanwhile the payment may be back on its chain.
CREATE TRIGGER proposals_approve_undone BEFORE UPDATE ON proposals
WHEN OLD.proposed_by = 'system' AND OLD.status = 'pending' AND NEW.status = 'approved'
BEGIN
  SELECT RAISE(ABORT, 'conflict')
    WHERE NOT EXISTS (SELECT 1 FROM payments WHERE request = OLD.request AND state = 'undone');
END;

-- While a credited payment is gone from the chain, its amount stays in the account: it cannot be withdrawn, invested or paid out.
CREATE TRIGGER transfers_without_undone BEFORE INSERT ON transfers
WHEN (NEW.code IN ('hold', 'allocate') OR (NEW.code = 'complete' AND NEW.actor <> 'system')) AND EXISTS (
  SELECT 1 FROM accounts f JOIN payments p ON p.investor = f.owner AND p.state = 'undone' WHERE f.id = NEW.from_account)
BEGIN
  SELECT RAISE(ABORT, 'payment_undone')
    FROM accounts f
    WHERE f.id = NEW.from_account AND (
      SELECT coalesce(sum(balance), 0) FROM accounts
      WHERE id = f.owner || ':available' OR (NEW.code = 'complete' AND id = f.owner || ':held')
    ) - NEW.amount < (
      -- A credit that was reversed holds nothing back.
      SELECT coalesce(sum(p.amount), 0) FROM payments p JOIN requests r ON r.id = p.request
      WHERE p.investor = f.owner AND p.state = 'undone' AND r.status = 'approved');
END;
