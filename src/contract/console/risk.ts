import * as z from 'zod/mini'
import { filter, isoTime } from '../common.ts'
import { optionalLines } from '../fields.ts'

export interface RiskRuleFacts {
  /** A sentence or a name that stands alone. The facts of a finding follow it: a time, an amount, a count or a link. */
  readonly title: string
  /** The word before the first fact, where the title does not tell what that fact is. */
  readonly factLabel?: string
  /** The points of a finding until two administrators set others. */
  readonly weight: number
}

/**
 * Every sign of risk in a case. `worker/console/risk/rules.ts` says when each is found. The settings "Risk" have the weights: a new rule
 * is one entry here, one there, and the fact that it needs in `facts.ts`.
 */
export const RISK_RULES = {
  account_locked: { title: 'The owner has locked the account', weight: 100 },
  account_frozen: { title: 'The account is frozen', weight: 100 },
  silently_frozen: {
    title: 'A silent freeze stands on the account. The investor must not learn of it',
    weight: 100,
  },
  screening: { title: 'Possible hit on the sanctions list', weight: 100 },
  listed_country: { title: 'A country on the list of countries', weight: 60 },
  debt: { title: 'The investor owes money after a reversed credit', weight: 70 },
  shared_destination: { title: 'Another person uses the same destination', weight: 60 },
  withdrawal_after_report: { title: 'A withdrawal was requested after the report', weight: 60 },
  lost_factor_open: { title: 'A report of a lost second factor is open', weight: 60 },
  receipt_credited: { title: 'The same receipt was credited before', weight: 100 },
  same_receipt: { title: 'The same receipt was sent before', weight: 50 },
  same_document: { title: 'Another person sent the same picture of a document', weight: 60 },
  account_recovered: { title: 'The password was reset by mail', weight: 45 },
  signed_in_after_report: { title: 'Somebody signed in after the report', weight: 40 },
  identity_not_approved: { title: 'The identity is not approved', weight: 40 },
  holder_differs: { title: 'The account holder has another name than the investor', weight: 40 },
  reference_used: { title: 'The transaction was named before', weight: 40 },
  lost_factor_lately: { title: 'A lost second factor was reported', weight: 35 },
  invitee_of_own: { title: 'You approved the identity of the person who invited this investor', weight: 35 },
  referral_shared: { title: 'Shares something with people of the same referrer', weight: 20 },
  under_limit: { title: 'Several amounts just under a limit within a week', weight: 30 },
  second_factor_changed: { title: 'The second factor was changed', weight: 30 },
  same_device: { title: 'Another person uses the same browser', weight: 30 },
  in_and_out: { title: 'Money was credited shortly before', weight: 25 },
  email_changed: { title: 'The e-mail address was changed', weight: 25 },
  password_changed: { title: 'The password was changed', weight: 20 },
  name_changed: { title: 'The name was changed', weight: 20 },
  new_device: { title: 'The request came from a new browser', factLabel: 'first used', weight: 20 },
  unusual_amount: { title: 'More than three times the largest recent payout', weight: 20 },
  several_in_a_day: { title: 'Several withdrawals within a day', weight: 20 },
  frozen_before: { title: 'The account was frozen before', factLabel: 'last', weight: 15 },
  bonus_included: { title: 'Part of a bonus leaves with it', weight: 15 },
  new_destination: { title: 'The destination is new', weight: 10 },
  new_account: { title: 'The account is new', weight: 10 },
  whole_balance: {
    title: 'The withdrawal takes nearly all of the balance',
    factLabel: 'remaining',
    weight: 10,
  },
  address_changed: { title: 'A destination was saved in the address book', weight: 5 },
  on_hold: { title: 'The withdrawal is delayed', factLabel: 'until', weight: 5 },
  identity_new: { title: 'The identity was approved lately', weight: 5 },
  first_withdrawal: { title: 'The first withdrawal of the account', weight: 5 },
  first_deposit: { title: 'The first deposit of the account', weight: 5 },
} as const satisfies Readonly<Record<string, RiskRuleFacts>>

export type RiskRule = keyof typeof RISK_RULES

/** The sum of points from which a case is of a level, until two administrators set another. */
export const RISK_FROM = { mediumFrom: 30, highFrom: 60 } as const

// The keys of a literal object, which is not empty.
export const RISK_RULE_NAMES = Object.keys(RISK_RULES) as [RiskRule, ...RiskRule[]]

export const RISK_REASON_MISSING = 'Please say why you go on despite the high risk'

/** Characters of a reason that can name a check. */
export const SHORTEST_EXPLANATION = 20

/**
 * In a decision that credits, approves or pays: why, which is required while the risk of the case is high. At least 20 characters. Only
 * operators read it.
 */
export const riskReasonField = optionalLines(500).check(
  z.refine(
    (reason: string | undefined) => reason === undefined || reason.length >= SHORTEST_EXPLANATION,
    `Please say what you checked, in at least ${SHORTEST_EXPLANATION} characters`,
  ),
)

export const RISK_LEVELS = ['high', 'medium', 'low'] as const
export type RiskLevel = (typeof RISK_LEVELS)[number]

/** The cases and people that a sign refers to. */
export const RISK_LINKS = [
  'investor',
  'deposit',
  'withdrawal',
  'kyc',
  'recovery',
  'payment',
  'sanctions',
] as const
export type RiskLinkKind = (typeof RISK_LINKS)[number]

/** A person or case. */
const riskLink = z.object({ kind: z.enum(RISK_LINKS), id: z.string(), text: z.string() })

const riskSignal = z.object({
  rule: z.enum(RISK_RULE_NAMES),
  /** Its points. */
  weight: z.number(),
  /** When it occurred; for a hold, its end. */
  since: z.optional(isoTime),
  /** In USD. */
  amount: z.optional(z.number()),
  count: z.optional(z.number()),
  /** Why, as an operator wrote it. */
  note: z.optional(z.string()),
  /** What it refers to. */
  link: z.nullable(riskLink),
  /** Further ones. */
  moreLinks: z.optional(z.array(riskLink)),
})
export type RiskSignal = z.output<typeof riskSignal>

/** The risk of a case: its signs by weight, their sum, and the level of that sum. */
export const risk = z.object({
  score: z.number(),
  level: z.enum(RISK_LEVELS),
  signals: z.array(riskSignal),
})
export type Risk = z.output<typeof risk>

/** In a case, and in a queue's row while the case is open. */
export const riskField = z.optional(risk)

/** How many open cases a queue judges, from the oldest, for `risk` and `order=risk`. */
export const MOST_JUDGED = 200

/** In a queue's query: open cases of at least this level, and the order that begins with the highest risk. Both look at the oldest `MOST_JUDGED`. */
export const riskQuery = {
  risk: filter('risk', ['high', 'medium'], 'risk is high or medium'),
  order: filter('order', ['newest', 'oldest', 'risk'], 'order is newest, oldest or risk'),
}
