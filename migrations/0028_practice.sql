-- The practice reviewer: a program that approves our sample passports and credits deposits with our sample receipt, so that somebody can
-- try the platform alone. docs/decisions/0044-practice-alone.md

-- It is an operator, under the same limits as any other, and has neither password nor session (0017). No money is real while it acts: a
-- wallet that was approved for real money (simulated = 0) ends practice.
CREATE TRIGGER users_practice BEFORE INSERT ON users
WHEN NEW.id = 'practice'
BEGIN
  SELECT RAISE(ABORT, 'users: the practice reviewer only reviews and credits')
    WHERE NEW.role <> 'operator' OR NEW.operator_roles <> 'reviewer treasurer' OR NEW.password_hash <> '';
  SELECT RAISE(ABORT, 'users: no practice with real money') WHERE EXISTS (SELECT 1 FROM wallets WHERE simulated = 0);
END;
CREATE TRIGGER kyc_decided_in_practice BEFORE UPDATE OF status ON kyc_submissions
WHEN NEW.decided_by = 'practice'
BEGIN
  SELECT RAISE(ABORT, 'forbidden')
    WHERE OLD.sample = 0 OR NEW.status <> 'approved' OR EXISTS (SELECT 1 FROM wallets WHERE simulated = 0);
END;
-- A sample shows no payment, so it never counts at a wallet that receives real ones.
CREATE TRIGGER deposit_details_sample BEFORE INSERT ON deposit_details
WHEN NEW.sample = 1
BEGIN
  SELECT RAISE(ABORT, 'validation_failed')
    WHERE NOT EXISTS (
      SELECT 1 FROM wallets WHERE network = NEW.network AND address = NEW.payment_to AND simulated = 1 AND retired_at IS NULL);
END;
-- It credits what one operator may credit alone. What takes two people is left to people.
CREATE TRIGGER request_events_in_practice BEFORE INSERT ON request_events
WHEN NEW.actor = 'practice'
BEGIN
  SELECT RAISE(ABORT, 'forbidden')
    WHERE NEW.status <> 'approved' OR NEW.second_operator IS NOT NULL OR EXISTS (SELECT 1 FROM wallets WHERE simulated = 0)
      OR NOT EXISTS (SELECT 1 FROM deposit_details WHERE request = NEW.request AND sample = 1);
END;
CREATE TRIGGER proposals_not_in_practice BEFORE INSERT ON proposals
WHEN NEW.proposed_by = 'practice'
BEGIN
  SELECT RAISE(ABORT, 'forbidden');
END;
