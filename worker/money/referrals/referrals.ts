import { and, desc, eq, isNotNull, isNull, lt, sql } from 'drizzle-orm'
import { SETTINGS } from '../../../src/contract/console/settingList.ts'
import {
  type listReferrals as endpoint,
  MOST_REFERRAL_BONUSES,
  type Referral,
  type ReferralTerms,
} from '../../../src/contract/money/referrals.ts'
import { toUsd } from '../../../src/contract/money.ts'
import { type ActorCall, type Answer, type CallOf, ok } from '../../http/call.ts'
import { openCursor, takePage, toIso } from '../../http/paging.ts'
import { buildReferralLink } from '../../identity/signIn/register.ts'
import { sha256Hex } from '../../lib/crypto/tokens.ts'
import { refuse } from '../../lib/errors.ts'
import { referralBonuses, users } from '../../lib/tables/people.ts'

/** The actor's referral link, the current bonus, and the actor's earnings so far, in one round trip. */
export async function getReferralTerms({ actor, db, env }: ActorCall): Promise<Answer<ReferralTerms>> {
  const granted = sql`FROM referral_bonuses WHERE referrer = users.id AND granted_at IS NOT NULL AND reversed_at IS NULL`
  const setting = sql`SELECT json_extract(value, '$') FROM settings WHERE key = 'referralBonus'`
  const [row] = await db
    .select({
      code: users.referralCode,
      bonusCents: sql<number>`coalesce((${setting}), ${SETTINGS.referralBonus.default})`,
      granted: sql<number>`(SELECT count(*) ${granted})`,
      earnedCents: sql<number>`(SELECT coalesce(sum(amount), 0) ${granted})`,
      minimum: sql<number>`t.minimum`,
      days: sql<number>`t.days`,
    })
    .from(users)
    .innerJoin(sql`referral_terms t`, sql`true`)
    .where(eq(users.id, actor.id))
  if (row === undefined) return refuse('unauthorized')
  return ok({
    referralLink: buildReferralLink(env, row.code),
    bonus: toUsd(row.bonusCents),
    minimumDeposit: toUsd(row.minimum),
    maturityDays: row.days,
    most: MOST_REFERRAL_BONUSES,
    granted: row.granted,
    earned: toUsd(row.earnedCents),
  })
}

/**
 * People who joined with the actor's link and verified their address, newest first. Shows only initials, date and bonus.
 */
export async function listReferrals(call: CallOf<typeof endpoint>): Promise<Answer<Referral[]>> {
  const { limit, cursor } = call.query
  const after = openCursor(cursor)
  const { seq, id, displayName, createdAt, referredBy, emailVerifiedAt } = users
  const { invitee, amount, grantedAt, reversedAt } = referralBonuses
  const rows = await call.db
    .select({ seq, id, displayName, createdAt, amount })
    .from(users)
    .leftJoin(referralBonuses, and(eq(invitee, id), isNotNull(grantedAt), isNull(reversedAt)))
    .where(
      and(
        eq(referredBy, call.actor.id),
        isNotNull(emailVerifiedAt),
        after === null ? undefined : lt(seq, after.seq),
      ),
    )
    .orderBy(desc(seq))
    .limit(limit + 1)
  const page = takePage(call, rows, limit, ({ seq }) => ({ at: 0, seq }))
  return ok(await Promise.all(page.rows.map(toReferral)), page.headers)
}

async function toReferral({
  id,
  displayName,
  createdAt,
  amount,
}: Pick<typeof users.$inferSelect, 'id' | 'displayName' | 'createdAt'> & {
  readonly amount: number | null
}): Promise<Referral> {
  return {
    // Identifies the row without the account's id.
    _id: (await sha256Hex(`referral:${id}`)).slice(0, 24),
    initials: formatInitials(displayName),
    joinedAt: toIso(createdAt),
    bonus: amount === null ? null : toUsd(amount),
  }
}

/** The initials of the first and the last word of a name: `A. N.` for Ana María Núñez. */
export function formatInitials(name: string): string {
  const words = name.split(/\s+/).filter((word) => /\p{L}/u.test(word))
  const ends = words.length > 1 ? [words[0], words.at(-1)] : words
  const letters = ends.map((word) => /\p{L}/u.exec(word ?? '')?.[0].toLocaleUpperCase('en-US'))
  return letters.length === 0 ? '–' : letters.map((letter) => `${letter}.`).join(' ')
}
