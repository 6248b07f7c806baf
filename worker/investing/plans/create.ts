import { sql } from 'drizzle-orm'
import {
  type createPlan as endpoint,
  MAX_PLANS,
  type PlanSaved,
} from '../../../src/contract/investing/plans.ts'
import { type Answer, type CallOf, created } from '../../http/call.ts'
import { newId } from '../../lib/crypto/tokens.ts'
import { readTogether } from '../../lib/database.ts'
import { refuse, refuseField } from '../../lib/errors.ts'
import { plans } from '../../lib/tables/strategies.ts'
import { assertStrategyTakes } from '../allocations/allocate.ts'
import { readPositions } from '../allocations/positions.ts'
import { assertMayOrder } from '../trading/realMoney.ts'
import { buildSavedDestination, confirmDestination } from './confirm.ts'
import { buildPlanMail } from './mails.ts'
import { commitPlan, countPlans, describeRow, findNextDate, readAddresses, toPlan } from './plan.ts'

/**
 * Makes a plan. It files nothing yet: its orders and withdrawals are decided on their dates, by the same rules as its owner's. A plan
 * that withdraws takes the proof of a withdrawal, bound to this plan.
 */
export async function createPlan(call: CallOf<typeof endpoint>): Promise<Answer<PlanSaved>> {
  const { db, env, actor, nowMs, body } = call
  const { kind, amount, schedule } = body
  const strategy = kind === 'withdraw' ? null : (body.strategy ?? '')
  const redeemFrom = kind === 'withdraw' ? (body.redeemFrom ?? null) : null
  const [[own], [position], [saved]] = await readTogether(
    db,
    countPlans(actor.id),
    readPositions(actor.id, sql`s.slug = ${strategy ?? redeemFrom}`),
    readAddresses(actor.id, sql`id = ${body.address ?? ''}`),
  )
  if (strategy !== null) assertStrategyTakes(env, position, kind === 'invest' ? amount : null)
  if (redeemFrom !== null) {
    if (position === undefined) return refuseField('redeemFrom', 'There is no such strategy')
    assertMayOrder(env, position)
  }
  if ((own?.count ?? 0) >= MAX_PLANS)
    refuse('too_many_open', { msg: `You have ${MAX_PLANS} plans. Please end one first.` })
  const confirmed =
    strategy === null
      ? await confirmDestination(call, {
          ...{ plan: 'new', amount, schedule, redeemFrom },
          destination: await buildSavedDestination(saved),
        })
      : null
  const next = findNextDate(schedule, '', nowMs)
  const row = {
    ...{ id: newId(), investor: actor.id, kind, strategy, redeemFrom, amount, ...schedule },
    destination: confirmed?.stored ?? null,
    ...{ status: 'active' as const, reason: null, statusAt: nowMs },
    ...{ nextOn: next.on, nextAt: next.atMs },
    ...{ createdAt: nowMs, sessionId: actor.session.id, changedAt: nowMs },
  }
  return commitPlan(call, {
    statements: [...(confirmed?.statements ?? []), db.insert(plans).values(row)],
    audit: [{ action: 'plan.created', subject: row.id, detail: { kind, strategy, amountCents: amount } }],
    mails: [await buildPlanMail(call, row, 'made')],
    answer: created({
      msg: `Your recurring plan is made: ${describeRow(row)}. We announce each date a day before, and you can skip it until then.`,
      plan: toPlan(row, null),
    }),
  })
}
