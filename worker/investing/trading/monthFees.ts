import { sql } from 'drizzle-orm'
import { buildQuery, type Database, readTogether } from '../../lib/database.ts'
import { formatIsoDay } from '../../lib/days.ts'
import { getEffectiveSetting } from '../../platform/settings/values.ts'
import type { FeeTerms, MonthRefs } from './settlement.ts'

/** The fee terms of a day, and the investors whose fees are due at this step. Fees are due at the first step of each month. */
export interface StepFees {
  readonly terms: FeeTerms
  readonly due: ReadonlyMap<string, MonthRefs>
}

interface Holder {
  readonly investor: string
  readonly isPerformanceTaken: 0 | 1
  /** How many parts of the subscription fee were taken already, and their sum in cents. */
  readonly parts: number
  readonly taken: number
}

/**
 * The terms are those of the day's open, so an interrupted run charges the same as any other. No fees are due if the terms charge
 * none, or if orders of the day were settled: fees come before orders, and an investor who joins owes none yet. Leaves out fees
 * that a run that died or another strategy's step has taken.
 */
export async function readFees(db: Database, strategy: string, day: number): Promise<StepFees> {
  const month = formatIsoDay(day).slice(0, 7)
  const performance = sql`${`${strategy}:`} || p.investor || ${`:${month}:performance`}`
  const subscription = sql`p.investor || ${`:${month}:subscription`}`
  // Parts end in `:1` and so on. `;` is the character after `:`.
  const parts = sql`FROM unit_movements WHERE ref >= ${subscription} AND ref < ${subscription} || ';'`
  const open = sql`FROM valuations WHERE strategy = ${strategy} AND day = ${day} AND kind = 'open'`
  const [[opened], [settled], holders] = await readTogether(
    db,
    buildQuery<{ fees: string | null }>(sql`SELECT fees ${open}`),
    buildQuery<{ day: number }>(sql`
      SELECT day FROM unit_movements WHERE strategy = ${strategy} AND code <> 'fee' ORDER BY seq DESC LIMIT 1`),
    buildQuery<Holder>(sql`
      SELECT p.investor, EXISTS (SELECT 1 FROM unit_movements WHERE ref = ${performance}) AS isPerformanceTaken,
             (SELECT count(*) ${parts}) AS parts, (SELECT coalesce(sum(cents), 0) ${parts}) AS taken
      FROM positions p
      WHERE p.strategy = ${strategy} AND p.units > 0
        AND (SELECT fees ${open}) IS NOT NULL
        AND NOT EXISTS (
          SELECT 1 FROM pool_steps
          WHERE strategy = ${strategy} AND day >= ${Date.parse(`${month}-01`)} AND day < ${day})
      ORDER BY p.investor`),
  )
  const terms = parseFeeTerms(opened?.fees ? { fees: JSON.parse(opened.fees) } : {})
  const isCharged = terms.performanceBasisPoints > 0 || terms.subscriptionCents > 0
  if (!isCharged || settled?.day === day) return { terms, due: new Map() }
  return {
    terms,
    due: new Map(
      holders.map(({ investor, isPerformanceTaken, parts, taken }) => [
        investor,
        {
          performance: isPerformanceTaken === 1 ? null : `${strategy}:${investor}:${month}:performance`,
          subscription: planSubscription(`${investor}:${month}:subscription`, terms, parts, taken),
        },
      ]),
    ),
  }
}

/**
 * A position smaller than the subscription fee pays a part, and the next strategy's step takes the rest. Parts are numbered, so
 * only one of two parallel steps takes each.
 */
function planSubscription(
  ref: string,
  { subscriptionCents }: FeeTerms,
  parts: number,
  taken: number,
): MonthRefs['subscription'] {
  const cents = subscriptionCents - taken
  return cents > 0 ? { ref: parts === 0 ? ref : `${ref}:${parts}`, cents } : null
}

function parseFeeTerms(stored: object): FeeTerms {
  return {
    performanceBasisPoints: Number(getEffectiveSetting(stored, 'fees.performanceBasisPoints')),
    subscriptionCents: Number(getEffectiveSetting(stored, 'fees.subscriptionMonthly')),
  }
}
