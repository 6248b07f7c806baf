-- Keys with which a program or a guest reads an investor's figures, and nothing else. docs/architecture.md, "Keys"

CREATE TABLE read_key_kinds (kind TEXT PRIMARY KEY) STRICT, WITHOUT ROWID;
INSERT INTO read_key_kinds (kind) VALUES ('program'), ('guest');

CREATE TABLE read_keys (
  seq INTEGER PRIMARY KEY AUTOINCREMENT,
  id TEXT NOT NULL UNIQUE,
  investor TEXT NOT NULL REFERENCES users (id),
  kind TEXT NOT NULL REFERENCES read_key_kinds (kind),
  name TEXT NOT NULL CHECK (length(name) BETWEEN 1 AND 60),
  token_hash TEXT NOT NULL UNIQUE CHECK (length(token_hash) = 64),  -- SHA-256
  networks TEXT NOT NULL CHECK (json_type(networks) = 'array'),     -- ranges such as 203.0.113.0/24; empty for every network
  created_at INTEGER NOT NULL,
  -- A year at most, to the end of its last day.
  expires_at INTEGER NOT NULL CHECK (expires_at > created_at AND expires_at <= created_at + 31622400000),
  last_used_at INTEGER,
  revoked_at INTEGER
) STRICT;
CREATE INDEX read_keys_investor ON read_keys (investor, seq);

CREATE TRIGGER read_keys_created BEFORE INSERT ON read_keys
BEGIN
  SELECT RAISE(ABORT, 'read_keys: already stored')
    WHERE NEW.revoked_at IS NOT NULL
      OR EXISTS (SELECT 1 FROM read_keys WHERE id = NEW.id OR seq = NEW.seq OR token_hash = NEW.token_hash);
  SELECT RAISE(ABORT, 'forbidden')
    WHERE NOT EXISTS (SELECT 1 FROM users WHERE id = NEW.investor AND role = 'investor' AND closed_at IS NULL AND locked_at IS NULL);
END;
CREATE TRIGGER read_keys_changed BEFORE UPDATE ON read_keys
BEGIN
  SELECT RAISE(ABORT, 'read_keys: revoked or immutable columns')
    WHERE OLD.revoked_at IS NOT NULL OR NEW.seq IS NOT OLD.seq OR NEW.id IS NOT OLD.id OR NEW.investor IS NOT OLD.investor
      OR NEW.kind IS NOT OLD.kind OR NEW.name IS NOT OLD.name OR NEW.token_hash IS NOT OLD.token_hash
      OR NEW.networks IS NOT OLD.networks OR NEW.created_at IS NOT OLD.created_at OR NEW.expires_at IS NOT OLD.expires_at;
END;
