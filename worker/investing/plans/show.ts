import { desc, getTableColumns, sql } from 'drizzle-orm'
import type { listPlans as endpoint, Plan, PlanDetail } from '../../../src/contract/investing/plans.ts'
import { type ActorCall, type Answer, type CallOf, ok } from '../../http/call.ts'
import { openCursor, takePage } from '../../http/paging.ts'
import { readTogether, selectRows } from '../../lib/database.ts'
import { plans } from '../../lib/tables/strategies.ts'
import { type OwnPlan, readRuns, toPlan, toPlanRun } from './plan.ts'

/** The actor's plans, newest first. */
export async function listPlans(call: CallOf<typeof endpoint>): Promise<Answer<Plan[]>> {
  const { limit, cursor } = call.query
  const after = openCursor(cursor)
  const [rows, announced] = await readTogether(
    call.db,
    selectRows(getTableColumns(plans))
      .from(plans)
      .where(sql`investor = ${call.actor.id} AND ${after === null ? sql`1` : sql`seq < ${after.seq}`}`)
      .orderBy(desc(plans.seq))
      .limit(limit + 1),
    // At most one of each plan, of 20 plans that are not ended.
    readRuns(
      sql`r.status = 'announced' AND r.plan IN (
        SELECT id FROM plans WHERE investor = ${call.actor.id} AND status = 'active')`,
      20,
    ),
  )
  const page = takePage(call, rows, limit, ({ seq }) => ({ at: 0, seq }))
  return ok(
    page.rows.map((row) => toPlan(row, announced.find(({ plan }) => plan === row.id) ?? null)),
    page.headers,
  )
}

/** One plan, with its latest dates. */
export async function showPlan(
  _call: ActorCall,
  { plan, runs, announced }: OwnPlan,
): Promise<Answer<PlanDetail>> {
  return ok({ ...toPlan(plan, announced), runs: runs.map(toPlanRun) })
}
