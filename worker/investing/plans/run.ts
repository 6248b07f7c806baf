import { eq, getTableColumns, sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/sqlite-core'
import {
  ANNOUNCE_AHEAD_MS,
  ANNOUNCED_MS,
  type DueDate,
  listDueDates,
  MOST_DAYS_LATE,
} from '../../../src/contract/investing/planDates.ts'
import { DAY_MS } from '../../../src/time.ts'
import { recordAudit } from '../../http/audit.ts'
import { submitAllocation, submitRedemption } from '../../ledger/strategies.ts'
import { newId, newRef } from '../../lib/crypto/tokens.ts'
import {
  type Database,
  type RowOf,
  readTogether,
  runBatch,
  type Statement,
  selectRows,
} from '../../lib/database.ts'
import type { Env } from '../../lib/env.ts'
import { findRefusal, refuse } from '../../lib/errors.ts'
import { enqueueMail } from '../../lib/mail/outbox.ts'
import { processItems } from '../../lib/processItems.ts'
import { users } from '../../lib/tables/people.ts'
import { planRuns, plans } from '../../lib/tables/strategies.ts'
import { assertMayFile, computeDelayEnd, listProofReasons } from '../../money/withdrawals/decide.ts'
import { buildWithdrawal, readFacts } from '../../money/withdrawals/facts.ts'
import { insertWithdrawal } from '../../money/withdrawals/request.ts'
import { assertMayAllocate, assertStrategyTakes, readAllocationFacts } from '../allocations/allocate.ts'
import { countPending } from '../allocations/orders.ts'
import { readPositions } from '../allocations/positions.ts'
import { assertMayRedeem, computeRedeemableCents } from '../allocations/redeem.ts'
import { buildAnnouncement, buildNotRunMail, buildRunMail } from './mails.ts'
import { findDateAfter, isOvertaken, type PlanReason, parseDestination } from './plan.ts'

/** The most dates of one run that are announced, and the most that run. */
const PAGE = 25
/** More than one date takes. */
const STATEMENTS = 22
const MOST_LATE_MS = MOST_DAYS_LATE * DAY_MS

/**
 * Announces the dates of plans a day ahead, and runs those that were announced. Each is a batch of its own, in which the database
 * refuses a second one, an early one and one above its announcement. So a run that is killed, repeated or overlaps another one
 * files nothing twice. One bad plan stops no other.
 */
export async function runPlans(env: Env, db: Database, nowMs: number): Promise<void> {
  const [announced, due] = await readTogether(db, readAnnounced(nowMs), readDue(nowMs))
  const dates = [
    ...announced.map((run) => () => runDate(env, db, run, nowMs)),
    ...due.map((plan) => () => announceDate(env, db, plan, nowMs)),
  ]
  await processItems(db, STATEMENTS, dates, (act) => act(), isPassing)
}

/** Whether another run was first, or a later run will succeed. */
function isPassing(error: unknown): boolean {
  const code = findRefusal(error)?.code
  return isOvertaken(error) || code === 'already_decided' || code === 'unavailable' || code === 'conflict'
}

const [p, u, r] = [alias(plans, 'p'), alias(users, 'u'), alias(planRuns, 'r')]

/** The plan's fields, its owner, and what keeps the owner from ordering now. */
const OWNED = {
  ...getTableColumns(p),
  ...{ email: u.email, name: u.displayName },
  obstacle: sql<'account_closed' | 'account_frozen' | 'kyc_required' | null>`(CASE
    WHEN u.closed_at IS NOT NULL THEN 'account_closed' WHEN u.frozen_at IS NOT NULL THEN 'account_frozen'
    WHEN u.kyc_status <> 'approved' AND coalesce((SELECT value FROM settings WHERE key = 'kycRequired'), 'true') = 'true'
      THEN 'kyc_required' END)`,
}

// By the partial index `plan_runs_due`.
function readAnnounced(nowMs: number) {
  return selectRows({
    ...OWNED,
    ...{ dueOn: r.dueOn, dueAt: r.dueAt },
    announcedCents: sql<number>`r.amount`,
  })
    .from(r)
    .innerJoin(p, eq(p.id, r.plan))
    .innerJoin(u, eq(u.id, p.investor))
    .where(sql`r.status = 'announced' AND r.due_at <= ${nowMs} AND r.announced_at <= ${nowMs - ANNOUNCED_MS}`)
    .orderBy(r.dueAt, r.plan)
    .limit(PAGE)
}

// By the partial index `plans_due`. A plan has one announced date at a time.
function readDue(nowMs: number) {
  return selectRows(OWNED)
    .from(p)
    .innerJoin(u, eq(u.id, p.investor))
    .where(
      sql`p.status = 'active' AND p.next_at <= ${nowMs + ANNOUNCE_AHEAD_MS}
        AND NOT EXISTS (SELECT 1 FROM plan_runs a WHERE a.plan = p.id AND a.status = 'announced')`,
    )
    .orderBy(p.nextAt, p.id)
    .limit(PAGE)
}

type AnnouncedRun = RowOf<typeof readAnnounced>
type DuePlan = RowOf<typeof readDue>

/** Reasons that stay until somebody acts: the plan is paused. */
const PAUSING: ReadonlySet<PlanReason> = new Set<PlanReason>([
  ...(['account_closed', 'account_frozen', 'kyc_required', 'step_up_required'] as const),
  ...(['destination_locked', 'address_deleted'] as const),
  ...(['strategy_suspended', 'simulated_market', 'paper_trading'] as const),
])

async function announceDate(env: Env, db: Database, plan: DuePlan, nowMs: number): Promise<void> {
  const { id, kind, nextOn, nextAt, obstacle } = plan
  const date = { plan: id, dueOn: nextOn, dueAt: nextAt }
  const leaveOut = async (reason: PlanReason, status: 'failed' | 'missed', next: DueDate) =>
    runBatch(db, [
      db.insert(planRuns).values({ ...date, status, reason, decidedAt: nowMs }),
      ...moveOn(db, id, next),
      ...(await stopOrTell(env, db, plan, nextOn, reason, nowMs)),
    ])
  if (obstacle !== null) return leaveOut(obstacle, 'failed', findDateAfter(plan))
  const earliestMs = Math.max(nextAt, nowMs + ANNOUNCED_MS)
  // Too late for this date, and for all those until the next that can still run.
  if (earliestMs > nextAt + MOST_LATE_MS) {
    const [next] = listDueDates(plan, Math.max(nextAt, nowMs + ANNOUNCED_MS - MOST_LATE_MS), 1)
    return leaveOut('missed', 'missed', next ?? findDateAfter(plan))
  }
  const decided = await decide(() => decideAnnouncement(env, db, plan))
  if (typeof decided !== 'number') return leaveOut(decided.reason, 'failed', findDateAfter(plan))
  await runBatch(db, [
    db.insert(planRuns).values({ ...date, status: 'announced', amount: decided, announcedAt: nowMs }),
    ...moveOn(db, id, findDateAfter(plan)),
    ...(await enqueueMail(
      env,
      buildAnnouncement(env, { ...plan, kind }, nextOn, decided, earliestMs),
      nowMs,
    )),
  ])
}

/** The most that the date moves, in cents. Refuses a strategy that takes no order, and too little. */
async function decideAnnouncement(
  env: Env,
  db: Database,
  plan: DuePlan,
): Promise<number | { readonly reason: PlanReason }> {
  const { kind, amount, strategy, investor } = plan
  if (strategy === null) return amount
  const facts = await readAllocationFacts(db, investor, strategy)
  const cents = kind === 'invest' ? amount : (facts.cash?.availableCents ?? 0) - amount
  assertStrategyTakes(env, facts.position, cents > 0 ? cents : null)
  return cents > 0 ? cents : { reason: 'nothing_above' }
}

/** Files the order or the withdrawal of an announced date, or says why not. */
async function runDate(env: Env, db: Database, run: AnnouncedRun, nowMs: number): Promise<void> {
  const { id, dueOn, dueAt, obstacle } = run
  const isDate = sql`plan = ${id} AND due_on = ${dueOn}`
  const leaveOut = async (reason: PlanReason, status: 'failed' | 'missed') =>
    runBatch(db, [
      db.update(planRuns).set({ status, reason, decidedAt: nowMs }).where(isDate),
      ...(await stopOrTell(env, db, run, dueOn, reason, nowMs)),
    ])
  if (obstacle !== null) return leaveOut(obstacle, 'failed')
  if (nowMs > dueAt + MOST_LATE_MS) return leaveOut('missed', 'missed')
  const decided = await decide(() =>
    run.strategy === null ? withdraw(env, db, run, nowMs) : order(env, db, run, nowMs),
  )
  if ('reason' in decided) return leaveOut(decided.reason, 'failed')
  const { cents, statements, filed, action } = decided
  const failed = await decide(async () =>
    runBatch(db, [
      ...statements,
      recordRun(db, run, filed, nowMs),
      recordAudit(
        db,
        run.investor,
        { action, subject: filed.unitOrder ?? filed.withdrawal, detail: { plan: id, amountCents: cents } },
        nowMs,
      ),
      ...(await enqueueMail(env, buildRunMail(env, run, decided), nowMs)),
    ]),
  )
  if (failed !== undefined) await leaveOut(failed.reason, 'failed')
}

// In the batch of what was filed: the database refuses a second one, an early one, and one above the announcement.
function recordRun(
  db: Database,
  { id, dueOn }: AnnouncedRun,
  filed: Filing['filed'],
  nowMs: number,
): Statement {
  return db
    .update(planRuns)
    .set({ ...filed, status: 'done', decidedAt: nowMs })
    .where(sql`plan = ${id} AND due_on = ${dueOn}`)
}

/** What a date files, in the same batch with its row. */
interface Filing {
  readonly cents: number
  readonly ref: string
  readonly statements: readonly Statement[]
  readonly filed:
    | { readonly unitOrder: string; readonly withdrawal: null }
    | { readonly unitOrder: null; readonly withdrawal: string }
  readonly action: 'allocation.requested' | 'redemption.requested' | 'withdrawal.requested'
}

/** An order to invest, by the rules of its owner's orders. */
async function order(
  env: Env,
  db: Database,
  run: AnnouncedRun,
  nowMs: number,
): Promise<Filing | { reason: PlanReason }> {
  const { investor, kind, amount, announcedCents } = run
  const strategy = run.strategy ?? ''
  const facts = await readAllocationFacts(db, investor, strategy)
  const wanted = kind === 'invest' ? amount : (facts.cash?.availableCents ?? 0) - amount
  const cents = Math.min(announcedCents, wanted)
  if (cents <= 0) return { reason: 'nothing_above' }
  assertMayAllocate(env, facts, cents)
  const [id, ref] = [newId(), newRef('ALC')]
  return {
    ...{ cents, ref, filed: { unitOrder: id, withdrawal: null }, action: 'allocation.requested' },
    statements: [submitAllocation(db, { id, ref, investor, strategy, cents, atMs: nowMs })],
  }
}

/**
 * A withdrawal, by the rules of its owner's withdrawals. If too little is available, and the plan says from where, the redemption of
 * what is missing, which withdraws after it. The plan's proof counts, but not for what happened since.
 */
async function withdraw(
  env: Env,
  db: Database,
  run: AnnouncedRun,
  nowMs: number,
): Promise<Filing | { reason: PlanReason }> {
  const { investor, amount, announcedCents, redeemFrom } = run
  const kept = parseDestination(run.destination)
  const cents = Math.min(announcedCents, amount)
  const destination = { ...kept.destination, facts: '', problems: {} }
  const withdrawal = await buildWithdrawal(
    investor,
    { kind: 'withdrawal', amountCents: cents, destination },
    {},
  )
  const facts = await readFacts(db, env, withdrawal, nowMs)
  if (!facts.isSaved) return { reason: 'address_deleted' }
  const missingCents = redeemFrom === null ? 0 : Math.max(0, cents - facts.availableCents)
  assertMayFile(withdrawal, { ...facts, availableCents: facts.availableCents + missingCents }, nowMs)
  const reasons = listProofReasons(withdrawal, facts, true, nowMs).filter(
    (reason) => reason !== 'large_share',
  )
  if (reasons.length > 0) refuse('step_up_required')
  if (redeemFrom !== null && missingCents > 0) {
    const onward = JSON.stringify({ ...kept, mostCents: cents })
    return redeemFirst(env, db, { investor, strategy: redeemFrom, cents: missingCents, onward }, nowMs)
  }
  const [id, ref] = [newId(), newRef('WDR')]
  return {
    ...{ cents, ref, filed: { unitOrder: null, withdrawal: id }, action: 'withdrawal.requested' },
    statements: insertWithdrawal(db, {
      ...kept,
      ...{ id, ref, investor, amountCents: cents, nowMs },
      heldUntil: computeDelayEnd(facts, false, nowMs),
    }),
  }
}

async function redeemFirst(
  env: Env,
  db: Database,
  {
    cents,
    ...of
  }: Pick<Parameters<typeof submitRedemption>[1], 'investor' | 'strategy' | 'onward'> & { cents: number },
  nowMs: number,
): Promise<Filing | { reason: PlanReason }> {
  const { investor, strategy } = of
  const [[position], [pending]] = await readTogether(
    db,
    readPositions(investor, sql`s.slug = ${strategy}`),
    countPending(investor, 'redeem'),
  )
  if (position === undefined || computeRedeemableCents(position) < cents) return { reason: 'not_covered' }
  assertMayRedeem(env, { position, pending: pending?.count ?? 0 }, cents)
  const [id, ref] = [newId(), newRef('RDM')]
  return {
    ...{ cents, ref, filed: { unitOrder: id, withdrawal: null }, action: 'redemption.requested' },
    statements: [submitRedemption(db, { ...of, id, ref, cents, atMs: nowMs })],
  }
}

/** The result, or the refusal that it met as a reason. What passes by itself is thrown, so that the next run tries again. */
async function decide<T>(act: () => Promise<T>): Promise<T | { readonly reason: PlanReason }> {
  try {
    return await act()
  } catch (error) {
    const refusal = findRefusal(error)
    if (refusal === null || isPassing(error) || refusal.code === 'destination_on_hold') throw error
    return { reason: refusal.code }
  }
}

function moveOn(db: Database, plan: string, next: DueDate): Statement[] {
  return [db.update(plans).set({ nextOn: next.on, nextAt: next.atMs }).where(eq(plans.id, plan))]
}

/** Tells the owner that a date moved nothing, and pauses the plan if it could not run on the next one either. */
async function stopOrTell(
  env: Env,
  db: Database,
  plan: DuePlan,
  on: string,
  reason: PlanReason,
  nowMs: number,
): Promise<Statement[]> {
  const isPaused = PAUSING.has(reason)
  const { id } = plan
  return [
    ...(isPaused
      ? [db.update(plans).set({ status: 'paused', reason, statusAt: nowMs }).where(eq(plans.id, id))]
      : []),
    recordAudit(
      db,
      'system',
      { action: isPaused ? 'plan.stopped' : 'plan.not_run', subject: id, detail: { on, reason } },
      nowMs,
    ),
    ...(await enqueueMail(env, buildNotRunMail(env, plan, on, reason, isPaused), nowMs)),
  ]
}
