import { sql } from 'drizzle-orm'
import { SETTINGS } from '../../../src/contract/console/settingList.ts'
import { MOST_REFERRAL_BONUSES, type ReferralTerms } from '../../../src/contract/money/referrals.ts'
import { usdOf } from '../../../src/contract/money.ts'
import { type ActorCall, type Answer, ok } from '../../http/call.ts'
import { referralLink } from '../../identity/signIn/referralCode.ts'
import { reading, readTogether } from '../../lib/database.ts'
import { refuse } from '../../lib/errors.ts'

/** The actor's link, what an invitation earns now, and what theirs earned so far: one round trip. */
export async function referralTerms({ actor, db, env }: ActorCall): Promise<Answer<ReferralTerms>> {
  const granted = sql`FROM referral_bonuses WHERE referrer = u.id AND granted_at IS NOT NULL`
  const [[row]] = await readTogether(
    db,
    reading<{ code: string; bonusCents: number; granted: number; earnedCents: number }>(sql`
      SELECT u.referral_code AS code,
        coalesce((SELECT json_extract(value, '$') FROM settings WHERE key = 'referralBonus'),
          ${SETTINGS.referralBonus.default}) AS bonusCents,
        (SELECT count(*) ${granted}) AS granted, (SELECT coalesce(sum(amount), 0) ${granted}) AS earnedCents
      FROM users u WHERE u.id = ${actor.id}`),
  )
  if (row === undefined) return refuse('unauthorized')
  return ok({
    referralLink: referralLink(env, row.code),
    bonus: usdOf(row.bonusCents),
    most: MOST_REFERRAL_BONUSES,
    granted: row.granted,
    earned: usdOf(row.earnedCents),
  })
}
