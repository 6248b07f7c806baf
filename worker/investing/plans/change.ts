import { eq } from 'drizzle-orm'
import type {
  changePlan as changeEndpoint,
  PlanSaved,
  resumePlan as resumeEndpoint,
} from '../../../src/contract/investing/plans.ts'
import { type ActorCall, type Answer, type CallOf, ok } from '../../http/call.ts'
import { refuse, refuseField } from '../../lib/errors.ts'
import { plans } from '../../lib/tables/strategies.ts'
import type { Destination } from '../../money/withdrawals/destination.ts'
import type { ProofFields } from '../../money/withdrawals/facts.ts'
import { assertStrategyTakes } from '../allocations/allocate.ts'
import { buildSavedDestination, confirmDestination } from './confirm.ts'
import { buildPlanMail } from './mails.ts'
import {
  cancelAnnounced,
  commitPlan,
  describeReason,
  findNextDate,
  type loadChangeablePlan,
  type PlanRow,
  parseDestination,
  toPlan,
} from './plan.ts'

type ChangeablePlan = Awaited<ReturnType<typeof loadChangeablePlan>>

const ENDED = { msg: 'This plan has ended. You can make a new one.' }

/**
 * Changes a plan. An announced date moves at most what was announced; another address or schedule cancels it, because it announced
 * something else.
 */
export async function changePlan(
  call: CallOf<typeof changeEndpoint>,
  own: ChangeablePlan,
): Promise<Answer<PlanSaved>> {
  const { db, nowMs, body } = call
  const { plan, announced, lastOn, addresses } = own
  if (plan.status === 'ended') refuse('already_decided', ENDED)
  const schedule = body.schedule ?? undefined
  if (body.amount === undefined && body.address === undefined && schedule === undefined)
    refuseField('amount', 'Please change the amount, the address or the schedule')
  if (body.address !== undefined && plan.strategy !== null)
    refuseField('address', 'This plan invests, so it has no address')
  const changed = { ...plan, ...schedule, amount: body.amount ?? plan.amount }
  const next = schedule === undefined ? null : findNextDate(schedule, lastOn, nowMs)
  const replaced =
    body.address === undefined
      ? null
      : await buildSavedDestination(addresses.find(({ id }) => id === body.address))
  const confirmed = await confirmPlan(call, { ...own, plan: changed }, replaced)
  const row: PlanRow = {
    ...changed,
    ...(next !== null && { nextOn: next.on, nextAt: next.atMs }),
    destination: confirmed?.stored ?? null,
    ...{ sessionId: call.actor.session.id, changedAt: nowMs },
  }
  const isCancelled = schedule !== undefined || replaced !== null
  return commitPlan(call, {
    statements: [
      ...(confirmed?.statements ?? []),
      ...(isCancelled ? [cancelAnnounced(db, plan.id, 'changed', nowMs)] : []),
      db
        .update(plans)
        .set({
          ...{ amount: row.amount, destination: row.destination, ...schedule },
          ...(next !== null && { nextOn: next.on, nextAt: next.atMs }),
          ...{ sessionId: row.sessionId, changedAt: nowMs },
        })
        .where(eq(plans.id, plan.id)),
    ],
    audit: [
      { action: 'plan.changed', subject: plan.id, detail: { kind: plan.kind, amountCents: row.amount } },
    ],
    mails: [await buildPlanMail(call, row, 'changed')],
    answer: ok({
      msg: describeChange(announced !== null, isCancelled),
      plan: toPlan(row, isCancelled ? null : announced),
    }),
  })
}

function describeChange(isAnnounced: boolean, isCancelled: boolean): string {
  if (!isAnnounced) return 'Your plan is changed.'
  return isCancelled
    ? 'Your plan is changed. The announced date is cancelled.'
    : 'Your plan is changed. The announced date moves at most what we announced.'
}

/** Resumes a paused plan with its next date. A plan that withdraws is confirmed again. */
export async function resumePlan(
  call: CallOf<typeof resumeEndpoint>,
  own: ChangeablePlan,
): Promise<Answer<PlanSaved>> {
  const { db, nowMs } = call
  const { plan, lastOn } = own
  if (plan.status !== 'paused')
    refuse('already_decided', plan.status === 'ended' ? ENDED : { msg: 'This plan is not paused.' })
  const confirmed = await confirmPlan(call, own, null)
  const next = findNextDate(plan, lastOn, nowMs)
  const change = {
    ...{ status: 'active' as const, reason: null, statusAt: nowMs, nextOn: next.on, nextAt: next.atMs },
    destination: confirmed?.stored ?? null,
    ...{ sessionId: call.actor.session.id, changedAt: nowMs },
  }
  return commitPlan(call, {
    statements: [...(confirmed?.statements ?? []), db.update(plans).set(change).where(eq(plans.id, plan.id))],
    audit: [{ action: 'plan.resumed', subject: plan.id, detail: { kind: plan.kind } }],
    mails: [await buildPlanMail(call, { ...plan, ...change }, 'resumed')],
    answer: ok({ msg: 'Your plan is active again.', plan: toPlan({ ...plan, ...change }, null) }),
  })
}

/**
 * Refuses a strategy that takes no order now, or takes the proof for a withdrawal to an address that is still saved. Null for a plan
 * that invests.
 */
async function confirmPlan(
  call: ActorCall & { readonly body: ProofFields },
  { plan, position, addresses }: Pick<ChangeablePlan, 'plan' | 'position' | 'addresses'>,
  replaced: Destination | null,
) {
  const { id, kind, amount, strategy, redeemFrom } = plan
  if (strategy === null) {
    const { destination: stored } = parseDestination(plan.destination)
    const saved = addresses.find(({ destinationHash }) => destinationHash === stored.hash)
    const destination = replaced ?? (await buildSavedDestination(saved, describeReason('address_deleted')))
    return confirmDestination(call, { plan: id, amount, schedule: plan, redeemFrom, destination })
  }
  assertStrategyTakes(call.env, position, kind === 'invest' ? amount : null)
  return null
}
