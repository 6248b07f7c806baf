import { createHash } from 'node:crypto'
import { loadRealMarket, type RealFile, readRealFiles, readRealLastDay } from '../../../data/realPrices.ts'
import type { EndingFigures } from '../../../data/testedEndings.ts'
import { runBacktest } from '../../../engine/backtest/backtest.ts'
import type { Backtest, Band, OverfitLevel, WorstYear } from '../../../engine/backtest/backtestResult.ts'
import { buildRealOptions, REAL_TESTS } from '../../../engine/backtest/realTests.ts'
import { CATALOGUE } from '../../../engine/catalogue.ts'
import type { Definition } from '../../../engine/definition.ts'
import { writeCandles } from '../../../engine/market/candlesCsv.ts'
import { REAL_PAIRS } from '../../../engine/market/realPairs.ts'
import { SIMULATED_ASSETS } from '../../../engine/market/simulatedAssets.ts'
import { buildSimulatedMarket, TESTED_UNTIL } from '../../../engine/market/simulatedMarket.ts'
import { SIMULATED_START } from '../../../engine/market/simulatedPaths.ts'
import { toDayName } from '../../../engine/metrics/dailyEquity.ts'
import { toCanonicalJson } from '../../../src/contract/investing/strategyRecord.ts'
import { DAY_MS } from '../../../src/time.ts'

/** Key figures of a strategy's test. */
export interface TestedFigures {
  /** The market of the tested prices. */
  readonly market: 'simulated' | 'kraken'
  /** The canonical JSON of the tested definition. The figures apply to no other. */
  readonly definition: string
  readonly firstDay: string
  readonly lastDay: string
  readonly totalReturn: number
  readonly cagr: number | null
  readonly maximumDrawdown: number
  /** What 1,000 USD became at the end, and what the same assets, held, made of it. In USD with cents. */
  readonly became: number
  readonly heldBecame: number
  readonly worstYear: Omit<WorstYear, 'return'>
  /** How likely the figures are luck. */
  readonly level: OverfitLevel
  /** The days on which it hit its own drawdown limit. */
  readonly pausedOn: readonly string[]
  /** The days after its rules were frozen. Null on the simulated market. */
  readonly forward: {
    readonly firstDay: string
    readonly totalReturn: number
    readonly maximumDrawdown: number
    /** Of the same assets, held. */
    readonly heldReturn: number
    readonly level: OverfitLevel
  } | null
}

/** All test results that the Worker has. */
export interface AllTested {
  /** By slug. */
  readonly figures: Readonly<Record<string, TestedFigures>>
  /** The forward bands of tests on real prices as JSON, by slug. */
  readonly bands: Readonly<Record<string, string>>
  /** The files of daily bars of each asset, in the order of time. */
  readonly files: Readonly<Record<string, readonly TestedFile[]>>
}

/** A venue's segment of an asset's daily bars. */
export interface TestedFile {
  readonly venue: string
  readonly pair: string
  readonly quote: string
  /** The days that a test may use. */
  readonly from: string
  readonly to: string
  /** Of the whole file, in hexadecimal. */
  readonly sha256: string
}

/**
 * Tests these strategies on real prices again, without a way back in after the drawdown limit. Slugs of tests without such a pause are left
 * out.
 */
export function testEndings(slugs: readonly string[]): Record<string, EndingFigures> {
  const market = loadRealMarket()
  const tests = REAL_TESTS.filter(
    ({ slug, definition }) => slugs.includes(slug) && definition.risk.pauseDays !== undefined,
  )
  return Object.fromEntries(
    tests.map(({ slug, on, definition }) => {
      const { pauseDays: _, ...risk } = definition.risk
      const test = runBacktest(market, { ...definition, risk }, buildRealOptions(on, readRealLastDay()))
      return [slug, toEndingFigures(test)]
    }),
  )
}

function toEndingFigures(test: Backtest): EndingFigures {
  const { totalReturn, maximumDrawdown, level } = toTestedFigures('kraken', test)
  return { stoppedOn: test.stopped?.day ?? null, totalReturn, maximumDrawdown, level }
}

/** Tests all strategies again. This takes seconds of computing, so no request waits for it. */
export function testAll(): AllTested {
  const real = runRealBacktests()
  return {
    figures: {
      ...Object.fromEntries(CATALOGUE.map(({ slug, definition }) => [slug, runSimulatedTest(definition)])),
      ...Object.fromEntries(real.map(({ slug, test }) => [slug, toTestedFigures('kraken', test)])),
    },
    bands: Object.fromEntries(real.map(({ slug, test }) => [slug, serializeBand(test.band)])),
    files: {
      ...Object.fromEntries(SIMULATED_ASSETS.map(({ id }) => [id, [describeSimulatedFile(id)]])),
      ...Object.fromEntries(
        REAL_PAIRS.map(({ asset }) => [
          asset,
          readRealFiles()
            .filter((file) => file.asset === asset)
            .map(describeRealFile),
        ]),
      ),
    },
  }
}

function runSimulatedTest(definition: Definition): TestedFigures {
  const market = buildSimulatedMarket(definition.assets, SIMULATED_START, TESTED_UNTIL)
  return toTestedFigures('simulated', runBacktest(market, definition))
}

function describeRealFile({ venue, label, usedFrom, lastDay, sha256 }: RealFile): TestedFile {
  return { venue: venue.name, pair: label, quote: venue.quote, from: usedFrom, to: lastDay, sha256 }
}

function describeSimulatedFile(id: string): TestedFile {
  const lastDay = toDayName(TESTED_UNTIL / DAY_MS - 1)
  const from = toDayName(SIMULATED_START / DAY_MS)
  return {
    ...{ venue: 'Practice market', pair: id, quote: 'USD' },
    ...{ from, to: lastDay, sha256: hashSimulatedPrices(id) },
  }
}

/** The hash of an asset's published file. */
function hashSimulatedPrices(asset: string): string {
  const { candles } = buildSimulatedMarket([asset], SIMULATED_START, TESTED_UNTIL)
  return createHash('sha256').update(candles.map(writeCandles).join('')).digest('hex')
}

function runRealBacktests() {
  const market = loadRealMarket()
  return REAL_TESTS.map(({ slug, on, definition }) => ({
    slug,
    test: runBacktest(market, definition, buildRealOptions(on, readRealLastDay())),
  }))
}

function toTestedFigures(market: TestedFigures['market'], test: Backtest): TestedFigures {
  const { definition, firstDay, lastDay, atCosts, ofBenchmark, worstYear, overfit, pauses, forward } = test
  const { return: _return, ...shown } = worstYear
  const figures = atCosts.find(({ multiple }) => multiple === 1)?.figures
  if (figures === undefined || overfit === null) throw new Error('A test without its own costs or checks.')
  return {
    market,
    definition: toCanonicalJson(definition),
    firstDay,
    lastDay,
    totalReturn: roundFigure(figures.totalReturn),
    cagr: figures.cagr === null ? null : roundFigure(figures.cagr),
    maximumDrawdown: roundFigure(figures.maximumDrawdown),
    became: roundToCents(figures.finalEquity),
    heldBecame: roundToCents(ofBenchmark.finalEquity),
    worstYear: { ...shown, thousandBecame: roundFigure(shown.thousandBecame) },
    level: overfit.level,
    pausedOn: pauses.map(({ from }) => from),
    forward: forward && {
      firstDay: forward.firstDay,
      totalReturn: roundFigure(forward.figures.totalReturn),
      maximumDrawdown: roundFigure(forward.figures.maximumDrawdown),
      heldReturn: roundFigure(forward.ofBenchmark.totalReturn),
      level: forward.level,
    },
  }
}

/** Rounded to a ten-thousandth, a cent at a unit's first price. */
function serializeBand({ days, lines }: Band): string {
  return JSON.stringify({
    days,
    lines: lines.map((line) => line.map((growth) => Math.round(growth * 1e4) / 1e4)),
  })
}

/** Rounded as the published tests print it. */
function roundToCents(usd: number): number {
  return Number(usd.toFixed(2))
}

function roundFigure(value: number): number {
  return Math.round(value * 1e6) / 1e6 + 0
}
