import { sql } from 'drizzle-orm'
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

/** The actor's referral link, the current bonus, and the actor's earnings so far, in one round trip. */
export async function getReferralTerms({ actor, db, env }: ActorCall): Promise<Answer<ReferralTerms>> {
  const granted = sql`FROM referral_bonuses WHERE referrer = u.id AND granted_at IS NOT NULL AND reversed_at IS NULL`
  const [row] = await db.all<{
    code: string
    bonusCents: number
    granted: number
    earnedCents: number
    minimum: number
    days: number
  }>(sql`
      SELECT u.referral_code AS code,
        coalesce((SELECT json_extract(value, '$') FROM settings WHERE key = 'referralBonus'),
          ${SETTINGS.referralBonus.default}) AS bonusCents,
        (SELECT count(*) ${granted}) AS granted, (SELECT coalesce(sum(amount), 0) ${granted}) AS earnedCents, t.minimum, t.days
      FROM users u JOIN referral_terms t WHERE u.id = ${actor.id}`)
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

interface Row {
  readonly seq: number
  readonly id: string
  readonly displayName: string
  readonly createdAt: number
  readonly amount: number | null
}

/**
 * People who joined with the actor's link and verified their address, newest first. Shows only initials, date and bonus.
 */
export async function listReferrals(call: CallOf<typeof endpoint>): Promise<Answer<Referral[]>> {
  const { limit, cursor } = call.query
  const after = openCursor(cursor)
  const rows = await call.db.all<Row>(sql`
      SELECT u.seq, u.id, u.display_name AS displayName, u.created_at AS createdAt, b.amount
      FROM users u LEFT JOIN referral_bonuses b ON b.invitee = u.id AND b.granted_at IS NOT NULL AND b.reversed_at IS NULL
      WHERE u.referred_by = ${call.actor.id} AND u.email_verified_at IS NOT NULL
        AND ${after === null ? sql`1` : sql`u.seq < ${after.seq}`}
      ORDER BY u.seq DESC LIMIT ${limit + 1}`)
  const page = takePage(call, rows, limit, ({ seq }) => ({ at: 0, seq }))
  return ok(await Promise.all(page.rows.map(toReferral)), page.headers)
}

async function toReferral({ id, displayName, createdAt, amount }: Row): Promise<Referral> {
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
