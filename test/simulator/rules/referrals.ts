import { none, overdueMs, type Rule, type Rules } from './rule.ts'

/** The first credit of each invited person, if it is large enough, with the bonus that two administrators had decided before it. Cents. */
const EXPECTED = `
  SELECT u.id AS invitee, u.referred_by AS referrer, c.ref AS deposit, (
    SELECT json_extract(p.payload, '$.referralBonus') FROM proposals p
    JOIN audit_log a ON a.subject = p.id AND a.action = 'proposal.approved'
    WHERE p.kind = 'settings' AND p.status = 'approved' AND json_extract(p.payload, '$.referralBonus') IS NOT NULL
      AND a.seq < l.seq
    ORDER BY a.seq DESC LIMIT 1) AS amount
  FROM users u
  JOIN transfers c ON c.seq = (SELECT min(seq) FROM transfers WHERE from_account = u.id || ':paid_in' AND code = 'credit')
  JOIN audit_log l ON l.subject = c.ref AND l.action = 'deposit.credited'
  WHERE u.referred_by IS NOT NULL AND c.amount >= (SELECT minimum FROM referral_terms)`

/** SQL: whether the invited person of a bonus \`b\` left less than its smallest deposit with us until some time. */
function hasTakenOut(until: string): string {
  return `b.minimum > (
    SELECT coalesce(sum(CASE WHEN code IN ('credit', 'reverse_payout') THEN amount ELSE -amount END), 0) FROM transfers
    WHERE at <= ${until} AND code IN ('credit', 'reverse_payout', 'reverse_credit', 'complete')
      AND (from_account IN (b.invitee || ':paid_in', b.invitee || ':paid_out') OR to_account IN (b.invitee || ':paid_in', b.invitee || ':paid_out')))`
}

export const REFERRAL_RULES: Rules = {
  invitedPeopleNameTheirReferrer,

  /** Nobody invites themselves, nor anybody after closing the account. */
  referrersAreOthers: none(`
    SELECT u.email, r.email AS referrer FROM users u JOIN users r ON r.id = u.referred_by
    WHERE r.id = u.id OR r.created_at > u.created_at OR r.closed_at < u.created_at - 60000`),

  /** The first credit of each invited person, and no other, earns the bonus that was decided at that time. */
  bonusesAreDueOnce: none(`
    WITH expected AS MATERIALIZED (${EXPECTED})
    SELECT * FROM (
      SELECT 'missing' AS what, * FROM (
        SELECT invitee, referrer, deposit, amount FROM expected WHERE amount > 0
        EXCEPT SELECT invitee, referrer, deposit, amount FROM referral_bonuses)
      UNION ALL SELECT 'too much', * FROM (
        SELECT invitee, referrer, deposit, amount FROM referral_bonuses
        EXCEPT SELECT invitee, referrer, deposit, amount FROM expected))`),

  /** A granted bonus moved its amount to the referrer, once. No other one moved anything. */
  bonusesAreGrantedOnce: none(`
    SELECT b.id, b.amount FROM referral_bonuses b WHERE (b.granted_at IS NOT NULL) <> (
      SELECT count(*) FROM transfers t
      WHERE t.ref = b.id AND t.code = 'bonus' AND t.to_account = b.referrer || ':available' AND t.amount = b.amount)`),

  /** Nobody keeps a bonus for a deposit that was reversed, unless the account is closed. */
  bonusesGoWithTheirDeposits: none(`
    SELECT b.id FROM referral_bonuses b JOIN requests d ON d.id = b.deposit JOIN users r ON r.id = b.referrer
    WHERE b.granted_at IS NOT NULL AND r.closed_at IS NULL AND (d.status = 'reversed') <> (
      SELECT count(*) FROM transfers t WHERE t.ref = b.id AND t.code = 'reverse_bonus' AND t.amount = b.amount)`),

  /** A bonus is granted after its time, for money that stayed. */
  bonusesMature: none(`
    SELECT b.id FROM referral_bonuses b
    WHERE b.granted_at < b.matures_at OR (b.granted_at IS NOT NULL AND ${hasTakenOut('b.granted_at')})`),

  /** A bonus lapses for a reason: its money went, a closed account of the referrer, or ten bonuses before it. */
  bonusesLapseForAReason: none(`
    SELECT b.id FROM referral_bonuses b JOIN requests d ON d.id = b.deposit JOIN users r ON r.id = b.referrer
    WHERE b.lapsed_at IS NOT NULL AND d.status = 'approved' AND r.closed_at IS NULL AND NOT ${hasTakenOut('b.lapsed_at')}
      AND 10 > (SELECT count(*) FROM referral_bonuses g WHERE g.referrer = b.referrer AND g.granted_at <= b.lapsed_at)`),

  bonusesAreGrantedSoon,
}

/** An account was referred by the person whose link was used to open it, and by nobody without one. */
async function invitedPeopleNameTheirReferrer({ world, model }: Parameters<Rule>[0]): Promise<string | null> {
  const accounts = await world.database.rows<{ email: string; code: string | null }>(
    // Erasing a person replaces their code.
    `SELECT u.email, r.referral_code AS code FROM users u LEFT JOIN users r ON r.id = u.referred_by
     WHERE u.role = 'investor' AND u.closed_at IS NULL AND r.erased_at IS NULL`,
  )
  const wrong = accounts.find(({ email, code }) => code !== (model.invited.get(email) ?? null))
  return wrong === undefined
    ? null
    : `${wrong.email} was referred by ${wrong.code}, and used the link of ${model.invited.get(wrong.email)}`
}

/** A bonus is granted soon after it matures, once the invited person is identified and unless the referrer is frozen. */
async function bonusesAreGrantedSoon(at: Parameters<Rule>[0]): Promise<string | null> {
  const [late] = await at.world.database.rows<{ id: string }>(
    `SELECT b.id FROM referral_bonuses b JOIN users i ON i.id = b.invitee JOIN users r ON r.id = b.referrer
     WHERE b.granted_at IS NULL AND b.lapsed_at IS NULL AND b.matures_at < ?1
       AND NOT EXISTS (SELECT 1 FROM accounts WHERE id = i.id || ':held' AND balance > 0)
       AND i.kyc_status = 'approved' AND r.frozen_at IS NULL`,
    overdueMs(at),
  )
  return late === undefined ? null : `${late.id} is still due`
}
