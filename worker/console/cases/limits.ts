import { type SQL, sql } from 'drizzle-orm'
import type { AloneWithin, SecondOperatorReason } from '../../../src/contract/console/cases.ts'
import type { OperatorOverview } from '../../../src/contract/console/overview.ts'
import { SETTINGS } from '../../../src/contract/console/settingList.ts'
import { usdOf } from '../../../src/contract/money.ts'
import { type Read, reading } from '../../lib/database.ts'
import type { Queue } from './requests.ts'

/** What an operator decides alone for one investor is added up over so long. */
const ALONE_WINDOW_MS = 86_400_000
const HOUR_MS = 3_600_000

/** Above so many cents two operators are needed, in SQL: what the settings say, or else the default. */
const TWO_PERSON_LIMIT = sql`coalesce(
  (SELECT CAST(value AS INTEGER) FROM settings WHERE key = 'twoPersonLimit'),
  ${sql.raw(String(SETTINGS.twoPersonLimit.default))})`

/** What one operator decided alone within a day, and may: in cents. */
export interface AloneFacts {
  readonly limitCents: number
  /** For the request's investor. */
  readonly usedCents: number
  readonly dayLimitCents: number
  /** For all investors together. */
  readonly dayUsedCents: number
  /** 1 where the operator credited this investor, or approved the identity. A credit does not ask for it. */
  readonly credited: number
  readonly identified: number
}

/** What an operator may decide alone about a request, of credits or of payouts: one row, as the triggers count it. */
export function readAlone(queue: Queue, request: string, operator: string, nowMs: number): Read<AloneFacts> {
  const investor = sql`(SELECT investor FROM requests WHERE id = ${request})`
  const isDecided =
    queue === 'deposits' ? sql`status = 'approved' AND reference_key IS NOT NULL` : sql`status = 'completed'`
  const ceiling = queue === 'deposits' ? sql`credits_alone` : sql`payouts_alone`
  const isPayout = queue === 'withdrawals' ? sql`1` : sql`0`
  return reading(sql`
    SELECT ${TWO_PERSON_LIMIT} AS limitCents,
      (SELECT coalesce(sum(amount), 0) FROM request_events
       WHERE investor = ${investor} AND actor = ${operator} AND ${isDecided}
         AND at > ${nowMs - ALONE_WINDOW_MS} AND second_operator IS NULL) AS usedCents,
      (SELECT ${ceiling} FROM daily_ceilings) AS dayLimitCents,
      ${decidedInADay(queue, operator, nowMs)} AS dayUsedCents,
      ${isPayout} AND EXISTS (
        SELECT 1 FROM credited_by WHERE investor = ${investor} AND operator = ${operator}) AS credited,
      ${isPayout} AND EXISTS (
        SELECT 1 FROM kyc_submissions
        WHERE user_id = ${investor} AND +status = 'approved' AND decided_by = ${operator}) AS identified`)
}

/** Cents that an operator decided alone in the last 24 hours, or 'house': all of them together. At most 25 rows. */
function decidedInADay(queue: Queue, operator: string, nowMs: number): SQL {
  return sql`(
    SELECT coalesce(sum(amount), 0) FROM decision_totals
    WHERE queue = ${queue} AND operator = ${operator}
      AND hour >= min(${Math.floor(nowMs / HOUR_MS)}, CAST(unixepoch('subsec') AS INTEGER) / 3600) - 24)`
}

/** Whether so many cents more pass one operator's daily ceiling. */
export function isAboveOwnCeiling({ dayLimitCents, dayUsedCents }: AloneFacts, amountCents: number): boolean {
  return dayUsedCents + amountCents > dayLimitCents
}

/** What one operator decides alone, and why not so many cents more. `others` are reasons that the caller knows. */
export function aloneOf(
  facts: AloneFacts,
  amountCents: number,
  others: readonly SecondOperatorReason[] = [],
): AloneWithin {
  const { limitCents, usedCents, dayLimitCents, dayUsedCents, credited, identified } = facts
  const reasons = [...others]
  if (usedCents + amountCents > limitCents) reasons.push('limit')
  if (isAboveOwnCeiling(facts, amountCents)) reasons.push('daily_ceiling')
  if (credited !== 0) reasons.push('credited')
  if (identified !== 0) reasons.push('identified')
  return {
    limit: usdOf(limitCents),
    used: usdOf(usedCents),
    day: { limit: usdOf(dayLimitCents), used: usdOf(dayUsedCents) },
    needsTwo: reasons.length > 0,
    reasons,
  }
}

type CeilingName = keyof OperatorOverview['ceilings']

interface CeilingRow {
  readonly name: CeilingName
  readonly limitCents: number
  readonly usedCents: number
}

/** The four daily ceilings, and what an operator decided alone, and all of them together, in the last 24 hours. */
export function readCeilings(operator: string, nowMs: number): Read<CeilingRow> {
  const row = (name: CeilingName, limit: SQL, queue: Queue, who: string) =>
    sql`SELECT ${name} AS name, ${limit} AS limitCents, ${decidedInADay(queue, who, nowMs)} AS usedCents FROM daily_ceilings`
  return reading(
    sql.join(
      [
        row('creditsAlone', sql`credits_alone`, 'deposits', operator),
        row('payoutsAlone', sql`payouts_alone`, 'withdrawals', operator),
        row('credits', sql`credits`, 'deposits', 'house'),
        row('payouts', sql`payouts`, 'withdrawals', 'house'),
      ],
      sql` UNION ALL `,
    ),
  )
}

/** The daily ceilings in USD, from the rows of `readCeilings`. */
export function ceilingsOf(rows: readonly CeilingRow[]): OperatorOverview['ceilings'] {
  const ceilingOf = (wanted: CeilingName) => {
    const { limitCents = 0, usedCents = 0 } = rows.find(({ name }) => name === wanted) ?? {}
    return { limit: usdOf(limitCents), used: usdOf(usedCents) }
  }
  return {
    creditsAlone: ceilingOf('creditsAlone'),
    payoutsAlone: ceilingOf('payoutsAlone'),
    credits: ceilingOf('credits'),
    payouts: ceilingOf('payouts'),
  }
}
