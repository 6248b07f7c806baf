import { eq, getTableColumns, type SQL, sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/sqlite-core'
import * as z from 'zod/mini'
import { computeBandLines } from '../../../engine/backtest/band.ts'
import type { OperatorHealth } from '../../../src/contract/console/health.ts'
import { STRATEGY_ACTIONS } from '../../../src/contract/console/proposals.ts'
import * as contract from '../../../src/contract/console/strategies.ts'
import { toUsd } from '../../../src/contract/money.ts'
import { DAY_MS } from '../../../src/time.ts'
import { type ActorCall, type CallOf, ok } from '../../http/call.ts'
import { openCursor, takePage, toIso, toIsoOrNull } from '../../http/paging.ts'
import { getMarket } from '../../investing/candles/markets.ts'
import { mapGapParts, readGaps, readStrategy, toStrategyGap } from '../../investing/strategies/readGaps.ts'
import { poolGap } from '../../investing/trading/gap.ts'
import { isDrawdownReason, REASONS } from '../../investing/trading/judge.ts'
import { storedBand } from '../../investing/trading/stored.ts'
import { parseStored, type RowOf, readTogether, selectRows } from '../../lib/database.ts'
import { formatIsoDay } from '../../lib/days.ts'
import { refuse } from '../../lib/errors.ts'
import { getStrategyName } from '../../lib/strategyName.ts'
import { pools } from '../../lib/tables/ledger.ts'
import { candleFeeds } from '../../lib/tables/market.ts'
import { users } from '../../lib/tables/people.ts'
import { poolSteps, strategies, strategyEvents, valuations } from '../../lib/tables/strategies.ts'
import { readSettings } from '../../platform/settings/values.ts'
import { tellReason } from '../cases/reasons.ts'

const MOST = contract.MOST_COUNTED_IN_STRATEGY
/** How many days of closes are searched for the highest. */
const MOST_DAYS = 2000

type StrategyFacts = RowOf<typeof readStrategies>

/** Lists all strategies by name, in one round trip. The catalogue bounds their number, and each count has a maximum. */
export async function listStrategies(call: CallOf<typeof contract.listOperatorStrategies>) {
  const [rows] = await readTogether(call.db, readStrategies(sql`1`, call.nowMs))
  return ok(rows.map((row) => toStrategyRow(row, call.nowMs)))
}

/** Loads a strategy and the settings with the listed reasons in one round trip. */
export async function loadStrategyToSuspend(call: ActorCall) {
  const which = sql`s.slug = ${call.params.id ?? ''}`
  const [[strategy], settings] = await readTogether(
    call.db,
    readStrategies(which, call.nowMs),
    readSettings(),
  )
  return { strategy: strategy ?? refuse('not_found'), settings }
}

const definitionRisk = z.object({ risk: z.object({ maximumDrawdown: z.optional(z.number()) }) })

const pendingProposal = z.object({
  id: z.string(),
  action: z.enum(STRATEGY_ACTIONS),
  by: z.string(),
  name: z.string(),
  at: z.number(),
})

function toStrategyRow(row: StrategyFacts, nowMs: number): contract.OperatorStrategy {
  const { slug, actor, actorName, unitPrice, netValue, lastStep, lastStepAt, lackingSince, finding } = row
  const { risk } = parseStored(definitionRisk, row.definition)
  return {
    _id: slug,
    name: getStrategyName(slug),
    status: row.status,
    since: toIso(row.since),
    by: actorName === null ? null : { _id: actor, name: actorName },
    rule: findSuspensionRule(row),
    reason: row.reason,
    note: row.note,
    proposed: parsePendingProposal(row),
    market: getMarket(row.market),
    startedAt: toIso(row.startedAt),
    hash: row.hash,
    unitPrice: unitPrice === null ? null : unitPrice / 1e6,
    netValue: netValue === null ? null : roundDownToCents(netValue),
    units: row.units / 1e6,
    cash: roundDownToCents(row.cash),
    investors: row.investors,
    lastStep: lastStep === null ? null : formatIsoDay(lastStep),
    lastStepAt: toIsoOrNull(lastStepAt),
    behind: findLateSince(row, nowMs) !== null,
    lacking: lackingSince === null ? null : { since: toIso(lackingSince), finding },
    ordersWaiting: row.ins + row.outs,
    ordersIn: { count: row.ins, amount: toUsd(row.inCents) },
    ordersOut: { count: row.outs, amount: toUsd(row.outCents) },
    ...compareLimits(row, risk.maximumDrawdown ?? null),
    fees: toUsd(row.feeCents),
  }
}

/** The strategy's own rule that suspended it. */
function findSuspensionRule({
  status,
  actor,
  reason,
}: Pick<StrategyFacts, 'status' | 'actor' | 'reason'>): contract.OperatorStrategy['rule'] {
  if (status !== 'suspended' || actor !== 'system') return null
  return isDrawdownReason(reason) ? 'drawdown' : reason === REASONS.band ? 'band' : null
}

function parsePendingProposal({ proposal }: StrategyFacts): contract.OperatorStrategy['proposed'] {
  if (proposal === null) return null
  const { id, action, by, name, at } = parseStored(pendingProposal, proposal)
  return { _id: id, action, by: { _id: by, name }, at: toIso(at) }
}

/** Micro-USD in USD, rounded down to whole cents. */
function roundDownToCents(microUsd: number): number {
  return Math.floor(microUsd / 10_000) / 100
}

/** Strategies under a condition on `strategies s`. Prices in micro-USD for one unit. */
function readStrategies(where: SQL, nowMs: number) {
  const selectWaiting = (kind: 'allocate' | 'redeem', what: SQL) => sql<number>`
    (SELECT ${what} FROM (
      SELECT cents FROM unit_orders WHERE strategy = s.slug AND status = 'pending' AND kind = ${kind} LIMIT ${MOST}))`
  const resumed = sql`coalesce((
    SELECT max(at) FROM strategy_events WHERE strategy = s.slug AND kind = 'resumed'), 0)`
  const total = sql`coalesce(sum(cents), 0)`
  const [s, e, u] = [alias(strategies, 's'), alias(strategyEvents, 'e'), alias(users, 'u')]
  const [p, c, t] = [alias(pools, 'p'), alias(candleFeeds, 'c'), alias(poolSteps, 't')]
  const [v, f] = [alias(valuations, 'v'), alias(valuations, 'f')]
  return selectRows({
    ...getTableColumns(s),
    since: e.at,
    actor: e.actor,
    actorName: u.displayName,
    reason: e.reason,
    note: e.note,
    unitPrice: v.unitPrice,
    valuedDay: v.day,
    valuedKind: v.kind,
    netValue: v.netValue,
    units: p.units,
    cash: p.cash,
    /** The open that measurement starts from: the first one since the strategy was started or resumed. */
    sinceDay: f.day,
    sincePrice: f.unitPrice,
    peak: sql<number | null>`(SELECT max(unit_price) FROM valuations
      WHERE strategy = s.slug AND kind = 'close' AND day > max(${resumed}, ${nowMs - MOST_DAYS * DAY_MS}))`,
    investors: sql<number>`(SELECT count(*) FROM (
      SELECT 1 FROM positions WHERE strategy = s.slug AND units > 0 LIMIT ${MOST}))`,
    lastStep: t.day,
    lastStepAt: t.at,
    lackingSince: c.lackingSince,
    finding: c.finding,
    ins: selectWaiting('allocate', sql`count(*)`),
    inCents: selectWaiting('allocate', total),
    outs: selectWaiting('redeem', sql`count(*)`),
    outCents: selectWaiting('redeem', total),
    feeCents: sql<number>`(SELECT ${total} FROM (
      SELECT cents FROM unit_movements
      WHERE strategy = s.slug AND code = 'fee' AND at > ${nowMs - 365 * DAY_MS}
      ORDER BY at DESC LIMIT ${MOST}))`,
    /** JSON of `pendingProposal`. */
    proposal: sql<string | null>`(SELECT json_object('id', q.id,
        'action', json_extract(q.payload, '$.action'), 'by', q.proposed_by, 'name', a.display_name, 'at', q.created_at)
      FROM proposals q JOIN users a ON a.id = q.proposed_by
      WHERE q.status = 'pending' AND q.kind = 'strategy' AND json_extract(q.payload, '$.strategy') = s.slug
      LIMIT 1)`,
  })
    .from(s)
    .innerJoin(p, eq(p.strategy, s.slug))
    .innerJoin(e, IS_NEWEST_EVENT)
    .leftJoin(u, sql`u.id = e.actor AND u.id <> 'system'`)
    .leftJoin(c, eq(c.market, s.market))
    .leftJoin(
      t,
      sql`t.strategy = s.slug AND t.day = (
        SELECT day FROM pool_steps WHERE strategy = s.slug ORDER BY day DESC LIMIT 1)`,
    )
    .leftJoin(
      v,
      sql`v.strategy = s.slug AND (v.day, v.kind) = (
        SELECT day, kind FROM valuations WHERE strategy = s.slug ORDER BY day DESC, kind LIMIT 1)`,
    )
    .leftJoin(
      f,
      sql`f.strategy = s.slug AND f.kind = 'open' AND f.day = (
        SELECT day FROM valuations WHERE strategy = s.slug AND kind = 'open' AND day > ${resumed} ORDER BY day LIMIT 1)`,
    )
    .where(where)
    .orderBy(s.slug)
}

const IS_NEWEST_EVENT = sql`e.seq = (
  SELECT seq FROM strategy_events WHERE strategy = s.slug ORDER BY seq DESC LIMIT 1)`

/**
 * Each day's step normally completes within minutes of the open. It is late two hours after that, 26 hours after the last one
 * began.
 */
const GRACE_MS = 2 * 3_600_000

/** When the missing step was due, if it is late; else null. Applies to stopped strategies too, because they still pay out. */
function findLateSince(
  { startedAt, lastStep }: Pick<StrategyFacts, 'startedAt' | 'lastStep'>,
  nowMs: number,
): number | null {
  const first = Math.floor(startedAt / DAY_MS) * DAY_MS + DAY_MS
  const due = lastStep === null ? first : lastStep + DAY_MS
  return nowMs > due + GRACE_MS ? due : null
}

/** Compares the newest valuation with the two limits that suspend a strategy, computed as the limits compute it. */
function compareLimits(
  facts: StrategyFacts,
  maximumDrawdown: number | null,
): Pick<contract.OperatorStrategy, 'drawdown' | 'maximumDrawdown' | 'band'> {
  const { unitPrice, sincePrice, peak } = facts
  const highest = Math.max(peak ?? 0, sincePrice ?? 0, unitPrice ?? 0)
  return {
    drawdown:
      unitPrice === null || sincePrice === null ? null : Math.round((1 - unitPrice / highest) * 1e6) / 1e6,
    maximumDrawdown,
    band: deriveBand(facts),
  }
}

function deriveBand({
  band,
  sinceDay,
  sincePrice,
  valuedDay,
  valuedKind,
}: StrategyFacts): contract.OperatorStrategy['band'] {
  if (band === null || sinceDay === null || sincePrice === null || valuedDay === null) return null
  const days = (valuedDay - sinceDay) / DAY_MS + (valuedKind === 'close' ? 1 : 0)
  if (days < 0) return null
  const { lower99, median, upper99 } = computeBandLines(parseStored(storedBand, band), days)
  const price = (growth: number) => Math.round(growth * sincePrice) / 1e6
  return { lower: price(lower99), median: price(median), upper: price(upper99) }
}

/** Each strategy's status, with its newest event and step. */
export function readTrouble() {
  const [s, e, c] = [alias(strategies, 's'), alias(strategyEvents, 'e'), alias(candleFeeds, 'c')]
  return selectRows({
    slug: s.slug,
    status: s.status,
    startedAt: s.startedAt,
    since: e.at,
    reason: e.reason,
    lackingSince: c.lackingSince,
    lastStep: sql<
      number | null
    >`(SELECT day FROM pool_steps WHERE strategy = s.slug ORDER BY day DESC LIMIT 1)`,
  })
    .from(s)
    .innerJoin(e, IS_NEWEST_EVENT)
    .leftJoin(c, eq(c.market, s.market))
    .orderBy(s.slug)
}

/** Strategies that are suspended, late, or lack bars. */
export function listTroubledStrategies(
  rows: readonly RowOf<typeof readTrouble>[],
  nowMs: number,
): OperatorHealth['strategies'] {
  return rows.flatMap((row) => {
    const late = findLateSince(row, nowMs)
    if (row.status !== 'suspended' && late === null && row.lackingSince === null) return []
    return {
      _id: row.slug,
      name: getStrategyName(row.slug),
      status: row.status,
      since: toIso(row.since),
      reason: row.reason,
      lateSince: toIsoOrNull(late),
      lackingSince: toIsoOrNull(row.lackingSince),
    }
  })
}

/**
 * The kill switch. One operator is enough, because it only reduces risk. Cron sells at the next open and notifies the
 * investors, who read a listed reason.
 */
export async function suspendStrategy(
  call: CallOf<typeof contract.suspendStrategy>,
  found: Awaited<ReturnType<typeof loadStrategyToSuspend>>,
) {
  const { db, actor, nowMs, body } = call
  const { strategy, settings } = found
  const { slug, status } = strategy
  if (status !== 'active') refuse('already_decided', { msg: `This strategy is already ${status}.` })
  const { told: reason, note } = await tellReason(call, 'suspension', settings, body, {})
  const event = { since: nowMs, actor: actor.id, actorName: actor.displayName, reason, note }
  return call.commit({
    statements: [
      db
        .insert(strategyEvents)
        .values({ strategy: slug, at: nowMs, kind: 'suspended', reason, note, actor: actor.id }),
    ],
    audit: [{ action: 'strategy.suspended', subject: slug }],
    answer: ok(toStrategyRow({ ...strategy, status: 'suspended', ...event }, nowMs)),
  })
}

/** The facts behind each valuation's commitment with their salts, newest first. Refuses `not_found`. */
export async function listOperatorRecord(call: CallOf<typeof contract.listOperatorRecord>) {
  const { limit, cursor } = call.query
  const slug = call.params.id ?? ''
  const after = openCursor(cursor)
  // On the same day the close is newer than the open, but sorts before it alphabetically.
  const earlier =
    after === null
      ? sql``
      : sql`AND (day < ${after.at} OR (day = ${after.at} AND kind > ${after.seq === 0 ? 'close' : 'open'}))`
  const { day, kind, hash, commitment, salt, details, units, netValue, issuePrice, redeemPrice } = valuations
  const [known, rows] = await readTogether(
    call.db,
    selectRows({ slug: strategies.slug }).from(strategies).where(eq(strategies.slug, slug)),
    selectRows({ day, kind, hash, commitment, salt, details, units, netValue, issuePrice, redeemPrice })
      .from(valuations)
      .where(sql`strategy = ${slug} ${earlier}`)
      .orderBy(sql`day DESC, kind`)
      .limit(limit + 1),
  )
  if (known.length === 0) refuse('not_found')
  const page = takePage(call, rows, limit, ({ day, kind }) => ({ at: day, seq: kind === 'close' ? 0 : 1 }))
  return ok(
    page.rows.map((row) => toRecordEntry(slug, row)),
    page.headers,
  )
}

type RecordRow = Pick<
  typeof valuations.$inferSelect,
  | 'day'
  | 'kind'
  | 'hash'
  | 'commitment'
  | 'salt'
  | 'details'
  | 'units'
  | 'netValue'
  | 'issuePrice'
  | 'redeemPrice'
>

/** The pool's cash, holdings, flows and orders. */
const valuationDetails = z.record(z.string(), z.unknown())

function toRecordEntry(slug: string, row: RecordRow): contract.OperatorRecordEntry {
  const { kind, hash, commitment, salt, units, netValue, issuePrice, redeemPrice } = row
  const day = formatIsoDay(row.day)
  const details = parseStored(valuationDetails, row.details)
  return {
    ...{ _id: `${slug}.${day}.${kind}`, day, kind, hash, commitment, salt },
    committed: { units, netValue, issuePrice, redeemPrice, ...details },
  }
}

/** A strategy's days with their parts, and those of its pool, newest first. Refuses `not_found`. */
export async function listOperatorGaps(call: CallOf<typeof contract.listOperatorGaps>) {
  const { limit, cursor } = call.query
  const slug = call.params.id ?? ''
  const [known, rows] = await readTogether(call.db, readStrategy(slug), readGaps(slug, limit, cursor, true))
  if (known.length === 0) refuse('not_found')
  const page = takePage(call, rows, limit, ({ day }) => ({ at: day, seq: 0 }))
  return ok(
    page.rows.map((row) => ({ ...toStrategyGap(row), pool: parsePoolGap(row.pool) })),
    page.headers,
  )
}

function parsePoolGap(stored: string | null): contract.OperatorGap['pool'] {
  if (stored === null) return null
  const { base, difference, parts } = parseStored(poolGap, stored)
  const toBasisPoints = (micro: number) => Math.round((micro / base) * 1e10) / 1e6
  return {
    base: roundDownToCents(base),
    difference: toBasisPoints(difference),
    parts: mapGapParts((part) => toBasisPoints(parts[part])),
  }
}
