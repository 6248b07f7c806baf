import * as z from 'zod/mini'
import { isoTime, pageQuery } from '../common.ts'
import { endpoint } from '../endpoint.ts'

/** The most referral bonuses of one investor. The database enforces it too. */
export const MOST_REFERRAL_BONUSES = 10

/** The current terms of an invitation, and the earnings so far. Amounts in USD. */
export const referralTerms = z.object({
  referralLink: z.string(),
  /** For each invited person who was identified and left a first deposit with us; 0 if there is none. */
  bonus: z.number(),
  /** The smallest first deposit that earns it, and how many days later it is paid. */
  minimumDeposit: z.number(),
  maturityDays: z.number(),
  most: z.number(),
  granted: z.number(),
  earned: z.number(),
})
export type ReferralTerms = z.output<typeof referralTerms>

/** An invited person: initials, the date they joined, and the bonus granted for them. */
export const referral = z.object({
  _id: z.string(),
  initials: z.string(),
  joinedAt: isoTime,
  bonus: z.nullable(z.number()),
})
export type Referral = z.output<typeof referral>

export const getReferralTerms = endpoint('GET', '/users/referral-terms', 'signed-in', {
  summary: 'Your own referral link, what an invitation earns now, and what you earned so far',
  answer: referralTerms,
})

export const listReferrals = endpoint('GET', '/users/referrals', 'signed-in', {
  summary:
    'The people who joined with your referral link and verified their address, newest first, by their initials',
  query: pageQuery,
  answer: z.array(referral),
})
