import { and, eq, sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/sqlite-core'
import { mailDateText } from '../../../src/contract/dates.ts'
import { REFUSALS, type RefusalCode } from '../../../src/contract/errors.ts'
import { formatUsd } from '../../../src/contract/money.ts'
import { recordAudit } from '../../http/audit.ts'
import { submitRedemption } from '../../ledger/strategies.ts'
import { computeAverageCost } from '../../ledger/units.ts'
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
import { findRefusal, getLogMessage } from '../../lib/errors.ts'
import { buildLink, composeNews, type Part } from '../../lib/mail/compose.ts'
import { enqueueMail, type Mail } from '../../lib/mail/outbox.ts'
import { processItems } from '../../lib/processItems.ts'
import { getStrategyName } from '../../lib/strategyName.ts'
import { users } from '../../lib/tables/people.ts'
import { positionStops, stopChecks, strategies } from '../../lib/tables/strategies.ts'
import { computeNextValuation } from '../allocations/orders.ts'
import { assertMayOrder } from '../trading/realMoney.ts'

/** The most stops of one strategy in one run. */
const PAGE = 25
/** More than one stop takes. */
const STATEMENTS = 10

/**
 * Compares each settled day's unit price with the stops of its strategy, days in order, and redeems the positions whose stop it
 * reached. Each stop is a batch of its own, in which the database refuses a second one. So a run that is killed, repeated or overlaps
 * another one files nothing twice. A day is marked only after all its stops, so a missed day is done later. One bad stop keeps no
 * other from selling.
 */
export async function runStops(env: Env, db: Database, nowMs: number): Promise<void> {
  await processItems(db, STATEMENTS, await readUnchecked(db), async ({ strategy, day }) => {
    if (day === null) return
    const reached = await readReached(db, strategy, day)
    const fire = (stop: ReachedStop) => fireStop(env, db, stop, nowMs)
    const done = await processItems(db, STATEMENTS, reached, fire, isPassing)
    if (done === reached.length && done < PAGE) await markChecked(db, strategy, day, nowMs)
  })
}

/** Whether another run or the owner was first, or a later run will succeed. An order filed just at midnight is a `conflict`. */
function isPassing(error: unknown): boolean {
  if (getLogMessage(error).includes('position_stops: price above the stop')) return true
  const code = findRefusal(error)?.code
  return code === 'already_decided' || code === 'unavailable' || code === 'conflict'
}

/** For each strategy with active stops: its first settled day that was not compared and that some stop may count. */
async function readUnchecked(db: Database): Promise<readonly { strategy: string; day: number | null }[]> {
  const s = alias(strategies, 's')
  return await db
    .select({
      strategy: s.slug,
      day: sql<number | null>`(SELECT min(d.day) FROM pool_steps d WHERE d.strategy = s.slug AND d.day > max(
        coalesce((SELECT max(c.day) FROM stop_checks c WHERE c.strategy = s.slug), 0),
        (SELECT min(o.changed_at) FROM position_stops o WHERE o.strategy = s.slug AND o.status = 'active')))`,
    })
    .from(s)
    .where(sql`EXISTS (SELECT 1 FROM position_stops o WHERE o.strategy = s.slug AND o.status = 'active')`)
    .orderBy(s.slug)
}

const [t, u, s] = [alias(positionStops, 't'), alias(users, 'u'), alias(strategies, 's')]

function selectReached(strategy: string, day: number) {
  return selectRows({
    ...{ id: t.id, investor: t.investor, strategy: t.strategy, percent: t.percent, refused: t.refused },
    ...{ email: u.email, name: u.displayName, market: s.market },
    venue: sql<string | null>`(SELECT venue FROM venue_strategies WHERE strategy = t.strategy)`,
    ...{ day: sql<number>`r.day`, price: sql<number>`r.unit_price` },
    ...{ units: sql<number>`r.units`, cost: sql<number>`r.cost` },
  })
    .from(t)
    .innerJoin(sql`reached_stops r`, sql`r.stop = t.id AND r.day = ${day}`)
    .innerJoin(u, eq(u.id, t.investor))
    .innerJoin(s, eq(s.slug, t.strategy))
    .where(
      and(
        eq(t.strategy, strategy),
        sql`t.status = 'active'`,
        // One that was refused tries again on the next day.
        sql`(t.refused_at IS NULL OR t.refused_at < ${day})`,
        // All of it is being redeemed already.
        sql`NOT EXISTS (SELECT 1 FROM unit_orders o WHERE o.investor = t.investor AND o.strategy = t.strategy
          AND o.kind = 'redeem' AND o.status = 'pending' AND o.cents IS NULL)`,
      ),
    )
    .orderBy(t.seq)
    .limit(PAGE)
}

type ReachedStop = RowOf<typeof selectReached>

async function readReached(db: Database, strategy: string, day: number): Promise<readonly ReachedStop[]> {
  const [rows] = await readTogether(db, selectReached(strategy, day))
  return rows
}

/** Files the redemption as its owner would, or says once why that is refused. */
async function fireStop(env: Env, db: Database, stop: ReachedStop, nowMs: number): Promise<void> {
  const { id: stopId, investor, strategy } = stop
  const [id, ref] = [newId(), newRef('RDM')]
  try {
    assertMayOrder(env, stop)
    await runBatch(db, [
      submitRedemption(db, { id, ref, investor, strategy, cents: null, atMs: nowMs }),
      recordFired(db, stop, id, nowMs),
      recordAudit(
        db,
        investor,
        {
          action: 'redemption.requested',
          subject: id,
          detail: { strategy, amountCents: null, withdraws: false, stop: stopId },
        },
        nowMs,
      ),
      ...(await enqueueMail(env, buildFiredMail(env, stop, ref, nowMs), nowMs)),
    ])
  } catch (error) {
    const code = findRefusal(error)?.code
    if (code === undefined || isPassing(error)) throw error
    await recordRefused(env, db, stop, code, nowMs)
  }
}

// In the batch of the order: the database refuses a second one, and a price above the stop.
function recordFired(db: Database, { id, day }: ReachedStop, unitOrder: string, nowMs: number): Statement {
  return db
    .update(positionStops)
    .set({ status: 'fired', unitOrder, day, endedAt: nowMs })
    .where(eq(positionStops.id, id))
}

/** The stop stays. Its owner is told of the first refusal only. */
async function recordRefused(
  env: Env,
  db: Database,
  stop: ReachedStop,
  code: RefusalCode,
  nowMs: number,
): Promise<void> {
  const { id, strategy, investor } = stop
  const isFirst = stop.refused === null
  await runBatch(db, [
    db
      .update(positionStops)
      .set({ refused: stop.refused ?? code, refusedAt: nowMs })
      .where(eq(positionStops.id, id)),
    recordAudit(
      db,
      'system',
      { action: 'stop.refused', subject: investor, detail: { strategy, stop: id, reason: code } },
      nowMs,
    ),
    ...(isFirst ? await enqueueMail(env, buildRefusedMail(env, stop, code), nowMs) : []),
  ])
}

async function markChecked(db: Database, strategy: string, day: number, nowMs: number): Promise<void> {
  try {
    await runBatch(db, [db.insert(stopChecks).values({ strategy, day, at: nowMs })])
  } catch (error) {
    // Another run was faster.
    if (!getLogMessage(error).includes('stop_checks: already checked')) throw error
  }
}

/** Says what reached the stop, and that the price of the sale is still open. */
function buildFiredMail(env: Env, stop: ReachedStop, ref: string, nowMs: number): Mail {
  return buildStopMail(env, stop, `Your stop in ${getStrategyName(stop.strategy)} was reached`, [
    `We filed the order ${ref} to redeem all of it. It is priced on ${mailDateText(computeNextValuation(nowMs))}. That price may be lower or higher than your stop. You can cancel the order until then.`,
  ])
}

function buildRefusedMail(env: Env, stop: ReachedStop, code: RefusalCode): Mail {
  return buildStopMail(env, stop, `Your stop in ${getStrategyName(stop.strategy)} could not sell`, [
    `We could not file an order to redeem. ${REFUSALS[code][1]}`,
    'Your stop stays. It tries again at each daily valuation that reaches it. We will not mail you about it again.',
  ])
}

function buildStopMail(
  env: Env,
  { email, name, strategy, percent, price, units, cost, day }: ReachedStop,
  subject: string,
  parts: readonly Part[],
): Mail {
  const toPrice = (micro: number) => formatUsd(micro / 1e6)
  return composeNews(email, subject, name, [
    `On ${mailDateText(day)} a unit was worth ${toPrice(price)}. Your stop is at ${toPrice(computeAverageCost(cost, units, percent))}: ${percent}% below ${toPrice(computeAverageCost(cost, units))}, the average cost of your units.`,
    ...parts,
    { label: 'See your units', href: buildLink(env, '/dashboard/strategies', { strategy }) },
  ])
}
