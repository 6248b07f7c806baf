import * as z from 'zod/mini'
import { isoTime, pageQuery } from '../common.ts'
import { endpoint } from '../endpoint.ts'

/** How many people one investor can be paid for. The database holds to it, too. */
export const MOST_REFERRAL_BONUSES = 10

/** What inviting earns today, and what it earned so far. Amounts in USD. */
export const referralTerms = z.object({
  referralLink: z.string(),
  /** For each person who came, was identified and had a first deposit credited; 0 while there is none. */
  bonus: z.number(),
  most: z.number(),
  granted: z.number(),
  earned: z.number(),
})
export type ReferralTerms = z.output<typeof referralTerms>

/** Somebody who came with one's link: their initials and the day, and whether a bonus was granted for them. */
export const referral = z.object({
  _id: z.string(),
  initials: z.string(),
  joinedAt: isoTime,
  bonus: z.nullable(z.number()),
})
export type Referral = z.output<typeof referral>

export const getReferralTerms = endpoint('GET', '/users/referral-terms', 'signed-in', {
  summary: 'One’s referral link, what an invitation earns today, and what one’s own earned so far',
  answer: referralTerms,
})

export const listReferrals = endpoint('GET', '/users/referrals', 'signed-in', {
  summary: 'Who came with one’s referral link and verified their address, newest first, by their initials',
  query: pageQuery,
  answer: z.array(referral),
})
