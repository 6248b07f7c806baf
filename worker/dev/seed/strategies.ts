import { DAY_MS } from '../../../engine/metrics/dailyEquity.ts'
import { fileAllocation } from '../../ledger/strategies.ts'
import { START_PRICE } from '../../ledger/units.ts'
import { newId, newRef } from '../../lib/crypto/tokens.ts'
import { type Database, runBatch, type Statement } from '../../lib/database.ts'
import { PaperBroker } from '../../strategies/broker.ts'
import { readBand, verdictOf } from '../../strategies/judge.ts'
import type { Prices } from '../../strategies/prices.ts'
import { startStrategies } from '../../strategies/start.ts'
import { type Pool, readPool, readStandings } from '../../strategies/state.ts'
import { barOf, followDays, modelFor } from '../../strategies/step.ts'
import { poolSteps } from '../../strategies/tables.ts'
import { recordValuation, valueAtClose, valueAtOpen } from '../../strategies/valuation.ts'
import { simulatedPrices } from './simulatedPrices.ts'

const DAYS = 60
const MOST = 100
const nobody = () => ({ coming: 0, going: 0 })

/** What the sample investor allocates, and how many days ago: chosen without a look at what came of it. */
const ALLOCATIONS = [
  { strategy: 'hold-the-index', cents: 60_000, daysAgo: 45 },
  { strategy: 'strongest-two', cents: 40_000, daysAgo: 35 },
  { strategy: 'slow-trend', cents: 25_000, daysAgo: 0 },
] as const

/**
 * Two months of strategies that run, by the platform's own steps with their clocks set back: two positions of the sample investor, and
 * an order that waits. Where it is interrupted, the cron goes on from there.
 */
export async function seedStrategies(db: Database, investor: string, nowMs: number): Promise<void> {
  const today = Math.floor(nowMs / DAY_MS) * DAY_MS
  const startedAt = today - DAYS * DAY_MS + 60_000
  const prices = followedBy(nowMs)
  await startStrategies(db, prices, startedAt, MOST)
  for (const { slug } of await readStandings(db)) {
    const order = ALLOCATIONS.find(({ strategy }) => strategy === slug)
    const orderedAgo = order?.daysAgo ?? 0
    await recordEmptyDays(db, prices, slug, { today, nowMs, orderedAgo })
    if (order !== undefined)
      await allocate(db, investor, order, orderedAgo === 0 ? nowMs : today - orderedAgo * DAY_MS - 60_000)
    for (let ago = orderedAgo; ago >= 0; ago--) {
      await follow(db, prices, slug, Math.min(nowMs, today - ago * DAY_MS + 60_000))
    }
  }
}

interface Until {
  readonly today: number
  readonly nowMs: number
  readonly orderedAgo: number
}

/**
 * The days before somebody comes, written down in one batch: while nobody holds a unit and nothing waits, there is nothing to settle.
 * Ends before a close that would suspend the strategy, and leaves it to the step.
 */
async function recordEmptyDays(
  db: Database,
  prices: Prices,
  slug: string,
  { today, nowMs, orderedAgo }: Until,
): Promise<void> {
  let pool = await readPool(db, slug)
  const model = await modelFor({ prices, nowMs }, pool)
  const statements: Statement[] = []
  const since = {
    band: await readBand(db, slug),
    day: today - (DAYS - 1) * DAY_MS,
    unit: START_PRICE,
    peak: 0,
  }
  for (let ago = DAYS - 1; ago > orderedAgo; ago--) {
    const day = today - ago * DAY_MS
    const bar = barOf(model, day)
    const open = await recordValuation(
      db,
      pool,
      day,
      'open',
      valueAtOpen(pool, model, bar, nobody),
      day + 60_000,
    )
    pool = { ...pool, latest: open.latest }
    const valued = valueAtClose(pool, model, bar)
    if (verdictOf(pool, model, { day, bar, unit: valued.unit }, since) !== null) break
    const close = await recordValuation(db, pool, day, 'close', valued, day + DAY_MS + 60_000)
    pool = { ...pool, latest: close.latest }
    since.peak = Math.max(since.peak, valued.unit)
    statements.push(
      open.statement,
      db.insert(poolSteps).values({ strategy: slug, day, at: day + 60_000 }),
      close.statement,
    )
  }
  await runBatch(db, statements)
}

async function follow(db: Database, prices: Prices, slug: string, nowMs: number): Promise<void> {
  const broker = ({ definition }: Pool) => new PaperBroker(definition.costs)
  for await (const _ of followDays({ db, prices, nowMs, broker }, slug));
}

async function allocate(
  db: Database,
  investor: string,
  { strategy, cents }: (typeof ALLOCATIONS)[number],
  atMs: number,
): Promise<void> {
  const order = { id: newId(), ref: newRef('ALC'), investor, strategy, cents, atMs }
  await runBatch(db, [fileAllocation(db, order)])
}

/** The market up to now, made once: a step looks at no bar after its own day. */
function followedBy(nowMs: number): Prices {
  const made = new Map<string, ReturnType<Prices['days']>>()
  return {
    ...simulatedPrices,
    days(market, assets) {
      const known = made.get(assets.join()) ?? simulatedPrices.days(market, assets, nowMs)
      made.set(assets.join(), known)
      return known
    },
  }
}
