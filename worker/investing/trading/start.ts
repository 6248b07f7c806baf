import { sql } from 'drizzle-orm'
import { at } from '../../../engine/at.ts'
import { backtest } from '../../../engine/backtest.ts'
import { CATALOGUE, type Offered } from '../../../engine/catalogue.ts'
import { DAY_MS } from '../../../engine/metrics/dailyEquity.ts'
import { TESTED_UNTIL } from '../../../engine/simulatedMarket.ts'
import { canonicalJson, definitionHash } from '../../../src/contract/investing/strategyRecord.ts'
import { recordAudit } from '../../http/audit.ts'
import { type Database, runBatch } from '../../lib/database.ts'
import { isoDay } from '../../lib/days.ts'
import { strategies } from '../../lib/tables/strategies.ts'
import { MissingCandles } from '../candles/read.ts'
import type { Prices } from './prices.ts'

/** The market of the catalogue's assets. */
export const MARKET = 'simulated'

/**
 * Starts the strategies of the catalogue that are new: definition and expected band are frozen, the pool is empty. A
 * changed entry starts nothing: it needs a new slug. Each is one batch and, since its test takes a while, one is started
 * per minute.
 */
export async function startStrategies(db: Database, prices: Prices, nowMs: number, most = 1): Promise<void> {
  let started = 0
  const rows = await db.all<{ slug: string }>(sql`SELECT slug FROM strategies`)
  for (const offered of CATALOGUE) {
    if (started >= most || rows.some(({ slug }) => slug === offered.slug)) continue
    started++
    try {
      await start(db, prices, offered, nowMs)
    } catch (error) {
      // Its market has no candles yet, which the candle feed reports.
      if (!(error instanceof MissingCandles)) throw error
    }
  }
}

async function start(db: Database, prices: Prices, offered: Offered, nowMs: number): Promise<void> {
  const { slug, minimumCents, definition } = offered
  const market = await prices.days(MARKET, definition.assets, nowMs)
  // The last bar has opened and not closed. The test that is shown ends earlier, and its band is the one to hold to.
  const closed = Math.min(at(market.time, market.time.length - 1), TESTED_UNTIL) - DAY_MS
  const until = isoDay(closed)
  const { band } = backtest(market, definition, { light: true, until })
  const hash = await definitionHash(definition)
  await runBatch(db, [
    db.insert(strategies).values({
      slug,
      definition: canonicalJson(definition),
      hash,
      market: MARKET,
      minimum: minimumCents,
      startedAt: nowMs,
      band: JSON.stringify(band),
    }),
    recordAudit(db, 'system', { action: 'strategy.started', subject: slug, detail: { hash } }, nowMs),
  ])
}
