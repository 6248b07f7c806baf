-- The tree of liabilities is built in pages over several runs: each leaf's hash is stored first, then its place in their order.
CREATE INDEX liability_leaves_unhashed ON liability_leaves (day, investor) WHERE hash IS NULL;
CREATE INDEX liability_leaves_by_hash ON liability_leaves (day, hash) WHERE hash IS NOT NULL;
