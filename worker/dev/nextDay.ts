import { DAY_MS } from '../../engine/metrics/dailyEquity.ts'
import { iso } from '../http/paging.ts'
import { fileOnward } from '../investing/allocations/onward.ts'
import { PaperBroker } from '../investing/trading/broker.ts'
import { readPool } from '../investing/trading/state.ts'
import { followDays } from '../investing/trading/step.ts'
import { openDatabase } from '../lib/database.ts'
import type { Env } from '../lib/env.ts'
import { simulatedPrices } from './seed/simulatedPrices.ts'

/**
 * Goes through the next day of one strategy as the cron will when it has come: what was ordered is settled, and what was to be
 * withdrawn with it is filed. Answers a moment of that day, which is the time for whoever goes on from there.
 */
export async function nextDay(env: Env, slug: string): Promise<{ at: string }> {
  const db = openDatabase(env.DB)
  const { latest, startedAt, definition } = await readPool(db, slug)
  const day = (latest?.day ?? Math.floor(startedAt / DAY_MS) * DAY_MS) + DAY_MS
  const nowMs = day + DAY_MS / 2
  const broker = new PaperBroker(definition.costs)
  for await (const _ of followDays({ db, prices: simulatedPrices, nowMs, broker: () => broker }, slug));
  await fileOnward(env, db, nowMs)
  return { at: iso(nowMs) }
}
