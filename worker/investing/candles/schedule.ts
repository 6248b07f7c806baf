import { sql } from 'drizzle-orm'
import { DAY_MS } from '../../../src/time.ts'
import type { Database, Statement } from '../../lib/database.ts'
import { candleFeeds } from '../../lib/tables/market.ts'

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
/** After this time another run may take over a market from a run that died. */
const TURN_MS = 5 * MINUTE_MS
/** The longest pause that a provider can ask for. */
const LONGEST_RETRY_AFTER_MS = 24 * HOUR_MS

export interface Claim {
  readonly failures: number
  readonly held: string
}

/** Claims the next run of a market; null if it is not due or claimed by another run. One statement decides. */
export async function claimCandles(db: Database, market: string, nowMs: number): Promise<Claim | null> {
  const [claimed] = await db
    .insert(candleFeeds)
    .values({ market, dueAt: nowMs + TURN_MS })
    .onConflictDoUpdate({
      target: candleFeeds.market,
      set: { dueAt: nowMs + TURN_MS },
      setWhere: sql`${candleFeeds.dueAt} <= ${nowMs}`,
    })
    .returning({ failures: candleFeeds.failures, held: candleFeeds.held })
  return claimed ?? null
}

/** The result of a turn. */
export interface Outcome {
  /** `whole`: up to date. `more`: there are more bars to request. `lacking`: some bars are missing. */
  readonly state: 'whole' | 'more' | 'lacking'
  readonly retryAfterMs: number
  /** Whether closed bars are missing. */
  readonly isBehind: boolean
  readonly finding: string | null
  /** As JSON. */
  readonly held: string
}

/** Records the result of a turn, and the time of the next one. */
export function recordTurn(market: string, { failures }: Claim, outcome: Outcome, nowMs: number): Statement {
  return sql`
    UPDATE candle_feeds
    SET due_at = ${computeNextTurn(outcome, failures, nowMs)},
      failures = ${outcome.state === 'lacking' ? failures + 1 : 0},
      lacking_since = ${outcome.isBehind ? sql`COALESCE(lacking_since, ${nowMs})` : null},
      finding = ${outcome.finding?.slice(0, 500) ?? null},
      held = ${outcome.held}
    WHERE market = ${market}`
}

/**
 * When to request a market again: each hour and right after midnight. If there is more, the next minute. If something was
 * missing, after five minutes and then at growing intervals up to an hour. Never earlier than the provider allows.
 */
export function computeNextTurn(
  { state, retryAfterMs }: Pick<Outcome, 'state' | 'retryAfterMs'>,
  failures: number,
  nowMs: number,
): number {
  if (state === 'more') return nowMs + MINUTE_MS
  if (state === 'lacking') {
    const pauseMs = Math.min(HOUR_MS, TURN_MS * 2 ** Math.min(failures, 10))
    return nowMs + Math.max(pauseMs, Math.min(retryAfterMs, LONGEST_RETRY_AFTER_MS))
  }
  const midnight = (Math.floor(nowMs / DAY_MS) + 1) * DAY_MS
  return Math.min((Math.floor(nowMs / HOUR_MS) + 1) * HOUR_MS, midnight)
}
