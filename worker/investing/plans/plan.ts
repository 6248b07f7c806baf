import { desc, eq, getTableColumns, type SQL, sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/sqlite-core'
import { REFUSALS } from '../../../src/contract/errors.ts'
import { type DueDate, listDueDates, listNextDates } from '../../../src/contract/investing/planDates.ts'
import { describePlan, type Plan, type PlanRun } from '../../../src/contract/investing/plans.ts'
import { toUsd } from '../../../src/contract/money.ts'
import type { ActorCall, Answer, Effect } from '../../http/call.ts'
import { toIso, toIsoOrNull } from '../../http/paging.ts'
import { type Database, parseStored, type RowOf, readTogether, selectRows } from '../../lib/database.ts'
import { getLogMessage, refuse } from '../../lib/errors.ts'
import { getStrategyName } from '../../lib/strategyName.ts'
import { requests, savedAddresses } from '../../lib/tables/requests.ts'
import { planRuns, plans, unitOrders } from '../../lib/tables/strategies.ts'
import { describeOnward, storedOnward } from '../allocations/onwardWithdrawals.ts'
import { readPositions } from '../allocations/positions.ts'

export type PlanRow = typeof plans.$inferSelect
export type RunRow = RowOf<typeof readRuns>

const [r, o, w] = [alias(planRuns, 'r'), alias(unitOrders, 'o'), alias(requests, 'w')]

/** Reads dates `r` of plans under a condition, newest first. */
export function readRuns(where: SQL, limit: number) {
  return selectRows({
    ...{ plan: r.plan, dueOn: r.dueOn, dueAt: r.dueAt, status: r.status, amount: r.amount },
    ...{ announcedAt: r.announcedAt, decidedAt: r.decidedAt, reason: r.reason },
    ref: sql<string | null>`coalesce(${w.ref}, ${o.ref})`,
    cents: sql<number | null>`coalesce(${w.asked}, CASE ${o.kind} WHEN 'allocate' THEN ${o.cents} END)`,
    redemption: sql<PlanRun['redemption']>`CASE WHEN ${o.kind} = 'redeem' AND ${w.id} IS NULL THEN
      CASE WHEN ${o.status} = 'cancelled' THEN 'cancelled' WHEN ${o.onward} IS NULL THEN 'stayed' ELSE 'pending' END END`,
  })
    .from(r)
    .leftJoin(o, eq(o.id, r.unitOrder))
    .leftJoin(w, sql`w.id = coalesce(r.withdrawal, o.withdrawal)`)
    .where(where)
    .orderBy(desc(r.plan), desc(r.dueOn))
    .limit(limit)
}

/** One of the actor's plans, and its latest dates. */
export interface OwnPlan {
  readonly plan: PlanRow
  readonly runs: readonly RunRow[]
  readonly announced: RunRow | null
  /** The last date that was announced or left out; '' before the first. */
  readonly lastOn: string
}

const RUNS = 50

/** Loads the actor's plan `:id`. Refuses `not_found`. */
export async function loadOwnPlan(call: ActorCall): Promise<OwnPlan> {
  const [plans, runs] = await readTogether(call.db, ...readOwnPlan(call))
  return toOwnPlan(plans, runs)
}

/** A plan that is to be changed: also its strategy's position, and the actor's address book. */
export async function loadChangeablePlan(call: ActorCall) {
  const { db, actor, params } = call
  const strategy = sql`(SELECT x.strategy FROM plans x WHERE x.id = ${params.id ?? ''} AND x.investor = ${actor.id})`
  const [plans, runs, [position], addresses] = await readTogether(
    db,
    ...readOwnPlan(call),
    readPositions(actor.id, sql`s.slug = ${strategy}`),
    readAddresses(actor.id),
  )
  return { ...toOwnPlan(plans, runs), position, addresses }
}

/** An investor's saved addresses. */
export function readAddresses(investor: string, which: SQL = sql`1`) {
  const { id, network, address, destinationHash } = savedAddresses
  return selectRows({ id, network, address, destinationHash })
    .from(savedAddresses)
    .where(sql`investor = ${investor} AND ${which}`)
}

function readOwnPlan({ actor, params }: ActorCall) {
  const id = params.id ?? ''
  return [
    selectRows(getTableColumns(plans)).from(plans).where(sql`id = ${id} AND investor = ${actor.id}`),
    readRuns(
      sql`r.plan = ${id} AND EXISTS (SELECT 1 FROM plans x WHERE x.id = r.plan AND x.investor = ${actor.id})`,
      RUNS,
    ),
  ] as const
}

function toOwnPlan([plan]: readonly PlanRow[], runs: readonly RunRow[]): OwnPlan {
  if (plan === undefined) return refuse('not_found')
  const announced = runs.find(({ status }) => status === 'announced') ?? null
  return { plan, runs, announced, lastOn: runs[0]?.dueOn ?? '' }
}

const NEXT = 3

/** A plan as its owner sees it. */
export function toPlan(row: Omit<PlanRow, 'seq'>, announced: RunRow | null): Plan {
  const { kind, amount, strategy, destination, rhythm, starts, day, zone } = row
  const next = row.status === 'active' ? listDueDates(row, row.nextAt - 1, NEXT) : []
  return {
    _id: row.id,
    kind,
    amount: toUsd(amount),
    strategy,
    name: getNameOrNull(strategy),
    destination: destination === null ? null : describeOnward(destination),
    redeemFrom: row.redeemFrom,
    redeemFromName: getNameOrNull(row.redeemFrom),
    ...{ rhythm, starts, day, zone },
    status: row.status,
    reason: describeReason(row.reason),
    createdAt: toIso(row.createdAt),
    announced: announced && toPlanRun(announced),
    next: next.map(({ on, atMs }) => ({ on, at: toIso(atMs) })),
  }
}

export const getNameOrNull = (slug: string | null) => (slug === null ? null : getStrategyName(slug))

export function toPlanRun(row: RunRow): PlanRun {
  const toUsdOrNull = (cents: number | null) => (cents === null ? null : toUsd(cents))
  return {
    on: row.dueOn,
    at: toIso(row.dueAt),
    status: row.status,
    announced: toUsdOrNull(row.amount),
    announcedAt: toIsoOrNull(row.announcedAt),
    decidedAt: toIsoOrNull(row.decidedAt),
    ref: row.ref,
    amount: toUsdOrNull(row.cents),
    redemption: row.redemption,
    reason: describeReason(row.reason),
  }
}

/** "Invest $100.00 in Even Basket" */
export function describeRow({ kind, amount, strategy, destination, redeemFrom }: PlanTarget): string {
  const target =
    strategy === null ? parseDestination(destination).destination.words : getStrategyName(strategy)
  return describePlan({ kind, amount: toUsd(amount), redeemFromName: getNameOrNull(redeemFrom) }, target)
}

type PlanTarget = Pick<PlanRow, 'kind' | 'amount' | 'strategy' | 'destination' | 'redeemFrom'>

/** The destination of a plan that withdraws. */
export function parseDestination(destination: string | null) {
  if (destination === null)
    throw new Error('unreachable: a trigger keeps the destination until the plan ends')
  return parseStored(storedOnward, destination)
}

/** Why a date moved nothing, besides the refusals of orders and withdrawals. */
const REASONS = {
  nothing_above: 'There was nothing above the amount to keep.',
  missed: 'We were more than five days late, so we left it out.',
  changed: 'The plan was changed.',
  ended_for_safety:
    'It was ended, because its session or your account was no longer trusted, or the account was closed.',
  validation_failed: 'The amount is below the minimum.',
  step_up_required: 'The destination has to be confirmed again.',
  address_deleted: 'Its saved address was deleted. Choose another one, or save the address again.',
  restored: 'We restored a backup. Check what the plan did lately, then resume it.',
  not_covered: 'What is available and what can be redeemed do not cover it together.',
} as const satisfies Record<string, string>

/** A code of `REASONS` or of the contract's refusals. */
export type PlanReason = keyof typeof REASONS | keyof typeof REFUSALS

export function describeReason(code: string | null): string | null {
  if (code === null) return null
  if (Object.hasOwn(REASONS, code)) return REASONS[code as keyof typeof REASONS]
  return Object.hasOwn(REFUSALS, code) ? REFUSALS[code as keyof typeof REFUSALS][1] : code
}

/** The first date that a plan can still announce, after all that it has used. */
export function findNextDate(
  schedule: Parameters<typeof listNextDates>[0],
  lastOn: string,
  nowMs: number,
): DueDate {
  // Used dates are at most two steps ahead, because a date is used a day before it is due or skipped by hand.
  for (let count = 3; ; count *= 2) {
    const next = listNextDates(schedule, nowMs, count).find(({ on }) => on > lastOn)
    if (next !== undefined) return next
  }
}

/** The date after another one. */
export function findDateAfter(plan: Pick<PlanRow, 'rhythm' | 'starts' | 'day' | 'zone' | 'nextAt'>): DueDate {
  const [next] = listDueDates(plan, plan.nextAt, 1)
  if (next === undefined) throw new Error('unreachable: dates go on')
  return next
}

/** Commits a change of a plan. Refuses `conflict` if a date was announced or used meanwhile. */
export async function commitPlan<A extends Answer<unknown>>(
  call: ActorCall,
  effect: Effect<A> & { readonly answer: A },
): Promise<A> {
  try {
    return await call.commit(effect)
  } catch (error) {
    if (isOvertaken(error)) refuse('conflict')
    throw error
  }
}

/** Whether the database refused a write because another one was first. */
export function isOvertaken(error: unknown): boolean {
  return /\bplan(?:s|_runs): (?:date already used|plan not active)/.test(getLogMessage(error))
}

export function countPlans(investor: string) {
  return selectRows({ count: sql<number>`count(*)` })
    .from(plans)
    .where(sql`investor = ${investor} AND status <> 'ended'`)
}

/** The statement that cancels a plan's announced date. */
export function cancelAnnounced(db: Database, plan: string, reason: PlanReason | null, nowMs: number) {
  return db
    .update(planRuns)
    .set({ status: 'skipped', reason, decidedAt: nowMs })
    .where(sql`plan = ${plan} AND status = 'announced'`)
}
