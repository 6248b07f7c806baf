import { createHash } from 'node:crypto'
import { realFiles, realLastDay, realMarketOf } from '../../../data/realPrices.ts'
import { backtest } from '../../../engine/backtest.ts'
import type { Backtest, Band, OverfitLevel, WorstYear } from '../../../engine/backtestResult.ts'
import { writeCandles } from '../../../engine/candlesCsv.ts'
import { CATALOGUE } from '../../../engine/catalogue.ts'
import type { Definition } from '../../../engine/definition.ts'
import { REAL_TESTS, realOptions } from '../../../engine/realTests.ts'
import { SIMULATED_ASSETS } from '../../../engine/simulatedAssets.ts'
import { simulatedMarket, TESTED_UNTIL } from '../../../engine/simulatedMarket.ts'
import { SIMULATED_START } from '../../../engine/simulatedPaths.ts'
import { canonicalJson } from '../../../src/contract/investing/strategyRecord.ts'

/** Key figures of a strategy's test. */
export interface Tested {
  /** The market of the tested prices. */
  readonly market: 'simulated' | 'kraken'
  /** The canonical JSON of the tested definition. The figures apply to no other. */
  readonly definition: string
  readonly firstDay: string
  readonly lastDay: string
  readonly totalReturn: number
  readonly cagr: number | null
  readonly maximumDrawdown: number
  readonly worstYear: Omit<WorstYear, 'return'>
  /** How likely the figures are luck. */
  readonly level: OverfitLevel
  /** The day on which it hit its own drawdown limit. */
  readonly stoppedOn: string | null
}

/** All test results that the Worker has. */
interface AllTested {
  /** By slug. */
  readonly figures: Readonly<Record<string, Tested>>
  /** The forward bands of tests on real prices as JSON, by slug. */
  readonly bands: Readonly<Record<string, string>>
  /** The SHA-256 of each asset's file of daily bars, in hexadecimal. */
  readonly files: Readonly<Record<string, string>>
}

/** Tests all strategies again. This takes seconds of computing, so no request waits for it. */
export function testAll(): AllTested {
  const real = realBacktests()
  return {
    figures: {
      ...Object.fromEntries(CATALOGUE.map(({ slug, definition }) => [slug, simulatedTest(definition)])),
      ...Object.fromEntries(real.map(({ slug, test }) => [slug, testedOf('kraken', test)])),
    },
    bands: Object.fromEntries(real.map(({ slug, test }) => [slug, bandText(test.band)])),
    files: {
      ...Object.fromEntries(SIMULATED_ASSETS.map(({ id }) => [id, simulatedHash(id)])),
      ...Object.fromEntries(realFiles().map(({ asset, sha256 }) => [asset, sha256])),
    },
  }
}

function simulatedTest(definition: Definition): Tested {
  const market = simulatedMarket(definition.assets, SIMULATED_START, TESTED_UNTIL)
  return testedOf('simulated', backtest(market, definition))
}

/** The hash of an asset's published file. */
function simulatedHash(asset: string): string {
  const { candles } = simulatedMarket([asset], SIMULATED_START, TESTED_UNTIL)
  return createHash('sha256').update(candles.map(writeCandles).join('')).digest('hex')
}

function realBacktests() {
  const market = realMarketOf()
  return REAL_TESTS.map(({ slug, on, definition }) => ({
    slug,
    test: backtest(market, definition, realOptions(on, realLastDay())),
  }))
}

function testedOf(market: Tested['market'], test: Backtest): Tested {
  const { definition, firstDay, lastDay, atCosts, worstYear, overfit, stopped } = test
  const { return: _return, ...shown } = worstYear
  const figures = atCosts.find(({ multiple }) => multiple === 1)?.figures
  if (figures === undefined || overfit === null) throw new Error('A test without its own costs or checks.')
  return {
    market,
    definition: canonicalJson(definition),
    firstDay,
    lastDay,
    totalReturn: rounded(figures.totalReturn),
    cagr: figures.cagr === null ? null : rounded(figures.cagr),
    maximumDrawdown: rounded(figures.maximumDrawdown),
    worstYear: { ...shown, thousandBecame: rounded(shown.thousandBecame) },
    level: overfit.level,
    stoppedOn: stopped?.day ?? null,
  }
}

/** Rounded to a ten-thousandth, a cent at a unit's first price. */
function bandText({ days, lines }: Band): string {
  return JSON.stringify({
    days,
    lines: lines.map((line) => line.map((growth) => Math.round(growth * 1e4) / 1e4)),
  })
}

function rounded(value: number): number {
  return Math.round(value * 1e6) / 1e6 + 0
}
