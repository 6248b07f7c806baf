-- What a block of a chain gives, and which blocks could not be searched. docs/decisions/0039-blocks-one-by-one.md

-- What the proofs of all payments of one transaction share: its block's header, and its way to the roots of the block. A transaction may
-- pay two thousand own addresses, so it is stored once, and each payment's proof names it.
CREATE TABLE chain_transactions (
  id TEXT PRIMARY KEY,                      -- transaction@block
  proof TEXT NOT NULL                       -- JSON: src/chain
) STRICT, WITHOUT ROWID;
CREATE TRIGGER chain_transactions_stored_once BEFORE INSERT ON chain_transactions
BEGIN
  SELECT RAISE(ABORT, 'chain_transactions: already stored')
    WHERE EXISTS (SELECT 1 FROM chain_transactions WHERE id = NEW.id);
END;
CREATE TRIGGER payments_proof_is_whole BEFORE UPDATE OF proof ON payments
WHEN json_extract(NEW.proof, '$.shared') IS NOT NULL
BEGIN
  SELECT RAISE(ABORT, 'payments: transaction of the proof not stored')
    WHERE NOT EXISTS (SELECT 1 FROM chain_transactions WHERE id = json_extract(NEW.proof, '$.shared'));
END;

-- Blocks whose search failed. The others go on. Each is tried again, and reported after three failures.
CREATE TABLE unsearched_blocks (
  chain TEXT NOT NULL,
  height INTEGER NOT NULL,
  hash TEXT NOT NULL,
  failures INTEGER NOT NULL CHECK (failures > 0),
  fault TEXT NOT NULL,                      -- in words that follow "Block 7"
  failed_at INTEGER NOT NULL,               -- the first time
  tried_at INTEGER NOT NULL,                -- the last time
  PRIMARY KEY (chain, height)
) STRICT, WITHOUT ROWID;
