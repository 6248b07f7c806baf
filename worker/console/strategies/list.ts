import { type SQL, sql } from 'drizzle-orm'
import type { Definition } from '../../../engine/definition.ts'
import { DAY_MS } from '../../../engine/metrics/dailyEquity.ts'
import { SIMULATED_ASSETS } from '../../../engine/simulatedAssets.ts'
import {
  MOST_COUNTED_IN_STRATEGY as MOST,
  type OperatorStrategy,
} from '../../../src/contract/console/strategies.ts'
import type { StrategyStatus } from '../../../src/contract/investing/strategies.ts'
import { usdOf } from '../../../src/contract/money.ts'
import { type ActorCall, type Answer, ok } from '../../http/call.ts'
import { iso } from '../../http/paging.ts'
import { REASONS } from '../../investing/trading/judge.ts'
import { strategyName } from '../../investing/trading/notices.ts'
import { dayName } from '../../investing/trading/valuation.ts'
import { type Read, reading, readTogether } from '../../lib/database.ts'
import { refuse } from '../../lib/errors.ts'
import { lateSince } from './late.ts'
import { type LimitFacts, suspensionLimitsOf } from './suspensionLimits.ts'

/** Closes of so many days are looked through for the highest. */
const MOST_DAYS = 2000

export interface StrategyFacts extends LimitFacts {
  readonly slug: string
  readonly definition: string
  readonly hash: string
  readonly market: string
  readonly status: StrategyStatus
  readonly since: number
  readonly actor: string
  readonly actorName: string | null
  readonly reason: string | null
  readonly proposal: string | null
  readonly startedAt: number
  readonly netValue: number | null
  readonly units: number
  readonly cash: number
  readonly investors: number
  readonly lastStep: number | null
  readonly lastStepAt: number | null
  readonly lackingSince: number | null
  readonly finding: string | null
  readonly ins: number
  readonly inCents: number
  readonly outs: number
  readonly outCents: number
  readonly feeCents: number
}

/** Every strategy, by name, in one round trip: there are as many as the catalogue ever had, and what is counted has a most. */
export async function listStrategies(call: ActorCall): Promise<Answer<OperatorStrategy[]>> {
  const [rows] = await readTogether(call.db, readStrategies(sql`1`, call.nowMs))
  return ok(rows.map((row) => strategyRow(row, call.nowMs)))
}

/** The strategy that `:id` names. */
export async function loadStrategy(call: ActorCall): Promise<StrategyFacts> {
  const which = sql`s.slug = ${call.params.id ?? ''}`
  const [[row]] = await readTogether(call.db, readStrategies(which, call.nowMs))
  return row ?? refuse('not_found')
}

export function strategyRow(row: StrategyFacts, nowMs: number): OperatorStrategy {
  const { slug, actor, actorName, unitPrice, netValue, lastStep, lastStepAt, lackingSince, finding } = row
  // What is stored was a definition of the catalogue when the strategy started.
  const definition = JSON.parse(row.definition) as Definition
  return {
    _id: slug,
    name: strategyName(slug),
    status: row.status,
    since: iso(row.since),
    by: actorName === null ? null : { _id: actor, name: actorName },
    rule: ruleOf(row),
    reason: row.reason,
    proposed: proposedOf(row),
    market: row.market,
    simulated: definition.assets.every((id) => SIMULATED_ASSETS.some((asset) => asset.id === id)),
    startedAt: iso(row.startedAt),
    hash: row.hash,
    unitPrice: unitPrice === null ? null : unitPrice / 1e6,
    netValue: netValue === null ? null : wholeCents(netValue),
    units: row.units / 1e6,
    cash: wholeCents(row.cash),
    investors: row.investors,
    lastStep: lastStep === null ? null : dayName(lastStep),
    lastStepAt: lastStepAt === null ? null : iso(lastStepAt),
    behind: lateSince(row, nowMs) !== null,
    lacking: lackingSince === null ? null : { since: iso(lackingSince), finding },
    ordersWaiting: row.ins + row.outs,
    ordersIn: { count: row.ins, amount: usdOf(row.inCents) },
    ordersOut: { count: row.outs, amount: usdOf(row.outCents) },
    ...suspensionLimitsOf(row, definition),
    fees: usdOf(row.feeCents),
  }
}

/** Which of its own rules suspended it. */
function ruleOf({
  status,
  actor,
  reason,
}: Pick<StrategyFacts, 'status' | 'actor' | 'reason'>): OperatorStrategy['rule'] {
  if (status !== 'suspended' || actor !== 'system') return null
  return reason === REASONS.drawdown ? 'drawdown' : reason === REASONS.band ? 'band' : null
}

function proposedOf({ proposal }: StrategyFacts): OperatorStrategy['proposed'] {
  if (proposal === null) return null
  const { id, action, by, name, at } = JSON.parse(proposal) as {
    id: string
    action: 'resume' | 'stop'
    by: string
    name: string
    at: number
  }
  return { _id: id, action, by: { _id: by, name }, at: iso(at) }
}

/** USD, of micro-USD, in whole cents. */
function wholeCents(microUsd: number): number {
  return Math.floor(microUsd / 10_000) / 100
}

function readStrategies(where: SQL, nowMs: number): Read<StrategyFacts> {
  const waiting = (kind: 'allocate' | 'redeem', what: SQL) => sql`
    (SELECT ${what} FROM (
      SELECT cents FROM unit_orders WHERE strategy = s.slug AND status = 'pending' AND kind = ${kind} LIMIT ${MOST}))`
  const resumed = sql`coalesce((
    SELECT max(at) FROM strategy_events WHERE strategy = s.slug AND kind = 'resumed'), 0)`
  const total = sql`coalesce(sum(cents), 0)`
  return reading(sql`
    SELECT s.slug, s.definition, s.hash, s.market, s.band, s.status, s.started_at AS startedAt,
           e.at AS since, e.actor, u.display_name AS actorName, e.reason,
           v.unit_price AS unitPrice, v.day AS valuedDay, v.kind AS valuedKind, v.net_value AS netValue, p.units, p.cash,
           f.day AS sinceDay, f.unit_price AS sincePrice,
           (SELECT max(unit_price) FROM valuations
             WHERE strategy = s.slug AND kind = 'close' AND day > max(${resumed}, ${nowMs - MOST_DAYS * DAY_MS})) AS peak,
           (SELECT count(*) FROM (
             SELECT 1 FROM positions WHERE strategy = s.slug AND units > 0 LIMIT ${MOST})) AS investors,
           t.day AS lastStep, t.at AS lastStepAt, c.lacking_since AS lackingSince, c.finding,
           ${waiting('allocate', sql`count(*)`)} AS ins, ${waiting('allocate', total)} AS inCents,
           ${waiting('redeem', sql`count(*)`)} AS outs, ${waiting('redeem', total)} AS outCents,
           (SELECT ${total} FROM (
             SELECT cents FROM unit_movements
             WHERE strategy = s.slug AND code = 'fee' AND at > ${nowMs - 365 * DAY_MS}
             ORDER BY at DESC LIMIT ${MOST})) AS feeCents,
           (SELECT json_object('id', q.id,
               'action', coalesce(json_extract(q.payload, '$.action'), 'resume'), 'by', q.proposed_by, 'name', a.display_name, 'at', q.created_at)
             FROM proposals q JOIN users a ON a.id = q.proposed_by
             WHERE q.status = 'pending' AND q.kind = 'strategy' AND json_extract(q.payload, '$.strategy') = s.slug
             LIMIT 1) AS proposal
    FROM strategies s JOIN pools p ON p.strategy = s.slug
      JOIN strategy_events e ON e.seq = (
        SELECT seq FROM strategy_events WHERE strategy = s.slug ORDER BY seq DESC LIMIT 1)
      LEFT JOIN users u ON u.id = e.actor
      LEFT JOIN candle_feeds c ON c.market = s.market
      LEFT JOIN pool_steps t ON t.strategy = s.slug AND t.day = (
        SELECT day FROM pool_steps WHERE strategy = s.slug ORDER BY day DESC LIMIT 1)
      LEFT JOIN valuations v ON v.strategy = s.slug AND (v.day, v.kind) = (
        SELECT day, kind FROM valuations WHERE strategy = s.slug ORDER BY day DESC, kind LIMIT 1)
      LEFT JOIN valuations f ON f.strategy = s.slug AND f.kind = 'open' AND f.day = (
        SELECT day FROM valuations WHERE strategy = s.slug AND kind = 'open' AND day > ${resumed} ORDER BY day LIMIT 1)
    WHERE ${where} ORDER BY s.slug`)
}
