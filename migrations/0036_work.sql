-- Indexes of the cases that wait for an operator.

-- Locked accounts whose owners may ask to be unlocked. Few, so that counting them reads no other account.
CREATE INDEX users_locked ON users (locked_at) WHERE locked_at IS NOT NULL;
