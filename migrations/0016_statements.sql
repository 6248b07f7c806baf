-- An investor's entries in the order of time: statements and the course of a balance are ranges of it.
CREATE INDEX transfers_by_owner ON transfers (substr(from_account, 1, instr(from_account, ':') - 1), at, seq);
