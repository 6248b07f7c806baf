import { at } from '../../../engine/at.ts'
import { runBacktest } from '../../../engine/backtest/backtest.ts'
import { REAL_TESTS } from '../../../engine/backtest/realTests.ts'
import { CATALOGUE, type OfferedStrategy } from '../../../engine/catalogue.ts'
import type { Market } from '../../../engine/market/market.ts'
import { TESTED_UNTIL } from '../../../engine/market/simulatedMarket.ts'
import { hashDefinition, toCanonicalJson } from '../../../src/contract/investing/strategyRecord.ts'
import { DAY_MS } from '../../../src/time.ts'
import { recordAudit } from '../../http/audit.ts'
import { type Database, runBatch } from '../../lib/database.ts'
import { formatIsoDay } from '../../lib/days.ts'
import { strategies } from '../../lib/tables/strategies.ts'
import { SIMULATED } from '../candles/markets.ts'
import { MissingCandles } from '../candles/read.ts'
import type { Prices } from './prices.ts'
import { REAL_BANDS, TESTED_FIGURES } from './testedFigures.ts'

/** The most strategies to try to start on each market in one run. */
const MOST = 1

interface StartOptions {
  /** The real market whose daily bars are stored. With null no strategy on real coins starts. */
  readonly realMarket?: string | null
  readonly most?: number
}

/**
 * Starts new strategies: those of the catalogue on the simulated market, and those of `REAL_TESTS` on the real one, if there is
 * one. Definition and expected band are frozen, and the pool is empty. A changed entry starts no strategy: it needs a new slug.
 * Each start is one batch. One is started per market and minute, because its test takes a while.
 */
export async function startStrategies(
  db: Database,
  prices: Prices,
  nowMs: number,
  { realMarket = null, most = MOST }: StartOptions = {},
): Promise<void> {
  const rows = await db.select({ slug: strategies.slug }).from(strategies)
  const started = new Set(rows.map(({ slug }) => slug))
  const isNew = ({ slug }: OfferedStrategy) => !started.has(slug)
  for (const offered of CATALOGUE.filter(isNew).slice(0, most))
    await start(db, prices, offered, SIMULATED, simulatedBand, nowMs)
  if (realMarket === null) return
  for (const offered of rotateByMinute(REAL_TESTS.filter(isNew), nowMs).slice(0, most))
    await start(db, prices, offered, realMarket, testedBand, nowMs)
}

/** Begins with another strategy each minute, so that a coin without bars does not delay strategies on other coins. */
function rotateByMinute<Each>(all: readonly Each[], nowMs: number): readonly Each[] {
  const first = Math.floor(nowMs / 60_000) % Math.max(1, all.length)
  return [...all.slice(first), ...all.slice(0, first)]
}

/** The expected band as JSON. */
type BandOf = (offered: OfferedStrategy, days: Market) => string

async function start(
  db: Database,
  prices: Prices,
  offered: OfferedStrategy,
  market: string,
  bandOf: BandOf,
  nowMs: number,
): Promise<void> {
  const { slug, minimumCents, definition } = offered
  const days = await prices.days(market, definition.assets, nowMs).catch((error: unknown) => {
    // Its market has no candles yet, which the candle feed reports.
    if (error instanceof MissingCandles) return null
    throw error
  })
  if (days === null) return
  const hash = await hashDefinition(definition)
  await runBatch(db, [
    db.insert(strategies).values({
      slug,
      definition: toCanonicalJson(definition),
      hash,
      market,
      minimum: minimumCents,
      startedAt: nowMs,
      band: bandOf(offered, days),
    }),
    recordAudit(db, 'system', { action: 'strategy.started', subject: slug, detail: { hash } }, nowMs),
  ])
}

/** The band of a test on the simulated market's days until now. */
const simulatedBand: BandOf = ({ definition }, days) => {
  // The last bar has opened and not closed. The published test ends earlier, and its band is the one to compare with.
  const closed = Math.min(at(days.time, days.time.length - 1), TESTED_UNTIL) - DAY_MS
  return JSON.stringify(runBacktest(days, definition, { light: true, until: formatIsoDay(closed) }).band)
}

/** The band of the published test on stored files. A provider has too few days for a band. */
const testedBand: BandOf = ({ slug, definition }) => {
  const band = REAL_BANDS[slug]
  if (band === undefined || TESTED_FIGURES[slug]?.definition !== toCanonicalJson(definition))
    throw new Error(`${slug} was not tested: run \`npm run tested-figures\``)
  return band
}
