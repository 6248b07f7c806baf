-- Contact: messages to us, the newsletter, notifications, announcements and bonuses for referrals.

CREATE TABLE thread_statuses (status TEXT PRIMARY KEY) STRICT, WITHOUT ROWID;
INSERT INTO thread_statuses VALUES ('open'), ('answered'), ('closed');

CREATE TABLE contact_messages (
  seq INTEGER PRIMARY KEY AUTOINCREMENT,
  id TEXT NOT NULL UNIQUE,
  ref TEXT NOT NULL UNIQUE,
  name TEXT NOT NULL,
  name_folded TEXT NOT NULL DEFAULT '',     -- for the search, as in `users`
  email TEXT NOT NULL,                      -- replies go there
  investor TEXT REFERENCES users (id),      -- who wrote it while signed in; null for the contact form
  message TEXT NOT NULL,
  status TEXT NOT NULL DEFAULT 'open' REFERENCES thread_statuses (status),
  created_at INTEGER NOT NULL,
  opened_at INTEGER NOT NULL,               -- since when it waits, or waited last, for an operator
  handled_at INTEGER,                       -- when an operator first answered or closed it
  closed_by TEXT REFERENCES users (id),
  closed_at INTEGER,
  CHECK ((status = 'closed') = (closed_at IS NOT NULL))
) STRICT;
CREATE INDEX contact_messages_by_status ON contact_messages (status, seq);
CREATE INDEX contact_messages_by_opening ON contact_messages (status, opened_at);
CREATE INDEX contact_messages_by_email ON contact_messages (email, seq);
CREATE INDEX contact_messages_by_investor ON contact_messages (investor, seq) WHERE investor IS NOT NULL;
CREATE INDEX contact_messages_by_handling ON contact_messages (handled_at, created_at) WHERE handled_at IS NOT NULL;

CREATE TRIGGER contact_messages_move BEFORE UPDATE OF status ON contact_messages
BEGIN
  SELECT RAISE(ABORT, 'already_decided')
    WHERE (NEW.status IN ('open', 'closed') AND NEW.status = OLD.status)
      OR (NEW.status = 'answered' AND OLD.status = 'closed');
END;

-- Newsletter subscribers, and the links mailed to them.
CREATE TABLE newsletter_subscribers (
  id TEXT PRIMARY KEY,
  email TEXT UNIQUE CHECK (email = lower(email)),  -- null once unsubscribed: no personal data stays
  status TEXT NOT NULL DEFAULT 'pending' CHECK (status IN ('pending', 'confirmed', 'unsubscribed')),
  requested_at INTEGER NOT NULL,
  mailed_at INTEGER NOT NULL,               -- the latest mail that asks to confirm
  mails INTEGER NOT NULL DEFAULT 1,         -- how many of those were sent
  confirmed_at INTEGER,
  unsubscribed_at INTEGER,
  expires_at INTEGER,                       -- when the row is deleted; null while confirmed
  CHECK ((status = 'unsubscribed') = (email IS NULL)),
  CHECK ((status = 'confirmed') = (expires_at IS NULL))
) STRICT;
CREATE INDEX newsletter_subscribers_by_expiry ON newsletter_subscribers (expires_at) WHERE expires_at IS NOT NULL;

-- Limits mails to an address that a stranger enters repeatedly: ten minutes between two mails, five in all.
CREATE TRIGGER newsletter_mails_seldom BEFORE UPDATE OF mails ON newsletter_subscribers
BEGIN
  SELECT RAISE(ABORT, 'already_decided') WHERE OLD.status <> 'pending';
  SELECT RAISE(ABORT, 'too_many_requests') WHERE NEW.mails > 5 OR NEW.mailed_at < OLD.mailed_at + 600000;
END;
-- A subscription is confirmed once. After unsubscribing, a new subscription is a new row.
CREATE TRIGGER newsletter_one_way BEFORE UPDATE OF status ON newsletter_subscribers
BEGIN
  SELECT RAISE(ABORT, 'already_decided') WHERE OLD.status = 'confirmed' AND NEW.status = 'confirmed';
  SELECT RAISE(ABORT, 'invalid_token') WHERE OLD.status = 'unsubscribed' OR NEW.status = 'pending';
END;
-- Unsubscribing deletes the unsent mails to the address.
CREATE TRIGGER newsletter_left AFTER UPDATE OF email ON newsletter_subscribers WHEN NEW.email IS NULL
BEGIN
  DELETE FROM newsletter_tokens WHERE subscriber = OLD.id;
  DELETE FROM outbox WHERE recipient = OLD.email AND list = 'newsletter' AND next_attempt_at IS NOT NULL;
END;
CREATE TRIGGER newsletter_forgotten AFTER DELETE ON newsletter_subscribers
BEGIN
  DELETE FROM outbox WHERE recipient = OLD.email AND list = 'newsletter' AND next_attempt_at IS NOT NULL;
END;

-- Several are valid at a time: an earlier link still works after a later one was requested.
CREATE TABLE newsletter_tokens (
  token_hash TEXT PRIMARY KEY,
  subscriber TEXT NOT NULL REFERENCES newsletter_subscribers (id) ON DELETE CASCADE,
  created_at INTEGER NOT NULL,
  expires_at INTEGER NOT NULL
) STRICT;
CREATE INDEX newsletter_tokens_by_subscriber ON newsletter_tokens (subscriber);
CREATE INDEX newsletter_tokens_by_expiry ON newsletter_tokens (expires_at);

CREATE TABLE notifications (
  user_id TEXT PRIMARY KEY REFERENCES users (id),
  title TEXT NOT NULL,
  content TEXT NOT NULL,
  persistent INTEGER NOT NULL CHECK (persistent IN (0, 1)),
  seen INTEGER NOT NULL DEFAULT 0 CHECK (seen IN (0, 1)),
  created_at INTEGER NOT NULL
) STRICT;

-- Notifications sent by operators. Each operator has a limit per 24 hours. A mail to many people is an announcement instead,
-- which two operators decide.
CREATE TABLE notification_sends (
  seq INTEGER PRIMARY KEY AUTOINCREMENT,
  operator TEXT NOT NULL REFERENCES users (id),
  at INTEGER NOT NULL
) STRICT;
CREATE INDEX notification_sends_by_operator ON notification_sends (operator, at);

CREATE TRIGGER notification_sends_limit BEFORE INSERT ON notification_sends
BEGIN
  SELECT RAISE(ABORT, 'notification_sends: immutable')
    WHERE EXISTS (SELECT 1 FROM notification_sends WHERE seq = NEW.seq);
  SELECT RAISE(ABORT, 'too_many_notifications')
    WHERE (SELECT count(*) FROM notification_sends WHERE operator = NEW.operator AND at > NEW.at - 86400000)
      >= coalesce((SELECT CAST(value AS INTEGER) FROM settings WHERE key = 'notificationsPerDay'), 20);
END;

CREATE TABLE announcements (
  proposal TEXT PRIMARY KEY REFERENCES proposals (id),
  topic TEXT NOT NULL CHECK (topic IN ('salesNews', 'features', 'tips')),
  subject TEXT NOT NULL,
  text TEXT NOT NULL,
  approved_at INTEGER NOT NULL,
  last_seq INTEGER NOT NULL,                -- the newest account at its approval: later ones get no mail
  sent_to_seq INTEGER NOT NULL DEFAULT 0,   -- accounts up to here are done
  mails INTEGER NOT NULL DEFAULT 0,         -- how many mails were written
  finished_at INTEGER
) STRICT;
CREATE INDEX announcements_open ON announcements (approved_at) WHERE finished_at IS NULL;

CREATE TRIGGER announcements_decided BEFORE INSERT ON announcements
BEGIN
  SELECT RAISE(ABORT, 'announcements: must start unsent')
    WHERE NEW.sent_to_seq <> 0 OR NEW.mails <> 0 OR NEW.finished_at IS NOT NULL
      OR EXISTS (SELECT 1 FROM announcements WHERE proposal = NEW.proposal);
  SELECT RAISE(ABORT, 'second_operator_required')
    WHERE NOT EXISTS (
      SELECT 1 FROM proposals p
      WHERE p.id = NEW.proposal AND p.kind = 'announcement' AND p.status = 'approved'
        AND json_extract(p.payload, '$.topic') = NEW.topic AND json_extract(p.payload, '$.subject') = NEW.subject
        AND json_extract(p.payload, '$.text') = NEW.text);
END;
-- Each step continues from the one before. If two runs write the same mails, the second fails with its whole batch.
CREATE TRIGGER announcements_advance BEFORE UPDATE ON announcements
BEGIN
  SELECT RAISE(ABORT, 'already_decided')
    WHERE OLD.finished_at IS NOT NULL OR NEW.sent_to_seq <= OLD.sent_to_seq;
END;

-- The terms of referral bonuses, set by two administrators: the smallest first deposit that earns one, which the invited person has
-- to leave with us for so many days. The defaults are those of src/contract/console/settingList.ts.
CREATE VIEW referral_terms (minimum, days) AS
  SELECT coalesce(json_extract(value, '$.minimumDeposit'), 10000), coalesce(json_extract(value, '$.maturityDays'), 30)
  FROM (SELECT (SELECT value FROM settings WHERE key = 'referral') AS value);

-- The bonus for a referral: once per invited person, with its conditions checked by the database.
CREATE TABLE referral_bonuses (
  invitee TEXT PRIMARY KEY REFERENCES users (id),
  id TEXT NOT NULL UNIQUE,                  -- the `ref` of the transfer that grants it
  referrer TEXT NOT NULL REFERENCES users (id),
  amount INTEGER NOT NULL CHECK (amount > 0),
  setting TEXT NOT NULL REFERENCES proposals (id),  -- the decision of two operators that set the amount
  deposit TEXT NOT NULL REFERENCES requests (id),  -- the invited person's first credited deposit
  minimum INTEGER NOT NULL,                 -- cents that the invited person has to leave with us until it is granted
  due_at INTEGER NOT NULL,
  matures_at INTEGER NOT NULL,              -- it is granted from then on
  granted_at INTEGER,
  lapsed_at INTEGER,                        -- it will never be granted
  reversed_at INTEGER,                      -- it was taken back, because its deposit was reversed
  CHECK (granted_at IS NULL OR lapsed_at IS NULL),
  CHECK (reversed_at IS NULL OR granted_at IS NOT NULL)
) STRICT, WITHOUT ROWID;
CREATE INDEX referral_bonuses_open ON referral_bonuses (due_at) WHERE granted_at IS NULL AND lapsed_at IS NULL;
CREATE INDEX referral_bonuses_by_deposit ON referral_bonuses (deposit);
CREATE INDEX referral_bonuses_by_referrer ON referral_bonuses (referrer, due_at, invitee);

CREATE TRIGGER referral_bonuses_due BEFORE INSERT ON referral_bonuses
BEGIN
  SELECT RAISE(ABORT, 'referral_bonuses: invitee already has one')
    WHERE EXISTS (SELECT 1 FROM referral_bonuses WHERE invitee = NEW.invitee OR id = NEW.id);
  SELECT RAISE(ABORT, 'referral_bonuses: must start due')
    WHERE NEW.granted_at IS NOT NULL OR NEW.lapsed_at IS NOT NULL OR NEW.reversed_at IS NOT NULL;
  SELECT RAISE(ABORT, 'referral_bonuses: referrer must be an investor')
    WHERE NEW.invitee = NEW.referrer OR NOT EXISTS (
      SELECT 1 FROM users i JOIN users r ON r.id = i.referred_by
      WHERE i.id = NEW.invitee AND r.id = NEW.referrer AND i.role = 'investor' AND r.role = 'investor');
  SELECT RAISE(ABORT, 'second_operator_required')
    WHERE NOT EXISTS (
      SELECT 1 FROM settings s JOIN proposals p ON p.id = s.proposal
      WHERE s.key = 'referralBonus' AND p.id = NEW.setting AND p.kind = 'settings' AND p.status = 'approved'
        AND json_extract(s.value, '$') = NEW.amount AND json_extract(p.payload, '$.referralBonus') = NEW.amount);
  -- An investor who was credited before the bonus was turned on does not earn it with a later deposit.
  SELECT RAISE(ABORT, 'referral_bonuses: not the first credited deposit')
    WHERE NOT EXISTS (SELECT 1 FROM requests WHERE id = NEW.deposit AND investor = NEW.invitee
        AND queue = 'deposits' AND status = 'approved')
      OR EXISTS (SELECT 1 FROM transfers WHERE from_account = NEW.invitee || ':paid_in' AND ref <> NEW.deposit);
  SELECT RAISE(ABORT, 'referral_bonuses: terms differ from the settings')
    WHERE NOT EXISTS (
      SELECT 1 FROM referral_terms WHERE NEW.minimum = minimum AND NEW.matures_at = NEW.due_at + days * 86400000);
  SELECT RAISE(ABORT, 'referral_bonuses: deposit below the minimum')
    WHERE EXISTS (SELECT 1 FROM requests WHERE id = NEW.deposit AND amount < NEW.minimum);
END;
-- Who credits a deposit alone credits the bonus that it earns too: it counts in the same two limits.
CREATE TRIGGER referral_bonuses_counted AFTER INSERT ON referral_bonuses
BEGIN
  SELECT RAISE(ABORT, 'second_operator_required')
    FROM request_events e
    WHERE e.request = NEW.deposit AND e.status = 'approved' AND e.second_operator IS NULL AND e.actor <> 'system' AND (
      (SELECT coalesce(sum(amount), 0) FROM request_events
          WHERE investor = NEW.referrer AND actor = e.actor AND status = 'approved' AND at > NEW.due_at - 86400000
            AND second_operator IS NULL AND reference_key IS NOT NULL)
        + (SELECT coalesce(sum(amount), 0) FROM bonuses_caused_alone
          WHERE referrer = NEW.referrer AND operator = e.actor AND due_at > NEW.due_at - 86400000)
        > coalesce((SELECT CAST(value AS INTEGER) FROM settings WHERE key = 'twoPersonLimit'), 500000)
      OR NEW.amount + (
        SELECT coalesce(sum(t.amount), 0) FROM decision_totals t
        WHERE t.queue = 'deposits' AND t.operator = e.actor AND t.hour >= CAST(unixepoch('subsec') AS INTEGER) / 3600 - 24
      ) > (SELECT credits_alone FROM daily_ceilings));
  -- The credit opened the newest hour of its operator, in the same batch.
  UPDATE decision_totals SET amount = amount + NEW.amount
    WHERE (queue, operator, hour) = (
      SELECT 'deposits', e.actor, max(t.hour)
      FROM request_events e JOIN decision_totals t ON t.queue = 'deposits' AND t.operator = e.actor
      WHERE e.request = NEW.deposit AND e.status = 'approved' AND e.second_operator IS NULL AND e.actor <> 'system');
END;
CREATE TRIGGER referral_bonuses_decided_once BEFORE UPDATE ON referral_bonuses
BEGIN
  SELECT RAISE(ABORT, 'already_decided')
    WHERE OLD.lapsed_at IS NOT NULL OR OLD.reversed_at IS NOT NULL
      OR (OLD.granted_at IS NOT NULL AND (NEW.reversed_at IS NULL OR NEW.granted_at IS NOT OLD.granted_at));
  SELECT RAISE(ABORT, 'referral_bonuses: deposit not reversed')
    WHERE NEW.reversed_at IS NOT NULL
      AND NOT EXISTS (SELECT 1 FROM request_events WHERE request = OLD.deposit AND status = 'reversed');
END;
CREATE TRIGGER referral_bonuses_granted BEFORE UPDATE OF granted_at ON referral_bonuses
WHEN OLD.granted_at IS NULL AND OLD.lapsed_at IS NULL AND NEW.granted_at IS NOT NULL
BEGIN
  SELECT RAISE(ABORT, 'referral_bonuses: not matured') WHERE NEW.granted_at < OLD.matures_at;
  SELECT RAISE(ABORT, 'kyc_required')
    WHERE NOT EXISTS (SELECT 1 FROM users WHERE id = OLD.invitee AND kyc_status = 'approved');
  SELECT RAISE(ABORT, 'account_frozen')
    WHERE EXISTS (SELECT 1 FROM users WHERE id = OLD.referrer AND frozen_at IS NOT NULL);
  -- The deposit was reversed, or the limit of ten paid bonuses is reached.
  SELECT RAISE(ABORT, 'conflict')
    WHERE NOT EXISTS (SELECT 1 FROM requests WHERE id = OLD.deposit AND status = 'approved')
      OR (SELECT count(*) FROM referral_bonuses
        WHERE referrer = OLD.referrer AND granted_at IS NOT NULL AND reversed_at IS NULL) >= 10;
  -- The invited person took the money out again, or is about to.
  SELECT RAISE(ABORT, 'conflict')
    WHERE (SELECT coalesce(-sum(balance), 0) FROM accounts
        WHERE id IN (OLD.invitee || ':paid_in', OLD.invitee || ':paid_out', OLD.invitee || ':held')) < OLD.minimum;
END;
-- Reversing the deposit takes its bonus back, whoever writes it. What the referrer spent of it becomes a debt. A closed account moves
-- nothing, so that the company bears that loss.
CREATE TRIGGER request_events_take_bonus_back AFTER INSERT ON request_events
WHEN NEW.status = 'reversed'
BEGIN
  UPDATE referral_bonuses SET reversed_at = NEW.at
    WHERE deposit = NEW.request AND granted_at IS NOT NULL
      AND NOT EXISTS (SELECT 1 FROM users WHERE id = referrer AND closed_at IS NOT NULL);
  INSERT INTO transfers (id, from_account, to_account, amount, code, ref, actor, at)
    SELECT b.id || ':overdraw', b.referrer || ':owed', a.id, b.amount - a.balance, 'overdraw', b.id, NEW.actor, NEW.at
    FROM referral_bonuses b JOIN accounts a ON a.id = b.referrer || ':available'
    WHERE b.deposit = NEW.request AND b.reversed_at IS NOT NULL AND a.balance < b.amount;
  INSERT INTO transfers (id, from_account, to_account, amount, code, ref, reverses, actor, at)
    SELECT b.id || ':reverse_bonus', b.referrer || ':available', b.referrer || ':granted', b.amount, 'reverse_bonus', b.id,
      b.id || ':bonus', NEW.actor, NEW.at
    FROM referral_bonuses b WHERE b.deposit = NEW.request AND b.reversed_at IS NOT NULL;
  SELECT RAISE(ABORT, 'request_events: bonus not taken back')
    WHERE EXISTS (
      SELECT 1 FROM referral_bonuses b WHERE b.deposit = NEW.request AND b.reversed_at IS NOT NULL
        AND NOT EXISTS (SELECT 1 FROM transfers WHERE ref = b.id AND code = 'reverse_bonus'));
END;
