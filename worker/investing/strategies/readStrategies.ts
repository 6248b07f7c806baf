import { and, eq, type SQL, sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/sqlite-core'
import type { Band } from '../../../engine/backtest/backtestResult.ts'
import { computeBandLines } from '../../../engine/backtest/band.ts'
import { LEVEL_WORDS } from '../../../engine/backtest/overfitWords.ts'
import { type Definition, DOES } from '../../../engine/definition.ts'
import { REAL_PAIRS } from '../../../engine/market/realPairs.ts'
import { SIMULATED_ASSETS } from '../../../engine/market/simulatedAssets.ts'
import { computeMaximumDrawdown } from '../../../engine/metrics/drawdown.ts'
import { STRATEGIES } from '../../../engine/strategies/registry.ts'
import type { Strategy, StrategyDetail } from '../../../src/contract/investing/strategies.ts'
import { toCanonicalJson } from '../../../src/contract/investing/strategyRecord.ts'
import { toUsd } from '../../../src/contract/money.ts'
import { DAY_MS } from '../../../src/time.ts'
import type { Call } from '../../http/call.ts'
import { toIso } from '../../http/paging.ts'
import { answerWithTag } from '../../http/tagged.ts'
import { d, getLatestPrice, IS_DISPLAYED, IS_NEWEST, LATEST_FIELDS, s, v } from '../../ledger/latestPrice.ts'
import { START_PRICE } from '../../ledger/units.ts'
import { parseStored, type RowOf, readTogether, selectRows } from '../../lib/database.ts'
import { formatIsoDay } from '../../lib/days.ts'
import { refuse } from '../../lib/errors.ts'
import { getStrategyName } from '../../lib/strategyName.ts'
import { gaps } from '../../lib/tables/gaps.ts'
import { strategyEvents } from '../../lib/tables/strategies.ts'
import { computeNextValuation } from '../allocations/orders.ts'
import { getMarket, SIMULATED } from '../candles/markets.ts'
import { STORED_SHARE } from '../trading/explain.ts'
import { storedBand, storedDefinition } from '../trading/stored.ts'
import { TESTED_FIGURES, TESTED_FILES } from '../trading/testedFigures.ts'

/** How many closes the answer contains and the maximum drawdown covers. */
const MOST_DAYS = 2000
/** A valuation recorded later than this is marked late. */
export const LATE_MS = 2 * DAY_MS

type Close = RowOf<typeof readCloses>

/** All strategies with key figures: one round trip, cacheable for a minute. */
export async function listStrategies(call: Call): Promise<Response> {
  const [rows, closes] = await readTogether(call.db, readStrategies(sql`1`), readCloses(sql`s.slug`))
  return answerPublicJson(
    call,
    rows.map((row) => toStrategy(row, filterCloses(closes, row.slug), call.nowMs)),
  )
}

/** One strategy with its closes. Refuses `not_found`. */
export async function getStrategy(call: Call): Promise<Response> {
  const slug = call.params.slug ?? ''
  const [[row], closes] = await readTogether(
    call.db,
    readStrategies(sql`s.slug = ${slug}`),
    readCloses(sql`${slug}`),
  )
  if (row === undefined) return refuse('not_found')
  const own = filterCloses(closes, slug)
  const detail: StrategyDetail = {
    ...toStrategy(row, own, call.nowMs),
    definition: { ...parseStored(storedDefinition, row.definition) },
    band: row.band === null ? null : parseStored(storedBand, row.band),
    prices: own.map(({ day, unitPrice, recordedAt }) => ({
      day: formatIsoDay(day),
      unitPrice: unitPrice / 1e6,
      recordedAt: toIso(recordedAt),
      late: recordedAt > day + DAY_MS + LATE_MS,
    })),
  }
  return answerPublicJson(call, detail)
}

function answerPublicJson(call: Call, body: unknown): Promise<Response> {
  return answerWithTag(call, JSON.stringify(body), {
    'Cache-Control': 'public, max-age=60, stale-while-revalidate=600, stale-if-error=86400',
  })
}

function readStrategies(which: SQL) {
  const e = alias(strategyEvents, 'e')
  const { slug, definition, hash, market, band, minimum, status } = s
  return selectRows({
    ...{ slug, definition, hash, market, band, minimum, status },
    ...{ since: e.at, reason: e.reason, ...LATEST_FIELDS },
  })
    .from(s)
    .innerJoin(e, sql`e.seq = (SELECT max(x.seq) FROM strategy_events x WHERE x.strategy = s.slug)`)
    .leftJoin(d, IS_DISPLAYED)
    .leftJoin(v, IS_NEWEST)
    .where(which)
    .orderBy(slug)
}

/** The latest closes of one strategy, or of each. No day is missing, so the newest one determines the first. */
function readCloses(strategy: SQL) {
  const { day, unitPrice, recordedAt } = v
  return selectRows({ strategy: v.strategy, day, unitPrice, recordedAt, test: gaps.test })
    .from(s)
    .innerJoin(v, eq(v.strategy, s.slug))
    .leftJoin(gaps, and(eq(gaps.strategy, v.strategy), eq(gaps.day, v.day)))
    .where(sql`s.slug = ${strategy} AND v.kind = 'close' AND v.day > (
      SELECT max(l.day) - ${MOST_DAYS * DAY_MS} FROM valuations l WHERE l.strategy = s.slug AND l.kind = 'close')`)
    .orderBy(v.strategy, v.day)
}

function filterCloses(closes: readonly Close[], slug: string): readonly Close[] {
  return closes.filter(({ strategy }) => strategy === slug)
}

function toStrategy(row: RowOf<typeof readStrategies>, closes: readonly Close[], nowMs: number): Strategy {
  // The stored definition was in the catalogue when the strategy started.
  const definition = parseStored(storedDefinition, row.definition)
  const { unitPrice, atMs } = getLatestPrice(row)
  return {
    _id: row.slug,
    slug: row.slug,
    name: getStrategyName(row.slug),
    kind: definition.kind,
    does: DOES[definition.kind],
    parameters: Object.entries(STRATEGIES[definition.kind].parameters).map(([name, parameter]) => {
      const { label, does, unit, least, most, step } = parameter
      return {
        name,
        label,
        does,
        unit,
        value: definition.values[name] ?? parameter.default,
        least,
        most,
        step,
      }
    }),
    assets: definition.assets.map(describeAsset),
    risk: definition.risk,
    costs: definition.costs,
    minimum: toUsd(row.minimum),
    market: getMarket(row.market),
    simulated: row.market === SIMULATED,
    status: row.status,
    since: toIso(row.since),
    // Only operators see why it was resumed.
    reason: row.status === 'active' ? null : row.reason,
    startedAt: toIso(row.startedAt),
    hash: row.hash,
    unitPrice: unitPrice / 1e6,
    at: toIso(atMs),
    nextValuation: toIso(computeNextValuation(nowMs)),
    live: computeLiveFigures(row.band, closes),
    backtest: describeBacktest(row.slug, definition),
  }
}

/** An asset's name. An asset that is no longer offered has its id as name. */
export function describeAsset(id: string): Strategy['assets'][number] {
  const simulated = SIMULATED_ASSETS.find((asset) => asset.id === id)
  const name = simulated?.name ?? REAL_PAIRS.find(({ asset }) => asset === id)?.name ?? id
  return { _id: id, name, class: simulated?.class ?? 'coin', simulated: simulated !== undefined }
}

function computeLiveFigures(band: string | null, closes: readonly Close[]): Strategy['live'] {
  const [first, last] = [closes[0], closes.at(-1)]
  if (first === undefined || last === undefined)
    return {
      ...{ from: null, to: null, days: 0 },
      ...{ totalReturn: null, testReturn: null, maximumDrawdown: null, band: null },
    }
  const days = (last.day - first.day) / DAY_MS + 1
  const prices = Float64Array.from(closes, ({ unitPrice }) => unitPrice)
  return {
    from: formatIsoDay(first.day),
    to: formatIsoDay(last.day),
    days,
    totalReturn: roundShare(last.unitPrice / START_PRICE - 1),
    testReturn: computeTestReturn(closes),
    maximumDrawdown: roundShare(-computeMaximumDrawdown(prices, START_PRICE)),
    band: band === null ? null : computeBandPrices(parseStored(storedBand, band), days),
  }
}

/** What the test returned on these days, compounded. Null if a day is not explained, or if there may be earlier days. */
export function computeTestReturn(closes: readonly Pick<Close, 'test'>[]): number | null {
  if (closes.length >= MOST_DAYS) return null
  let growth = 1
  for (const { test } of closes) {
    if (test === null) return null
    growth *= 1 + test / STORED_SHARE
  }
  return roundShare(growth - 1)
}

/**
 * The range in which a unit's price should be after this many days, 98 of 100 times, by the band that was frozen at the start.
 */
function computeBandPrices(band: Band, days: number): Strategy['live']['band'] {
  const { lower99, upper99 } = computeBandLines(band, days)
  const price = (growth: number) => Math.round(growth * START_PRICE) / 1e6
  return { lower: price(lower99), upper: price(upper99) }
}

function describeBacktest(slug: string, definition: Definition): Strategy['backtest'] {
  const tested = findTestedFigures(slug, definition)
  if (tested === null) return null
  const { firstDay, lastDay, totalReturn, cagr, became, heldBecame, worstYear, level, pausedOn, forward } =
    tested
  return {
    market: getMarket(tested.market),
    data: definition.assets.flatMap((asset) =>
      (TESTED_FILES[asset] ?? []).map((file) => ({ asset, ...file })),
    ),
    from: firstDay,
    to: lastDay,
    totalReturn,
    cagr,
    maximumDrawdown: -tested.maximumDrawdown,
    became,
    heldBecame,
    worstYear: {
      year: worstYear.year,
      days: worstYear.days,
      became: Math.round(worstYear.thousandBecame * 100) / 100,
      recoveredDays: worstYear.daysToRecover,
      lostAgain: worstYear.isLostAgain,
    },
    verdict: { level, label: LEVEL_WORDS[level].label },
    pausedOn: [...pausedOn],
    forward: forward && {
      from: forward.firstDay,
      totalReturn: forward.totalReturn,
      maximumDrawdown: -forward.maximumDrawdown,
      heldReturn: forward.heldReturn,
      verdict: { level: forward.level, label: LEVEL_WORDS[forward.level].label },
    },
  }
}

function findTestedFigures(slug: string, definition: Definition) {
  const tested = TESTED_FIGURES[slug]
  return tested !== undefined && tested.definition === toCanonicalJson(definition) ? tested : null
}

function roundShare(share: number): number {
  return Math.round(share * 1e6) / 1e6 + 0
}
