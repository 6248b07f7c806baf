import { sql } from 'drizzle-orm'
import type { OperatorStrategy } from '../../../src/contract/operator/strategies.ts'
import type { StrategyStatus } from '../../../src/contract/strategies.ts'
import { type ActorCall, type Answer, ok } from '../../lib/call.ts'
import { type Read, reading, readTogether } from '../../lib/database.ts'
import { refuse } from '../../lib/errors.ts'
import { iso } from '../../lib/paging.ts'
import { strategyName } from '../../strategies/tell.ts'
import { dayName } from '../../strategies/valuation.ts'

const DAY_MS = 86_400_000
/** A day's step is done within minutes of its open. */
const GRACE_MS = 3_600_000

export interface StrategyFacts {
  readonly slug: string
  readonly status: StrategyStatus
  readonly since: number
  readonly actor: string
  readonly actorName: string | null
  readonly reason: string | null
  readonly startedAt: number
  readonly unitPrice: number | null
  readonly netValue: number | null
  readonly units: number
  readonly investors: number
  readonly lastStep: number | null
  readonly ordersWaiting: number
}

/** Every strategy, by name: there are as many as the catalogue ever had. */
export async function listStrategies(call: ActorCall): Promise<Answer<OperatorStrategy[]>> {
  const [rows] = await readTogether(call.db, readStrategies(sql`1`))
  return ok(rows.map((row) => strategyRow(row, call.nowMs)))
}

/** The strategy that `:id` names. */
export async function loadStrategy(call: ActorCall): Promise<StrategyFacts> {
  const [[row]] = await readTogether(call.db, readStrategies(sql`s.slug = ${call.params.id ?? ''}`))
  return row ?? refuse('not_found')
}

export function strategyRow(row: StrategyFacts, nowMs: number): OperatorStrategy {
  const { slug, status, actor, actorName, reason, unitPrice, netValue, lastStep } = row
  const first = Math.floor(row.startedAt / DAY_MS) * DAY_MS + DAY_MS
  const due = lastStep === null ? first : lastStep + DAY_MS
  return {
    _id: slug,
    name: strategyName(slug),
    status,
    since: iso(row.since),
    by: actorName === null ? null : { _id: actor, name: actorName },
    reason,
    startedAt: iso(row.startedAt),
    unitPrice: unitPrice === null ? null : unitPrice / 1e6,
    netValue: netValue === null ? null : Math.floor(netValue / 10_000) / 100,
    units: row.units / 1e6,
    investors: row.investors,
    lastStep: lastStep === null ? null : dayName(lastStep),
    behind: status !== 'stopped' && nowMs > due + GRACE_MS,
    ordersWaiting: row.ordersWaiting,
  }
}

function readStrategies(where: ReturnType<typeof sql>): Read<StrategyFacts> {
  return reading(sql`
    SELECT s.slug, s.status, e.at AS since, e.actor, u.display_name AS actorName, e.reason, s.started_at AS startedAt,
           v.unit_price AS unitPrice, v.net_value AS netValue, p.units,
           (SELECT count(*) FROM positions WHERE strategy = s.slug AND units > 0) AS investors,
           (SELECT max(day) FROM pool_steps WHERE strategy = s.slug) AS lastStep,
           (SELECT count(*) FROM unit_orders WHERE strategy = s.slug AND status = 'pending') AS ordersWaiting
    FROM strategies s JOIN pools p ON p.strategy = s.slug
      JOIN strategy_events e ON e.seq = (
        SELECT seq FROM strategy_events WHERE strategy = s.slug ORDER BY seq DESC LIMIT 1)
      LEFT JOIN users u ON u.id = e.actor
      LEFT JOIN valuations v ON v.strategy = s.slug AND (v.day, v.kind) = (
        SELECT day, kind FROM valuations WHERE strategy = s.slug ORDER BY day DESC, kind LIMIT 1)
    WHERE ${where} ORDER BY s.slug`)
}
