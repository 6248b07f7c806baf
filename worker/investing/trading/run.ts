import type { Database } from '../../lib/database.ts'
import type { Env } from '../../lib/env.ts'
import { processItems } from '../../lib/processItems.ts'
import { hasBudget } from '../../lib/workBudget.ts'
import { findRealMarket } from '../candles/provider.ts'
import { type Broker, PaperBroker } from './broker.ts'
import { updateDisplays } from './displays.ts'
import { notifyInvestors } from './notices.ts'
import { createStoredPrices, type Prices } from './prices.ts'
import { createBrokerFactory, createTradePrices } from './realMoney.ts'
import { startStrategies } from './start.ts'
import { type Pool, readProgress, readVersion } from './state.ts'
import { findDuePhase, followDays, type Surroundings } from './step.ts'

/** The most batches of one run; the rest follows a minute later. */
const MOST_BATCHES = 300
/** More than a batch takes, with the reads before it. */
const STATEMENTS = 40

/**
 * The strategies' work of each minute: starts new ones, continues every strategy's days, notifies investors of suspensions,
 * and updates the displayed unit prices hourly. A strategy whose bars are missing waits; the others go on.
 */
export async function runStrategies(env: Env, db: Database, nowMs: number): Promise<void> {
  const prices = createTradePrices(env, createStoredPrices(db))
  const failures: unknown[] = []
  const tryTask = async (work: () => Promise<void>) => {
    await work().catch((error: unknown) => failures.push(error))
  }
  await tryTask(() => startStrategies(db, prices, nowMs, { realMarket: findRealMarket(env) }))
  await tryTask(() => followAll(db, prices, nowMs, MOST_BATCHES, createBrokerFactory(env, db)))
  await tryTask(() => notifyInvestors(env, db, nowMs))
  await tryTask(() => updateDisplays(db, prices, nowMs))
  if (failures.length > 0) throw failures[0]
}

const onPaper = ({ definition }: Pool) => new PaperBroker(definition.costs)

/** Continues every strategy with something due. Round-robin, for fairness. */
export async function followAll(
  db: Database,
  prices: Prices,
  nowMs: number,
  most = MOST_BATCHES,
  broker: (pool: Pool) => Broker = onPaper,
): Promise<void> {
  const progress = await readProgress(db)
  const slugs = progress.flatMap((strategy) =>
    findDuePhase(strategy, nowMs) === null ? [] : [strategy.slug],
  )
  const first = slugs.length > 0 ? Math.floor(nowMs / 60_000) % slugs.length : 0
  let left = most
  await processItems(db, STATEMENTS, [...slugs.slice(first), ...slugs.slice(0, first)], async (slug) => {
    if (left > 0) left -= await followOne({ db, prices, nowMs, broker }, slug, left)
  })
}

/**
 * Continues one strategy for at most so many batches, and returns how many it committed. Another run may have been faster: after a
 * failure this one tries once more from there. If that fails too, it throws, unless something has moved on meanwhile.
 */
async function followOne(services: Surroundings, slug: string, most: number): Promise<number> {
  const { db } = services
  let batches = 0
  const follow = async () => {
    for await (const _ of followDays(services, slug))
      if (++batches >= most || !hasBudget(db, STATEMENTS)) break
  }
  await follow().catch(async () => {
    const version = await readVersion(db, slug)
    await follow().catch(async (error: unknown) => {
      if ((await readVersion(db, slug)) === version) throw error
    })
  })
  return batches
}
