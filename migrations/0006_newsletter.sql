-- The newsletter: who asked for it, who confirmed, and what travels by mail for it.

CREATE TABLE newsletter_subscribers (
  id TEXT PRIMARY KEY,
  email TEXT UNIQUE CHECK (email = lower(email)),   -- null once unsubscribed: nothing is left that names anybody
  status TEXT NOT NULL DEFAULT 'pending' CHECK (status IN ('pending', 'confirmed', 'unsubscribed')),
  requested_at INTEGER NOT NULL,
  mailed_at INTEGER NOT NULL,                       -- the newest mail that asks to confirm
  mails INTEGER NOT NULL DEFAULT 1,                 -- how many of them there were
  confirmed_at INTEGER,
  unsubscribed_at INTEGER,
  expires_at INTEGER,                               -- when the row is deleted; null while the subscription is confirmed
  CHECK ((status = 'unsubscribed') = (email IS NULL)),
  CHECK ((status = 'confirmed') = (expires_at IS NULL))
) STRICT;
CREATE INDEX newsletter_subscribers_by_expiry ON newsletter_subscribers (expires_at) WHERE expires_at IS NOT NULL;

-- Several live side by side: the link of an earlier mail still works when a later one was asked for.
CREATE TABLE newsletter_tokens (
  token_hash TEXT PRIMARY KEY,
  subscriber TEXT NOT NULL REFERENCES newsletter_subscribers (id) ON DELETE CASCADE,
  created_at INTEGER NOT NULL,
  expires_at INTEGER NOT NULL
) STRICT;
CREATE INDEX newsletter_tokens_by_subscriber ON newsletter_tokens (subscriber);
CREATE INDEX newsletter_tokens_by_expiry ON newsletter_tokens (expires_at);

-- Whoever types a stranger's address over and over sends them little: ten minutes between two mails, five in all.
CREATE TRIGGER newsletter_mails_seldom BEFORE UPDATE OF mails ON newsletter_subscribers
BEGIN
  SELECT RAISE(ABORT, 'already_decided') WHERE OLD.status <> 'pending';
  SELECT RAISE(ABORT, 'too_many_requests') WHERE NEW.mails > 5 OR NEW.mailed_at < OLD.mailed_at + 600000;
END;

-- A subscription is confirmed once, and one that was ended never comes back: who wants it again asks again.
CREATE TRIGGER newsletter_one_way BEFORE UPDATE OF status ON newsletter_subscribers
BEGIN
  SELECT RAISE(ABORT, 'already_decided') WHERE OLD.status = 'confirmed' AND NEW.status = 'confirmed';
  SELECT RAISE(ABORT, 'invalid_token') WHERE OLD.status = 'unsubscribed' OR NEW.status = 'pending';
END;

-- The extra headers of a mail, as JSON, and the mailing list that it belongs to: such a mail is deleted once delivered.
ALTER TABLE outbox ADD COLUMN headers TEXT;
ALTER TABLE outbox ADD COLUMN list TEXT;

-- An address that leaves takes along the mails that still wait for it.
CREATE TRIGGER newsletter_left AFTER UPDATE OF email ON newsletter_subscribers WHEN NEW.email IS NULL
BEGIN
  DELETE FROM newsletter_tokens WHERE subscriber = OLD.id;
  DELETE FROM outbox WHERE recipient = OLD.email AND list = 'newsletter' AND next_attempt_at IS NOT NULL;
END;
CREATE TRIGGER newsletter_forgotten AFTER DELETE ON newsletter_subscribers
BEGIN
  DELETE FROM outbox WHERE recipient = OLD.email AND list = 'newsletter' AND next_attempt_at IS NOT NULL;
END;
