import { desc, sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/sqlite-core'
import { type Database, readTogether, selectRows } from '../../lib/database.ts'
import { formatIsoDay } from '../../lib/days.ts'
import { positions, unitMovements } from '../../lib/tables/ledger.ts'
import { valuations } from '../../lib/tables/strategies.ts'
import { getEffectiveSetting } from '../../platform/settings/values.ts'
import type { FeeTerms, MonthRefs } from './settlement.ts'

/** The fee terms of a day, and the investors whose fees are due at this step. Fees are due at the first step of each month. */
export interface StepFees {
  readonly terms: FeeTerms
  readonly due: ReadonlyMap<string, MonthRefs>
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
  const isOpen = sql`strategy = ${strategy} AND day = ${day} AND kind = 'open'`
  const p = alias(positions, 'p')
  const [[opened], [settled], holders] = await readTogether(
    db,
    selectRows({ fees: valuations.fees }).from(valuations).where(isOpen),
    selectRows({ day: unitMovements.day })
      .from(unitMovements)
      .where(sql`strategy = ${strategy} AND code <> 'fee'`)
      .orderBy(desc(unitMovements.seq))
      .limit(1),
    selectRows({
      investor: p.investor,
      isPerformanceTaken: sql<0 | 1>`EXISTS (SELECT 1 FROM unit_movements WHERE ref = ${performance})`,
      // How many parts of the subscription fee were taken already, and their sum in cents.
      parts: sql<number>`(SELECT count(*) ${parts})`,
      taken: sql<number>`(SELECT coalesce(sum(cents), 0) ${parts})`,
    })
      .from(p)
      .where(sql`p.strategy = ${strategy} AND p.units > 0
        AND (SELECT fees FROM valuations WHERE ${isOpen}) IS NOT NULL
        AND NOT EXISTS (
          SELECT 1 FROM pool_steps
          WHERE strategy = ${strategy} AND day >= ${Date.parse(`${month}-01`)} AND day < ${day})`)
      .orderBy(p.investor),
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
