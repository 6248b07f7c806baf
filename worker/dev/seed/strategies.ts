import { DAY_MS } from '../../../src/time.ts'
import { PaperBroker } from '../../investing/trading/broker.ts'
import { type Books, buildGapRow, readBooks } from '../../investing/trading/explain.ts'
import { gapParts } from '../../investing/trading/gap.ts'
import { findBrokenRule, readSince } from '../../investing/trading/judge.ts'
import type { Model } from '../../investing/trading/model.ts'
import type { Prices } from '../../investing/trading/prices.ts'
import { startStrategies } from '../../investing/trading/start.ts'
import { type Pool, readPool, readProgress } from '../../investing/trading/state.ts'
import { followDays, getBarIndex, loadModel } from '../../investing/trading/step.ts'
import {
  recordValuation,
  type StrategyValuation,
  valueAtClose,
  valueAtOpen,
} from '../../investing/trading/valuation.ts'
import { submitAllocation } from '../../ledger/strategies.ts'
import { newId, newRef } from '../../lib/crypto/tokens.ts'
import { type Database, parseStored, runBatch, type Statement } from '../../lib/database.ts'
import { gaps } from '../../lib/tables/gaps.ts'
import { poolSteps } from '../../lib/tables/strategies.ts'
import { simulatedPrices } from './simulatedPrices.ts'

const DAYS = 60
const MOST = 100

/** The sample investor's allocations and how many days ago they were made, chosen without regard to the result. */
const ALLOCATIONS = [
  { strategy: 'hold-the-index', cents: 60_000, daysAgo: 45 },
  { strategy: 'strongest-two', cents: 40_000, daysAgo: 35 },
  { strategy: 'slow-trend', cents: 25_000, daysAgo: 0 },
] as const

/**
 * Two months of running strategies, made by the platform's own steps with the clock set back: two positions of the sample
 * investor and a pending order. If it is interrupted, cron continues from there.
 */
export async function seedStrategies(db: Database, investor: string, nowMs: number): Promise<void> {
  const today = Math.floor(nowMs / DAY_MS) * DAY_MS
  const startedAt = today - DAYS * DAY_MS + 60_000
  const prices = simulateMarket(nowMs)
  await startStrategies(db, prices, startedAt, { most: MOST })
  for (const { slug } of await readProgress(db)) {
    const order = ALLOCATIONS.find(({ strategy }) => strategy === slug)
    const orderDay = today - (order?.daysAgo ?? 0) * DAY_MS
    const model = await loadModel({ prices, nowMs }, await readPool(db, slug))
    let day = today - (DAYS - 1) * DAY_MS
    while (day <= today) {
      day = await recordQuietDays(db, model, slug, day, day < orderDay ? orderDay : today)
      if (order !== undefined && day === orderDay)
        await seedAllocation(db, investor, order, day === today ? nowMs : day - 60_000)
      await follow(db, prices, slug, Math.min(nowMs, day + 60_000))
      day += DAY_MS
    }
  }
}

/**
 * Records in one batch the days without a settlement or trade. Returns the first other day, which is left to the step, as is a
 * close that would suspend the strategy.
 */
async function recordQuietDays(
  db: Database,
  model: Model,
  slug: string,
  first: number,
  before: number,
): Promise<number> {
  let pool = await readPool(db, slug)
  let since = await readSince(db, slug, first)
  const statements: Statement[] = []
  const record = async (day: number, kind: 'open' | 'close', valued: StrategyValuation, atMs: number) => {
    const { statement, latest } = await recordValuation(db, pool, day, kind, valued, atMs)
    statements.push(statement)
    pool = { ...pool, latest }
  }
  let books: Books | null = null
  let day = first
  for (; day < before && pool.status === 'active'; day += DAY_MS) {
    const bar = getBarIndex(model, day)
    const atMs = day + 60_000
    if (pool.latest?.kind === 'open') {
      const valued = valueAtClose(pool, model, bar - 1)
      const close = { day: day - DAY_MS, bar: bar - 1, unit: valued.unit }
      if (model.exits(bar - 1).length > 0 || findBrokenRule(pool, model, close, since) !== null) break
      books ??= await readBooks(db, pool, close.day)
      const row = buildGapRow(pool, model, { day: close.day, bar: bar - 1, valued }, books)
      const { cash, quantity } = pool
      books = {
        before: {
          unitPrice: valued.unit,
          follows: valued.follows,
          held: { net: valued.netValue, cash, quantity },
        },
        ...{
          fills: [],
          rests: [],
          flows: [],
          carried: parseStored(gapParts, row.carried),
          covered: 0,
        },
      }
      await record(close.day, 'close', valued, atMs)
      statements.push(db.insert(gaps).values(row))
      since = { ...since, peak: Math.max(since.peak, valued.unit) }
    }
    if (pool.units > 0 && model.opening(bar).trades.length > 0) break
    await record(day, 'open', valueAtOpen(pool, model, bar), atMs)
    statements.push(db.insert(poolSteps).values({ strategy: slug, day, at: atMs }))
  }
  if (statements.length > 0) await runBatch(db, statements)
  return day
}

async function follow(db: Database, prices: Prices, slug: string, nowMs: number): Promise<void> {
  const broker = ({ definition }: Pool) => new PaperBroker(definition.costs)
  for await (const _ of followDays({ db, prices, nowMs, broker }, slug));
}

async function seedAllocation(
  db: Database,
  investor: string,
  { strategy, cents }: (typeof ALLOCATIONS)[number],
  atMs: number,
): Promise<void> {
  const order = { id: newId(), ref: newRef('ALC'), investor, strategy, cents, atMs }
  await runBatch(db, [submitAllocation(db, order)])
}

/** The market up to now, computed once. A step reads no bar after its own day. */
function simulateMarket(nowMs: number): Prices {
  const made = new Map<string, ReturnType<Prices['days']>>()
  return {
    ...simulatedPrices,
    days(market, assets) {
      const days = made.get(assets.join()) ?? simulatedPrices.days(market, assets, nowMs)
      made.set(assets.join(), days)
      return days
    },
  }
}
