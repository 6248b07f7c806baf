-- What an invitation earns: once for each person who came, with its conditions held to by the database.

CREATE TABLE referral_bonuses (
  invitee TEXT PRIMARY KEY REFERENCES users (id),
  id TEXT NOT NULL UNIQUE,                  -- the transfer that grants it names this as its cause
  referrer TEXT NOT NULL REFERENCES users (id),
  amount INTEGER NOT NULL CHECK (amount > 0),
  setting TEXT NOT NULL REFERENCES proposals (id),  -- the decision of two operators by which it is this much
  deposit TEXT NOT NULL REFERENCES requests (id),   -- the invitee's first credited one
  due_at INTEGER NOT NULL,
  granted_at INTEGER,
  lapsed_at INTEGER,                        -- it will never be granted
  CHECK (granted_at IS NULL OR lapsed_at IS NULL)
) STRICT, WITHOUT ROWID;
CREATE INDEX referral_bonuses_open ON referral_bonuses (due_at) WHERE granted_at IS NULL AND lapsed_at IS NULL;
CREATE INDEX referral_bonuses_by_referrer ON referral_bonuses (referrer, due_at, invitee);

CREATE TRIGGER referral_bonuses_due BEFORE INSERT ON referral_bonuses
BEGIN
  SELECT RAISE(ABORT, 'referrals: one person is invited once')
    WHERE EXISTS (SELECT 1 FROM referral_bonuses WHERE invitee = NEW.invitee OR id = NEW.id);
  SELECT RAISE(ABORT, 'referrals: a bonus starts due')
    WHERE NEW.granted_at IS NOT NULL OR NEW.lapsed_at IS NOT NULL;
  SELECT RAISE(ABORT, 'referrals: who invited an investor is an investor')
    WHERE NEW.invitee = NEW.referrer OR NOT EXISTS (
      SELECT 1 FROM users i JOIN users r ON r.id = i.referred_by
      WHERE i.id = NEW.invitee AND r.id = NEW.referrer AND i.role = 'investor' AND r.role = 'investor');
  SELECT RAISE(ABORT, 'second_operator_required')
    WHERE NOT EXISTS (
      SELECT 1 FROM settings s JOIN proposals p ON p.id = s.proposal
      WHERE s.key = 'referralBonus' AND p.id = NEW.setting AND p.kind = 'settings' AND p.status = 'approved'
        AND json_extract(s.value, '$') = NEW.amount AND json_extract(p.payload, '$.referralBonus') = NEW.amount);
  -- Whoever was credited before the bonus was turned on does not earn it with a later deposit.
  SELECT RAISE(ABORT, 'referrals: only the first credited deposit earns a bonus')
    WHERE NOT EXISTS (SELECT 1 FROM requests WHERE id = NEW.deposit AND investor = NEW.invitee
        AND queue = 'deposits' AND status = 'approved')
      OR EXISTS (SELECT 1 FROM transfers WHERE from_account = NEW.invitee || ':paid_in' AND ref <> NEW.deposit);
END;
CREATE TRIGGER referral_bonuses_decided_once BEFORE UPDATE ON referral_bonuses
BEGIN
  SELECT RAISE(ABORT, 'already_decided') WHERE OLD.granted_at IS NOT NULL OR OLD.lapsed_at IS NOT NULL;
  SELECT RAISE(ABORT, 'referrals: what fell due never changes')
    WHERE NEW.invitee IS NOT OLD.invitee OR NEW.id IS NOT OLD.id OR NEW.referrer IS NOT OLD.referrer
      OR NEW.amount IS NOT OLD.amount OR NEW.setting IS NOT OLD.setting OR NEW.deposit IS NOT OLD.deposit
      OR NEW.due_at IS NOT OLD.due_at;
  SELECT RAISE(ABORT, 'kyc_required')
    WHERE NEW.granted_at IS NOT NULL
      AND NOT EXISTS (SELECT 1 FROM users WHERE id = OLD.invitee AND kyc_status = 'approved');
  SELECT RAISE(ABORT, 'account_frozen')
    WHERE NEW.granted_at IS NOT NULL
      AND EXISTS (SELECT 1 FROM users WHERE id = OLD.referrer AND frozen_at IS NOT NULL);
  -- The deposit was reversed, or ten others were paid for.
  SELECT RAISE(ABORT, 'conflict')
    WHERE NEW.granted_at IS NOT NULL
      AND (NOT EXISTS (SELECT 1 FROM requests WHERE id = OLD.deposit AND status = 'approved')
        OR (SELECT count(*) FROM referral_bonuses WHERE referrer = OLD.referrer AND granted_at IS NOT NULL) >= 10);
END;
CREATE TRIGGER referral_bonuses_keep BEFORE DELETE ON referral_bonuses
BEGIN
  SELECT RAISE(ABORT, 'referrals: a bonus is never deleted');
END;

-- As before, and a bonus is caused by a proposal or by an invitation.
DROP TRIGGER transfers_caused;
CREATE TRIGGER transfers_caused BEFORE INSERT ON transfers
BEGIN
  SELECT RAISE(ABORT, 'ledger: a transfer needs the record of what caused it')
    WHERE NOT CASE
      WHEN NEW.code IN ('credit', 'hold', 'release', 'complete', 'reverse_credit', 'reverse_payout', 'repay', 'overdraw') THEN EXISTS (
        SELECT 1 FROM requests r JOIN accounts f ON f.id = NEW.from_account JOIN accounts t ON t.id = NEW.to_account
          JOIN request_events e ON e.request = r.id AND e.status = r.status AND e.actor = NEW.actor
        WHERE r.id = NEW.ref AND r.investor = f.owner
          AND CASE NEW.code
            WHEN 'credit' THEN r.queue = 'deposits' AND r.status = 'approved' AND r.amount = NEW.amount
            -- Straight after the credit, all that is owed or all that came.
            WHEN 'repay' THEN r.queue = 'deposits' AND r.status = 'approved' AND NEW.amount = min(r.amount, -t.balance)
              AND EXISTS (SELECT 1 FROM transfers c WHERE c.seq = f.last_transfer AND c.ref = r.id AND c.code = 'credit')
            WHEN 'hold' THEN r.queue = 'withdrawals' AND r.status = 'pending' AND r.amount = NEW.amount
            WHEN 'release' THEN r.queue = 'withdrawals' AND r.status IN ('cancelled', 'rejected') AND r.amount = NEW.amount
              AND EXISTS (SELECT 1 FROM transfers h WHERE h.ref = r.id AND h.code = 'hold')
            WHEN 'complete' THEN r.queue = 'withdrawals' AND r.status = 'completed' AND r.amount = NEW.amount
              AND EXISTS (SELECT 1 FROM transfers h WHERE h.ref = r.id AND h.code = 'hold')
            -- Before the reversal, exactly what it lacks.
            WHEN 'overdraw' THEN r.queue = 'deposits' AND r.status = 'reversed' AND NEW.amount = r.amount - t.balance
              AND EXISTS (SELECT 1 FROM transfers c WHERE c.ref = r.id AND c.code = 'credit')
              AND NOT EXISTS (SELECT 1 FROM transfers v WHERE v.ref = r.id AND v.code = 'reverse_credit')
            WHEN 'reverse_credit' THEN r.queue = 'deposits' AND r.status = 'reversed' AND r.amount = NEW.amount
            ELSE r.queue = 'withdrawals' AND r.status = 'reversed' AND r.amount = NEW.amount
            END
          AND NOT EXISTS (SELECT 1 FROM transfers o WHERE o.ref = NEW.ref AND o.code = NEW.code))
      WHEN NEW.code = 'bonus' THEN EXISTS (
        SELECT 1 FROM proposals p JOIN accounts a ON a.id = NEW.from_account
        WHERE p.id = NEW.ref AND p.kind = 'bonus' AND p.status = 'approved' AND p.investor = a.owner
          AND p.amount = NEW.amount AND p.decided_by = NEW.actor
          AND NOT EXISTS (SELECT 1 FROM transfers t WHERE t.ref = NEW.ref AND t.code = NEW.code))
        OR EXISTS (
        SELECT 1 FROM referral_bonuses b JOIN accounts a ON a.id = NEW.from_account
        WHERE b.id = NEW.ref AND b.referrer = a.owner AND b.amount = NEW.amount AND b.granted_at IS NOT NULL
          AND NEW.actor = 'system'
          AND NOT EXISTS (SELECT 1 FROM transfers t WHERE t.ref = NEW.ref AND t.code = NEW.code))
      ELSE 0
      END;
END;
