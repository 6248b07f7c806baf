-- What both servers said that an own address on Ethereum held when it was last compared, so that a later look finds what a contract sent
-- since, also after the coins were moved to the treasury.
ALTER TABLE deposit_addresses ADD COLUMN seen_balance TEXT;  -- in wei, as an integer
ALTER TABLE deposit_addresses ADD COLUMN seen_height INTEGER;
