import { sql } from 'drizzle-orm'
import { newId } from '../../lib/crypto/tokens.ts'
import type { Database, Statement } from '../../lib/database.ts'

interface CreditedDeposit {
  readonly id: string
  readonly investor: string
}

/**
 * Notes that a bonus is due for whoever invited this investor, in the batch that credits the first deposit: after the
 * transfer. Notes nothing where nobody invited them, where no bonus is set, or where an earlier deposit was credited.
 * Granting it is the platform's own work, since it moves another investor's money.
 */
export function letReferralFallDue(db: Database, deposit: CreditedDeposit, nowMs: number): Statement {
  return db.run(sql`
    INSERT INTO referral_bonuses (invitee, id, referrer, amount, setting, deposit, due_at)
    SELECT i.id, ${newId()}, r.id, CAST(json_extract(s.value, '$') AS INTEGER), s.proposal, ${deposit.id}, ${nowMs}
    FROM users i JOIN users r ON r.id = i.referred_by AND r.role = 'investor'
      JOIN settings s ON s.key = 'referralBonus' AND json_extract(s.value, '$') > 0
    WHERE i.id = ${deposit.investor} AND i.role = 'investor'
      AND NOT EXISTS (SELECT 1 FROM referral_bonuses WHERE invitee = i.id)
      AND NOT EXISTS (SELECT 1 FROM transfers WHERE from_account = i.id || ':paid_in' AND ref <> ${deposit.id})`)
}
