-- A finding of the self-check is told to the administrators by mail, once.

ALTER TABLE self_checks ADD COLUMN told TEXT;           -- the finding they know of; none while nothing is wrong
ALTER TABLE self_checks ADD COLUMN told_at INTEGER;
