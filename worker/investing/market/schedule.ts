import { sql } from 'drizzle-orm'
import type { Database, Statement } from '../../lib/database.ts'
import { marketFeeds } from '../../lib/tables/market.ts'

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS

/**
 * How often each list is requested. CoinGecko's free keys allow 10,000 calls a month, including failed ones. In 31 days two lists
 * every ten minutes are 8,928 calls, an early retry of each every two hours at most 744, and the series 186: together 9,858.
 */
export const FEEDS = {
  coins: 10 * MINUTE_MS,
  trending: 10 * MINUTE_MS,
  series: 4 * HOUR_MS,
} as const
export type FeedName = keyof typeof FEEDS

/** After a failure a list is requested earlier, so that one failure leaves it at most 15 minutes old. */
const HURRIED_MS = 5 * MINUTE_MS
/** But not repeatedly, which would use up the month's calls. */
const HURRIED_EVERY_MS = 2 * HOUR_MS
const LONGEST_PAUSE_MS = HOUR_MS
/** The longest pause that a provider can ask for. */
const LONGEST_RETRY_AFTER_MS = 24 * HOUR_MS

export interface Claim {
  readonly failures: number
  readonly hurriedAtMs: number
}

/**
 * Claims the next request of a list. Null if it is not due or another run claimed it. One statement decides, so two runs never
 * request it twice. If a run dies, the next turn takes over.
 */
export async function claimFeed(db: Database, name: FeedName, nowMs: number): Promise<Claim | null> {
  const [claimed] = await db
    .insert(marketFeeds)
    .values({ name, dueAt: nowMs + FEEDS[name] })
    .onConflictDoUpdate({
      target: marketFeeds.name,
      set: { dueAt: nowMs + FEEDS[name] },
      setWhere: sql`${marketFeeds.dueAt} <= ${nowMs}`,
    })
    .returning({ failures: marketFeeds.failures, hurriedAtMs: marketFeeds.hurriedAt })
  return claimed ?? null
}

/** Records that a list was received, with the finding about it. */
export function recordSuccess(name: FeedName, finding: string | null): Statement {
  return sql`UPDATE market_feeds SET failures = 0, finding = ${finding} WHERE name = ${name}`
}

/** Records a failure, and when the next try is. */
export function recordFailure(
  name: FeedName,
  next: { dueAtMs: number; hurried: boolean },
  finding: string,
  nowMs: number,
): Statement {
  return sql`
    UPDATE market_feeds
    SET failures = failures + 1, finding = ${finding.slice(0, 200)}, due_at = ${next.dueAtMs},
      hurried_at = CASE WHEN ${next.hurried ? 1 : 0} THEN ${nowMs} ELSE hurried_at END
    WHERE name = ${name}`
}

/**
 * When to request a failed list again: after five minutes, unless that was done within two hours. Otherwise in its normal turn,
 * and at growing intervals up to an hour while it fails. Never earlier than the provider allows.
 */
export function computeNextTry(
  name: FeedName,
  { failures, hurriedAtMs }: Claim,
  retryAfterMs: number,
  nowMs: number,
): { dueAtMs: number; hurried: boolean } {
  const hurried =
    failures === 0 &&
    name !== 'series' &&
    retryAfterMs <= HURRIED_MS &&
    hurriedAtMs + HURRIED_EVERY_MS <= nowMs
  if (hurried) return { dueAtMs: nowMs + HURRIED_MS, hurried }
  const pauseMs = Math.max(
    FEEDS[name],
    Math.min(LONGEST_PAUSE_MS, FEEDS[name] * 2 ** Math.max(0, failures - 1)),
  )
  return {
    dueAtMs: nowMs + Math.max(pauseMs, Math.min(retryAfterMs, LONGEST_RETRY_AFTER_MS)),
    hurried,
  }
}
