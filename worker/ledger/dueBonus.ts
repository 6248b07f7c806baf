import { sql } from 'drizzle-orm'
import { newId } from '../lib/crypto/tokens.ts'
import type { Statement } from '../lib/database.ts'
import { DAY_MS_SQL } from '../lib/days.ts'

/**
 * Records that a bonus is due to the referrer, in the batch that credits the first deposit, after the transfer. Has no effect
 * without a referrer, without a bonus in the settings, below the smallest deposit that earns one, or after an earlier deposit. The
 * bonus is granted once it has matured. Aborts with `second_operator_required` if one operator credited the deposit alone and the
 * bonus passes a limit of theirs.
 */
export function recordDueBonus(
  deposit: { readonly id: string; readonly investor: string },
  nowMs: number,
): Statement {
  return sql`
    INSERT INTO referral_bonuses (invitee, id, referrer, amount, setting, deposit, minimum, due_at, matures_at)
    SELECT i.id, ${newId()}, r.id, CAST(json_extract(s.value, '$') AS INTEGER), s.proposal, d.id, t.minimum,
      CAST(${nowMs} AS INTEGER), CAST(${nowMs} AS INTEGER) + t.days * ${DAY_MS_SQL}
    FROM users i JOIN users r ON r.id = i.referred_by AND r.role = 'investor'
      JOIN settings s ON s.key = 'referralBonus' AND json_extract(s.value, '$') > 0
      JOIN referral_terms t JOIN requests d ON d.id = ${deposit.id} AND d.amount >= t.minimum
    WHERE i.id = ${deposit.investor} AND i.role = 'investor'
      AND NOT EXISTS (SELECT 1 FROM referral_bonuses WHERE invitee = i.id)
      AND NOT EXISTS (SELECT 1 FROM transfers WHERE from_account = i.id || ':paid_in' AND ref <> ${deposit.id})`
}
