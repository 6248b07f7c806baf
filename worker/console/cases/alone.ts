import { eq, type SQL, sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/sqlite-core'
import type { SecondOperatorReason, SoloAllowance } from '../../../src/contract/console/cases.ts'
import type { OperatorOverview } from '../../../src/contract/console/overview.ts'
import { SETTINGS } from '../../../src/contract/console/settingList.ts'
import { toUsd } from '../../../src/contract/money.ts'
import { DAY_MS } from '../../../src/time.ts'
import { type RowOf, selectRows } from '../../lib/database.ts'
import { users } from '../../lib/tables/people.ts'
import { requests } from '../../lib/tables/requests.ts'
import type { RequestQueue } from './requests.ts'

const HOUR_MS = 3_600_000

/** SQL of the amount in cents above which two operators are needed: the setting or its default. */
export const TWO_PERSON_LIMIT = sql`coalesce(
  (SELECT CAST(value AS INTEGER) FROM settings WHERE key = 'twoPersonLimit'),
  ${sql.raw(String(SETTINGS.twoPersonLimit.default))})`

/** What one operator decided alone within 24 hours and the limits, in cents. */
export type AloneFacts = RowOf<typeof readAlone>

/**
 * Which decisions of a queue count, and the column of its daily ceiling. The operator who pays must not have credited or
 * identified the investor.
 */
const DECIDED: Readonly<
  Record<RequestQueue, { readonly which: SQL; readonly ceiling: SQL; readonly isPayout: SQL }>
> = {
  deposits: {
    which: sql`status = 'approved' AND reference_key IS NOT NULL`,
    ceiling: sql`credits_alone`,
    isPayout: sql`0`,
  },
  withdrawals: { which: sql`status = 'completed'`, ceiling: sql`payouts_alone`, isPayout: sql`1` },
}

/** What an operator may decide alone about a request: one row, counted as the triggers count it. */
export function readAlone(queue: RequestQueue, request: string, operator: string, nowMs: number) {
  const [r, i] = [alias(requests, 'r'), alias(users, 'i')]
  const { which, ceiling, isPayout } = DECIDED[queue]
  const isCredit = queue === 'deposits'
  const sumUsedSql = (who: SQL) => sql`(
    SELECT coalesce(sum(amount), 0) FROM request_events
    WHERE investor = ${who} AND actor = ${operator} AND ${which} AND at > ${nowMs - DAY_MS} AND second_operator IS NULL)`
  const sumCreditedSql = (who: SQL) => sql`${sumUsedSql(who)} + (
    SELECT coalesce(sum(amount), 0) FROM bonuses_caused_alone
    WHERE referrer = ${who} AND operator = ${operator} AND due_at > ${nowMs - DAY_MS})`
  const takeIfReferredSql = (what: SQL) => (isCredit ? sql`iif(i.referred_by IS NULL, 0, ${what})` : sql`0`)
  // Not a column of this query, so that SQLite can look it up in each part of the view.
  const investor = sql`(SELECT investor FROM requests WHERE id = ${request})`
  return selectRows({
    limitCents: sql<number>`${TWO_PERSON_LIMIT}`,
    /** For the request's investor. */
    usedCents: sql<number>`${isCredit ? sumCreditedSql(sql`i.id`) : sumUsedSql(sql`i.id`)}`,
    /**
     * For a credit: the bonus that the referrer earns (0: none), the lowest amount of the credit that earns it, and the amount
     * already counted for the referrer. The bonus counts as credited too.
     */
    bonusCents: sql<number>`${takeIfReferredSql(EARNED_BONUS)}`,
    bonusFromCents: sql<number>`${takeIfReferredSql(sql`(SELECT minimum FROM referral_terms)`)}`,
    referrerUsedCents: sql<number>`${takeIfReferredSql(sumCreditedSql(sql`i.referred_by`))}`,
    dayLimitCents: sql<number>`(SELECT ${ceiling} FROM daily_ceilings)`,
    /** For all investors together. */
    dayUsedCents: sumDecidedInADay(queue, operator, nowMs),
    /** 1 if the operator credited the investor, or approved their identity. Always 0 for a credit. */
    credited: sql<0 | 1>`${isPayout} AND ${hasCredited(operator, investor)}`,
    identified: sql<0 | 1>`${isPayout} AND ${hasIdentified(operator, sql`i.id`)}`,
  })
    .from(r)
    .innerJoin(i, eq(i.id, r.investor))
    .where(eq(r.id, request))
}

/** SQL of whether an operator credited a deposit of an investor. */
export function hasCredited(operator: string, investor: SQL): SQL {
  return sql`EXISTS (SELECT 1 FROM credited_by WHERE investor = ${investor} AND operator = ${operator})`
}

/** SQL of whether an operator approved the identity of an investor. */
export function hasIdentified(operator: string, investor: SQL): SQL {
  return sql`EXISTS (
    SELECT 1 FROM kyc_submissions WHERE user_id = ${investor} AND +status = 'approved' AND decided_by = ${operator})`
}

/** SQL of the referral bonus that the first credited deposit of an investor `i` earns; 0 if there is none. */
const EARNED_BONUS = sql`iif(
  EXISTS (SELECT 1 FROM transfers WHERE from_account = i.id || ':paid_in'),
  0, coalesce((SELECT CAST(json_extract(value, '$') AS INTEGER) FROM settings WHERE key = 'referralBonus'), 0))`

/** Cents that one operator decided alone in the last 24 hours; for 'house', all operators together. Reads at most 25 rows. */
function sumDecidedInADay(queue: RequestQueue, operator: string | SQL, nowMs: number) {
  return sql<number>`(
    SELECT coalesce(sum(amount), 0) FROM decision_totals
    WHERE queue = ${queue} AND operator = ${operator}
      AND hour >= min(${Math.floor(nowMs / HOUR_MS)}, CAST(unixepoch('subsec') AS INTEGER) / 3600) - 24)`
}

/** Whether this amount, with the referral bonus that it earns, would pass the operator's daily ceiling. */
function isAboveOwnCeiling(facts: AloneFacts, amountCents: number): boolean {
  return facts.dayUsedCents + amountCents + countDueBonus(facts, amountCents) > facts.dayLimitCents
}

/** Whether this amount, or the referral bonus that it earns, would pass the limit for one operator and one investor. */
function isAboveLimit(facts: AloneFacts, amountCents: number): boolean {
  const bonusCents = countDueBonus(facts, amountCents)
  return (
    facts.usedCents + amountCents > facts.limitCents ||
    (bonusCents > 0 && facts.referrerUsedCents + bonusCents > facts.limitCents)
  )
}

function countDueBonus({ bonusCents, bonusFromCents }: AloneFacts, amountCents: number): number {
  return amountCents >= bonusFromCents ? bonusCents : 0
}

/**
 * The limits of one operator, and the reasons why this amount needs a second one. `others` are further reasons, from the
 * caller.
 */
export function deriveSoloAllowance(
  facts: AloneFacts,
  amountCents: number,
  others: readonly SecondOperatorReason[] = [],
): SoloAllowance {
  const { limitCents, usedCents, dayLimitCents, dayUsedCents, credited, identified } = facts
  const reasons = [...others]
  if (isAboveLimit(facts, amountCents)) reasons.push('limit')
  if (isAboveOwnCeiling(facts, amountCents)) reasons.push('daily_ceiling')
  if (credited !== 0) reasons.push('credited')
  if (identified !== 0) reasons.push('identified')
  return {
    limit: toUsd(limitCents),
    used: toUsd(usedCents),
    day: { limit: toUsd(dayLimitCents), used: toUsd(dayUsedCents) },
    needsTwo: reasons.length > 0,
    reasons,
  }
}

type CeilingName = keyof OperatorOverview['ceilings']

/** The four daily ceilings: column, queue, and whether the decisions of all operators count together. */
const CEILINGS: Readonly<
  Record<CeilingName, { readonly column: SQL; readonly queue: RequestQueue; readonly isForAll: boolean }>
> = {
  creditsAlone: { column: sql`credits_alone`, queue: 'deposits', isForAll: false },
  payoutsAlone: { column: sql`payouts_alone`, queue: 'withdrawals', isForAll: false },
  credits: { column: sql`credits`, queue: 'deposits', isForAll: true },
  payouts: { column: sql`payouts`, queue: 'withdrawals', isForAll: true },
}

/** The daily ceilings with the amounts decided in the last 24 hours. */
export function readCeilings(operator: SQL, nowMs: number) {
  const rows = Object.entries(CEILINGS).map(
    ([name, { column, queue, isForAll }]) => sql`
      SELECT ${name} AS name, ${column} AS limitCents,
        ${sumDecidedInADay(queue, isForAll ? 'house' : operator, nowMs)} AS usedCents FROM daily_ceilings`,
  )
  return selectRows({
    name: sql<CeilingName>`name`,
    limitCents: sql<number>`limitCents`,
    usedCents: sql<number>`usedCents`,
  }).from(sql`(${sql.join(rows, sql` UNION ALL `)})`)
}

/** The rows of `readCeilings` in USD. */
export function toCeilings(rows: readonly RowOf<typeof readCeilings>[]): OperatorOverview['ceilings'] {
  const inUsd = rows.map(({ name, limitCents, usedCents }) => [
    name,
    { limit: toUsd(limitCents), used: toUsd(usedCents) },
  ])
  return Object.fromEntries(inUsd) as OperatorOverview['ceilings']
}
