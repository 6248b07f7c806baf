-- How long decisions took lately, by kind: measured once a day, so that nobody who looks makes the database read them all.

CREATE TABLE decision_times (
  kind TEXT PRIMARY KEY,
  since INTEGER NOT NULL,                   -- decisions from here on are counted
  until INTEGER NOT NULL CHECK (until > since),  -- a midnight in UTC
  decisions INTEGER NOT NULL CHECK (decisions >= 0),
  median_ms INTEGER CHECK (median_ms >= 0),  -- none where too few were decided
  p95_ms INTEGER CHECK (p95_ms >= median_ms),
  CHECK ((median_ms IS NULL) = (p95_ms IS NULL)),
  CHECK (median_ms IS NULL OR decisions >= 20)
) STRICT;

-- What was decided within some days is one range.
CREATE INDEX kyc_by_decision ON kyc_submissions (decided_at, created_at) WHERE decided_at IS NOT NULL;
CREATE INDEX contact_messages_by_closing ON contact_messages (closed_at, created_at) WHERE closed_at IS NOT NULL;
