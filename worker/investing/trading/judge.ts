import { desc, eq, max, sql } from 'drizzle-orm'
import type { Band } from '../../../engine/backtest/backtestResult.ts'
import { computeBandLines } from '../../../engine/backtest/band.ts'
import { isDrawdownReached } from '../../../engine/definition.ts'
import { isPausedAt } from '../../../engine/run.ts'
import { DAY_MS } from '../../../src/time.ts'
import { recordAudit } from '../../http/audit.ts'
import { START_PRICE } from '../../ledger/units.ts'
import { type Database, parseStored, readTogether, type Statement, selectRows } from '../../lib/database.ts'
import { strategies, strategyEvents, valuations } from '../../lib/tables/strategies.ts'
import type { Model } from './model.ts'
import type { Pool } from './state.ts'
import { storedBand } from './stored.ts'

const SYSTEM = 'system'

/** The close to judge. */
interface Close {
  readonly day: number
  readonly bar: number
  /** Micro-USD for one unit. */
  readonly unit: number
}

/**
 * The rule that a close broke. The drawdown rule pauses a strategy, or ends its trading if it has no pause. Leaving the band only means
 * that it does not behave as in its test.
 */
export type Verdict = 'drawdown' | 'band' | null

/** The reasons that a suspended strategy shows. After its drawdown rule, only its own rule resumes it. A trigger knows how `pause` begins. */
export const REASONS = {
  pause:
    'It hit its own drawdown limit. It waits in cash as long as its rules say, then trades again by its own signal.',
  drawdown: 'It hit its own drawdown limit. By its rules it never buys again.',
  venue:
    'The exchange holds something other than our books say. It stays suspended until two operators have explained the difference.',
  band: 'It gained less than in 99 of 100 outcomes that its test expects. It may have stopped working.',
} as const

/** Whether a strategy was suspended for its own drawdown limit. */
export function isDrawdownReason(reason: string | null): boolean {
  return reason === REASONS.pause || reason === REASONS.drawdown
}

/**
 * The statements that suspend a strategy if this close broke one of its rules, and those that resume it at the end of its pause. It
 * trades at the next open.
 */
export async function checkClose(
  db: Database,
  pool: Pool,
  model: Model,
  close: Close,
  nowMs: number,
): Promise<Statement[]> {
  if (pool.status === 'suspended') return await endPause(db, pool, model, close, nowMs)
  if (pool.status === 'stopped') return []
  const since = await readSince(db, pool.slug, close.day)
  const verdict = findBrokenRule(pool, model, close, since)
  if (verdict === null) return []
  const isPause = verdict === 'drawdown' && pool.definition.risk.pauseDays !== undefined
  return buildSuspensionStatements(db, pool.slug, REASONS[isPause ? 'pause' : verdict], nowMs)
}

/** Resumes a strategy that waited as long as its rules say, unless its model still waits. Its record is measured anew from then on. */
async function endPause(
  db: Database,
  { slug, definition }: Pool,
  model: Model,
  { day, bar }: Close,
  nowMs: number,
): Promise<Statement[]> {
  const { pauseDays } = definition.risk
  if (pauseDays === undefined || isPausedAt(model.run, bar)) return []
  const [latest] = await db
    .select({ at: strategyEvents.at, actor: strategyEvents.actor, reason: strategyEvents.reason })
    .from(strategyEvents)
    .where(eq(strategyEvents.strategy, slug))
    .orderBy(desc(strategyEvents.seq))
    .limit(1)
  if (latest?.actor !== SYSTEM || latest.reason !== REASONS.pause) return []
  // Its suspension was recorded on the day after the close.
  const firstDay = Math.floor(latest.at / DAY_MS) * DAY_MS
  const nextOpen = day + DAY_MS
  if (nextOpen < firstDay + pauseDays * DAY_MS) return []
  const audited = { action: 'strategy.resumed', subject: slug, detail: { reason: RESUMED } } as const
  return [
    db
      .insert(strategyEvents)
      .values({ strategy: slug, at: nextOpen, kind: 'resumed', reason: RESUMED, actor: SYSTEM }),
    recordAudit(db, SYSTEM, audited, nowMs),
  ]
}

const RESUMED = 'Its pause after its drawdown limit is over.'

/** The statements that suspend a strategy for one of `REASONS`. */
export function buildSuspensionStatements(
  db: Database,
  slug: string,
  reason: string,
  nowMs: number,
): Statement[] {
  const audited = { action: 'strategy.suspended', subject: slug, detail: { reason } } as const
  return [
    db.insert(strategyEvents).values({ strategy: slug, at: nowMs, kind: 'suspended', reason, actor: SYSTEM }),
    recordAudit(db, SYSTEM, audited, nowMs),
  ]
}

/** The start of the measured record: the strategy's start, or the first open after it was resumed. */
interface Since {
  readonly band: Band | null
  readonly day: number
  readonly unit: number
  /** The highest close from then on, before this one. */
  readonly peak: number
}

/** The rule that a close broke: the model ended or pauses, the pool itself fell too far, or it left its band. Null for none. */
export function findBrokenRule(
  pool: Pick<Pool, 'definition'>,
  model: { readonly run: Pick<Model['run'], 'stopped' | 'pauses'> },
  { day, bar, unit }: Close,
  since: Since,
): Verdict {
  const { stopped } = model.run
  if ((stopped !== null && stopped.bar <= bar) || isPausedAt(model.run, bar)) return 'drawdown'
  if (isDrawdownReached(unit, Math.max(since.peak, since.unit), pool.definition.risk)) return 'drawdown'
  if (since.band === null) return null
  const days = (day - since.day) / DAY_MS + 1
  return unit / since.unit < computeBandLines(since.band, days).lower99 ? 'band' : null
}

/** The values that a day's close is compared with. */
export async function readSince(db: Database, slug: string, day: number): Promise<Since> {
  const resumed = sql`coalesce((
    SELECT max(at) FROM strategy_events WHERE strategy = ${slug} AND kind = 'resumed'), 0)`
  const [[first], [highest], [frozen]] = await readTogether(
    db,
    selectRows({ day: valuations.day, unit: valuations.unitPrice })
      .from(valuations)
      .where(sql`strategy = ${slug} AND kind = 'open' AND day >= ${resumed}`)
      .orderBy(valuations.day)
      .limit(1),
    selectRows({ peak: max(valuations.unitPrice) })
      .from(valuations)
      .where(sql`strategy = ${slug} AND kind = 'close' AND day >= ${resumed} AND day < ${day}`),
    selectRows({ band: strategies.band }).from(strategies).where(eq(strategies.slug, slug)),
  )
  const band = frozen?.band ?? null
  return {
    band: band === null ? null : parseStored(storedBand, band),
    day: first?.day ?? day,
    unit: first?.unit ?? START_PRICE,
    peak: highest?.peak ?? 0,
  }
}
