import { eq } from 'drizzle-orm'
import type { Message } from '../../../src/contract/common.ts'
import { mailDateText } from '../../../src/contract/dates.ts'
import type { skipPlan as skipEndpoint } from '../../../src/contract/investing/plans.ts'
import { type ActorCall, type Answer, type CallOf, ok } from '../../http/call.ts'
import { refuse } from '../../lib/errors.ts'
import { planRuns, plans } from '../../lib/tables/strategies.ts'
import { cancelAnnounced, commitPlan, findDateAfter, type OwnPlan } from './plan.ts'

// None of these needs a proof: they only keep a plan from moving money. A trigger cancels the announced date of a plan that stops.

export async function pausePlan(call: ActorCall, { plan }: OwnPlan): Promise<Answer<Message>> {
  const { db, nowMs } = call
  if (plan.status !== 'active') refuse('already_decided', { msg: 'This plan is not active.' })
  return commitPlan(call, {
    statements: [
      db.update(plans).set({ status: 'paused', reason: null, statusAt: nowMs }).where(eq(plans.id, plan.id)),
    ],
    audit: [{ action: 'plan.paused', subject: plan.id, detail: { kind: plan.kind } }],
    answer: ok({ msg: 'Your plan is paused. It does nothing until you resume it.' }),
  })
}

export async function endPlan(call: ActorCall, { plan }: OwnPlan): Promise<Answer<Message>> {
  const { db, nowMs } = call
  if (plan.status === 'ended') refuse('already_decided', { msg: 'This plan has already ended.' })
  return commitPlan(call, {
    statements: [
      db
        .update(plans)
        .set({ status: 'ended', reason: null, statusAt: nowMs, destination: null })
        .where(eq(plans.id, plan.id)),
    ],
    audit: [{ action: 'plan.ended', subject: plan.id, detail: { kind: plan.kind } }],
    answer: ok({ msg: 'Your plan has ended. What it already filed goes on.' }),
  })
}

/** Skips one date: the announced one, or the next before it is announced. A repeated call skips no other date. */
export async function skipPlan(
  call: CallOf<typeof skipEndpoint>,
  { plan, announced }: OwnPlan,
): Promise<Answer<Message>> {
  const { db, nowMs, body } = call
  const isAnnounced = announced?.dueOn === body.on
  if (!isAnnounced && (plan.status !== 'active' || plan.nextOn !== body.on))
    refuse('already_decided', { msg: 'This date is over, was already skipped, or is not the next one.' })
  const next = findDateAfter(plan)
  return commitPlan(call, {
    statements: isAnnounced
      ? [cancelAnnounced(db, plan.id, null, nowMs)]
      : [
          db.insert(planRuns).values({
            ...{ plan: plan.id, dueOn: plan.nextOn, dueAt: plan.nextAt },
            ...{ status: 'skipped', decidedAt: nowMs },
          }),
          db.update(plans).set({ nextOn: next.on, nextAt: next.atMs }).where(eq(plans.id, plan.id)),
        ],
    audit: [{ action: 'plan.skipped', subject: plan.id, detail: { on: body.on } }],
    answer: ok({ msg: `We skip ${mailDateText(Date.parse(body.on), 'date')}. The plan goes on after it.` }),
  })
}
