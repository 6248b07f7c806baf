import { sql } from 'drizzle-orm'
import type { OperatorHealth } from '../../../src/contract/console/health.ts'
import type { StrategyStatus } from '../../../src/contract/investing/strategies.ts'
import { iso } from '../../http/paging.ts'
import { strategyName } from '../../investing/trading/notices.ts'
import { type Read, reading } from '../../lib/database.ts'
import { type Followed, lateSince } from './late.ts'

interface Trouble extends Followed {
  readonly slug: string
  readonly status: StrategyStatus
  readonly since: number
  readonly reason: string | null
  readonly lackingSince: number | null
}

/** How each strategy stands, with its newest event and step. */
export function readTrouble(): Read<Trouble> {
  return reading(sql`
    SELECT s.slug, s.status, s.started_at AS startedAt, e.at AS since, e.reason, c.lacking_since AS lackingSince,
           (SELECT day FROM pool_steps WHERE strategy = s.slug ORDER BY day DESC LIMIT 1) AS lastStep
    FROM strategies s
      JOIN strategy_events e ON e.seq = (
        SELECT seq FROM strategy_events WHERE strategy = s.slug ORDER BY seq DESC LIMIT 1)
      LEFT JOIN candle_feeds c ON c.market = s.market
    ORDER BY s.slug`)
}

/** Those that are suspended, late, or lack bars. */
export function troubled(rows: readonly Trouble[], nowMs: number): OperatorHealth['strategies'] {
  return rows.flatMap((row) => {
    const late = lateSince(row, nowMs)
    if (row.status !== 'suspended' && late === null && row.lackingSince === null) return []
    return {
      _id: row.slug,
      name: strategyName(row.slug),
      status: row.status,
      since: iso(row.since),
      reason: row.reason,
      lateSince: late === null ? null : iso(late),
      lackingSince: row.lackingSince === null ? null : iso(row.lackingSince),
    }
  })
}
