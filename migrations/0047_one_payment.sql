-- One payment has one spelling, and every field of a bank destination that routes or names is part of its identity.

-- References. A transaction: 64 hex digits in lower case, on Bitcoin with or without `:` and the number of the output. A
-- bank's: `bank:` and its letters and digits in lower case. `src/contract/references.ts` gives these forms.

-- What is stored is brought into that form where it can be read, so that nothing that was credited before is credited
-- again under another spelling. The reference itself stays as the operator gave it.
DROP TRIGGER request_events_never_change;
UPDATE request_events SET reference_key = coalesce(
  -- A transaction id of 64 digits somewhere within: in a link, behind 0x, before a dot. On Bitcoin with its output.
  (WITH RECURSIVE
     key (text) AS (VALUES (' ' || request_events.reference_key || ' ')),
     place (i) AS (VALUES (2) UNION ALL SELECT i + 1 FROM place, key WHERE i + 64 < length(text))
   SELECT substr(text, i, 64) || CASE
       WHEN substr(text, i + 64, 2) GLOB ':[0-9]' AND substr(rtrim(text), i + 65) NOT GLOB '*[^0-9]*'
         AND length(rtrim(text)) < i + 76
         AND CAST(substr(rtrim(text), i + 65) AS INTEGER) <= 4294967295 AND EXISTS (
           SELECT 1 FROM deposit_details WHERE request = request_events.request AND network = 'btc'
           UNION ALL SELECT 1 FROM withdrawal_details WHERE request = request_events.request AND network = 'btc')
       THEN ':' || CAST(substr(rtrim(text), i + 65) AS INTEGER) ELSE '' END
   FROM place, key
   WHERE substr(text, i, 64) NOT GLOB '*[^0-9a-f]*'
     AND substr(text, i - 1, 1) GLOB '[^0-9a-f]' AND substr(text, i + 64, 1) GLOB '[^0-9a-f]'
   LIMIT 1),
  (SELECT 'bank:' || plain FROM (
     SELECT replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(
       request_events.reference_key, ' ', ''), '/', ''), '-', ''), '?', ''), ':', ''), '(', ''), ')', ''), '.', ''),
       ',', ''), '''', ''), '+', ''), '_', ''), '#', '') AS plain)
   WHERE plain <> '' AND plain NOT GLOB '*[^0-9a-z]*'
     AND EXISTS (SELECT 1 FROM requests WHERE id = request_events.request AND kind = 'online-service-withdrawal')),
  reference_key)
WHERE reference_key IS NOT NULL AND (length(reference_key) <> 64 OR reference_key GLOB '*[^0-9a-f]*');
CREATE TRIGGER request_events_never_change BEFORE UPDATE ON request_events
BEGIN
  SELECT RAISE(ABORT, 'events never change');
END;

-- First approvals that wait, so that the second operator's canonical reference agrees with them.
DROP TRIGGER credit_approvals_never_change;
UPDATE credit_approvals SET reference_key = coalesce(
  (WITH RECURSIVE
     key (text) AS (VALUES (' ' || credit_approvals.reference_key || ' ')),
     place (i) AS (VALUES (2) UNION ALL SELECT i + 1 FROM place, key WHERE i + 64 < length(text))
   SELECT substr(text, i, 64) || CASE
       WHEN substr(text, i + 64, 2) GLOB ':[0-9]' AND substr(rtrim(text), i + 65) NOT GLOB '*[^0-9]*'
         AND length(rtrim(text)) < i + 76
         AND CAST(substr(rtrim(text), i + 65) AS INTEGER) <= 4294967295
         AND EXISTS (SELECT 1 FROM deposit_details WHERE request = credit_approvals.request AND network = 'btc')
       THEN ':' || CAST(substr(rtrim(text), i + 65) AS INTEGER) ELSE '' END
   FROM place, key
   WHERE substr(text, i, 64) NOT GLOB '*[^0-9a-f]*'
     AND substr(text, i - 1, 1) GLOB '[^0-9a-f]' AND substr(text, i + 64, 1) GLOB '[^0-9a-f]'
   LIMIT 1),
  reference_key);
CREATE TRIGGER credit_approvals_never_change BEFORE UPDATE ON credit_approvals
BEGIN
  SELECT RAISE(ABORT, 'approvals never change');
END;

-- From here on nothing else is written, by whatever way. Asked after a step took effect, so that every other refusal comes
-- first; length in bytes, because GLOB and length() end at a NUL.
CREATE TRIGGER request_events_canonical AFTER INSERT ON request_events
WHEN NEW.reference_key IS NOT NULL OR NEW.reference IS NOT NULL
BEGIN
  SELECT RAISE(ABORT, 'events: a reference has one spelling')
    WHERE NOT coalesce(
      CASE WHEN substr(NEW.reference_key, 1, 5) = 'bank:' THEN
        NEW.reference_key = 'bank:' || lower(
          replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(
            NEW.reference, ' ', ''), '/', ''), '-', ''), '?', ''), ':', ''), '(', ''), ')', ''), '.', ''),
            ',', ''), '''', ''), '+', ''), '_', ''), '#', ''))
        AND NEW.reference = upper(NEW.reference)
        AND length(CAST(NEW.reference_key AS BLOB)) BETWEEN 6 AND 145
        AND substr(NEW.reference_key, 6) NOT GLOB '*[^0-9a-z]*'
        AND NOT (length(NEW.reference_key) = 69 AND substr(NEW.reference_key, 6) NOT GLOB '*[^0-9a-f]*')
        AND EXISTS (SELECT 1 FROM requests WHERE id = NEW.request AND kind = 'online-service-withdrawal')
      ELSE
        NEW.reference = NEW.reference_key
        AND length(substr(NEW.reference_key, 1, 64)) = 64
        AND substr(NEW.reference_key, 1, 64) NOT GLOB '*[^0-9a-f]*'
        AND (length(CAST(NEW.reference_key AS BLOB)) = 64 OR (
          NEW.reference_key = substr(NEW.reference_key, 1, 64) || ':' || CAST(substr(NEW.reference_key, 66) AS INTEGER)
          AND CAST(substr(NEW.reference_key, 66) AS INTEGER) BETWEEN 0 AND 4294967295
          AND EXISTS (
            SELECT 1 FROM deposit_details WHERE request = NEW.request AND network = 'btc'
            UNION ALL SELECT 1 FROM withdrawal_details WHERE request = NEW.request AND network = 'btc')))
      END, 0);
END;
CREATE TRIGGER credit_approvals_canonical AFTER INSERT ON credit_approvals
BEGIN
  SELECT RAISE(ABORT, 'approvals: a reference has one spelling')
    WHERE NOT (
      NEW.reference = NEW.reference_key
      AND length(substr(NEW.reference_key, 1, 64)) = 64
      AND substr(NEW.reference_key, 1, 64) NOT GLOB '*[^0-9a-f]*'
      AND (length(CAST(NEW.reference_key AS BLOB)) = 64 OR (
        NEW.reference_key = substr(NEW.reference_key, 1, 64) || ':' || CAST(substr(NEW.reference_key, 66) AS INTEGER)
        AND CAST(substr(NEW.reference_key, 66) AS INTEGER) BETWEEN 0 AND 4294967295
        AND EXISTS (SELECT 1 FROM deposit_details WHERE request = NEW.request AND network = 'btc'))));
END;

-- A transaction that counts as a whole has no output left to credit, and one of which an output counts is no whole any more:
-- whichever came first. `;` follows `:`, so the range holds the transaction and its outputs. Who is frozen, and what is on
-- hold, is refused as that first.
CREATE TRIGGER request_events_payment_once BEFORE INSERT ON request_events
WHEN NEW.status IN ('approved', 'completed') AND NEW.reference_key IS NOT NULL
  AND substr(NEW.reference_key, 1, 5) <> 'bank:'
  AND EXISTS (
    SELECT 1 FROM requests r JOIN users u ON u.id = r.investor
    WHERE r.id = NEW.request AND u.frozen_at IS NULL
      AND r.status = CASE r.queue WHEN 'deposits' THEN 'pending' ELSE 'approved' END)
  AND NOT EXISTS (
    SELECT 1 FROM withdrawal_details
    WHERE request = NEW.request AND held_until > min(NEW.at, CAST(unixepoch('subsec') * 1000 AS INTEGER)))
BEGIN
  SELECT RAISE(ABORT, 'reference_used')
    WHERE EXISTS (
      SELECT 1 FROM references_in_force f
      WHERE f.reference_key >= substr(NEW.reference_key, 1, 64) AND f.reference_key < substr(NEW.reference_key, 1, 64) || ';'
        AND (length(NEW.reference_key) = 64 OR length(f.reference_key) = 64));
END;
CREATE TRIGGER credit_approvals_payment_once BEFORE INSERT ON credit_approvals
WHEN EXISTS (
  SELECT 1 FROM requests r JOIN users u ON u.id = r.investor
  WHERE r.id = NEW.request AND u.frozen_at IS NULL AND r.queue = 'deposits' AND r.status = 'pending')
  AND NOT EXISTS (SELECT 1 FROM credit_approvals WHERE request = NEW.request)
BEGIN
  SELECT RAISE(ABORT, 'reference_used')
    WHERE EXISTS (
      SELECT 1 FROM references_in_force f
      WHERE f.reference_key >= substr(NEW.reference_key, 1, 64) AND f.reference_key < substr(NEW.reference_key, 1, 64) || ';'
        AND (length(NEW.reference_key) = 64 OR length(f.reference_key) = 64));
END;

-- Destinations. The hash of a bank destination holds every field that routes or names. The account alone (bank, branch code and
-- number; of a wallet the address) has a hash of its own, by which others who are paid there are found. Until now it was the
-- only one. Destinations that were confirmed under it match no new hash, so they need proof once more. They stay, because
-- orders that wait are held until their moment.
ALTER TABLE known_destinations ADD COLUMN account_hash TEXT;
UPDATE known_destinations SET account_hash = destination_hash;
DROP INDEX known_destinations_by_hash;
CREATE INDEX known_destinations_by_account ON known_destinations (account_hash);
-- NULL: filed before, when the destination's hash was the account's.
ALTER TABLE withdrawal_details ADD COLUMN account_hash TEXT;
CREATE TRIGGER withdrawal_details_keep_account BEFORE UPDATE OF account_hash ON withdrawal_details
BEGIN
  SELECT RAISE(ABORT, 'withdrawals: what was filed never changes')
    WHERE NEW.account_hash IS NOT OLD.account_hash AND (NEW.account_hash IS NOT '' OR NOT EXISTS (
      SELECT 1 FROM requests r JOIN users u ON u.id = r.investor WHERE r.id = OLD.request AND u.erased_at IS NOT NULL));
END;
