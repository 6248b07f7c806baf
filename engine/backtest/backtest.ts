import { DAY_MS } from '../../src/time.ts'
import { at } from '../at.ts'
import { type DailyRun, takeRunDays, toDailyRun } from '../dailyRun.ts'
import { COST_MULTIPLES, type CostMultiple, type Definition } from '../definition.ts'
import { type Market, MarketError, takeExcerpt } from '../market/market.ts'
import { toClosingDay, toDayName, toDayNumber } from '../metrics/dailyEquity.ts'
import { computeReturns } from '../metrics/returns.ts'
import { computeRollingYear } from '../metrics/rollingYear.ts'
import { type Run, run } from '../run.ts'
import { buyAndHold } from '../strategies/buyAndHold.ts'
import { STRATEGIES } from '../strategies/registry.ts'
import type { Backtest, Day, Forward, Part } from './backtestResult.ts'
import { computeBandLines } from './band.ts'
import { computeFigures } from './figures.ts'
import { computeForwardBand } from './forwardBand.ts'
import { measureForward, measureOverfit } from './overfit.ts'
import { computeInvestedShares, computeMarketReturns, computeTimingChance } from './timing.ts'
import { runTrials, type Trial } from './trials.ts'
import { findWorstYear, listWorstFalls, listYears } from './worstTimes.ts'

/** The start of the out-of-sample period. Parameters were chosen without looking at it. */
export const HOLD_OUT_FROM: Day = '2025-01-01'
const STARTING_CASH = 1000

export interface BacktestOptions {
  /** 1,000 by default. */
  readonly startingCash?: number
  /** The last day to use; the market's last by default. */
  readonly until?: Day
  /** `HOLD_OUT_FROM` by default. */
  readonly holdOutFrom?: Day
  /** The first day after the rules were frozen. The out-of-sample period then ends on the day before. None by default. */
  readonly forwardFrom?: Day
  /** Assets of the market to hold as further benchmarks. The market must have them from the test's first day on. */
  readonly beside?: readonly { readonly of: string; readonly assets: readonly string[] }[]
  /** Skips the trials of other parameters, so `overfit` is null. Takes some tens of milliseconds. */
  readonly light?: boolean
}

/**
 * Backtests a strategy synchronously. `onProgress` receives the share done. Throws a `MarketError` for a missing asset
 * and for a market shorter than the warm-up.
 */
export function runBacktest(
  market: Market,
  definition: Definition,
  options: BacktestOptions = {},
  onProgress: (share: number) => void = () => {},
): Backtest {
  const steps = runBacktestInSteps(market, definition, options)
  for (;;) {
    const step = steps.next()
    if (step.done) return step.value
    onProgress(step.value)
  }
}

/**
 * The same in steps that yield the share done, so that a Web Worker can report progress, receive messages between
 * steps, and cancel by not continuing.
 */
export function* runBacktestInSteps(
  market: Market,
  definition: Definition,
  options: BacktestOptions = {},
): Generator<number, Backtest> {
  const { startingCash = STARTING_CASH, holdOutFrom = HOLD_OUT_FROM, light = false, beside = [] } = options
  const { forwardFrom } = options
  const seen = takeBarsUntil(pick(market, definition.assets), options.until)
  const runs = COST_MULTIPLES.map((multiple) => ({
    multiple,
    ...runWithBenchmark(seen, definition, startingCash, multiple),
  }))
  const { own, benchmark, ownRun } =
    runs[COST_MULTIPLES.indexOf(1)] ?? runWithBenchmark(seen, definition, startingCash, 1)
  yield 0.05
  const days = own.equity.length
  const split = Math.min(days, Math.max(0, toDayNumber(holdOutFrom) - own.firstDay))
  const holdOutBar = countBarsUntil(seen, toDayNumber(holdOutFrom) - 1)
  const forwardBar =
    forwardFrom === undefined ? seen.time.length : countBarsUntil(seen, toDayNumber(forwardFrom) - 1)
  const beforeForward = takeExcerpt(seen, 0, forwardBar)
  const holdOutRun =
    split < days && holdOutBar < forwardBar
      ? runWithBenchmark(beforeForward, definition, startingCash, 1, holdOutBar)
      : null
  const forwardRun =
    forwardBar < seen.time.length ? runWithBenchmark(seen, definition, startingCash, 1, forwardBar) : null
  const tried: readonly Trial[] = light
    ? []
    : yield* runTrialsBefore(seen, definition, startingCash, holdOutBar)
  yield 0.95
  const returns = computeReturns(own.equity, own.before)
  const active = own.stopped === null ? days : own.stopped.day + 1
  const before = returns.subarray(0, split)
  const after = holdOutRun ? computeReturns(holdOutRun.own.equity, startingCash) : new Float64Array(0)
  const forwardReturns = forwardRun && computeReturns(forwardRun.own.equity, startingCash)
  return {
    definition,
    startingCash,
    firstDay: toDayName(own.firstDay),
    lastDay: toDayName(own.firstDay + days - 1),
    days,
    holdOutFrom,
    equity: Array.from(own.equity, (worth) => roundToParts(worth, 100)),
    benchmark: Array.from(benchmark.equity, (worth) => roundToParts(worth, 100)),
    exposure: Array.from(own.exposure, (share) => roundToParts(share, 10_000)),
    atCosts: runs.map((costRun) => ({
      multiple: costRun.multiple,
      figures: computeFigures(costRun.own, costRun.benchmark),
    })),
    inSample: split > 0 ? buildPart(takeRunDays(own, 0, split), takeRunDays(benchmark, 0, split)) : null,
    holdOut: holdOutRun && buildPart(holdOutRun.own, holdOutRun.benchmark),
    forward: forwardRun && {
      ...buildPart(forwardRun.own, forwardRun.benchmark),
      ofBenchmark: computeFigures(forwardRun.benchmark, null),
      expected: expectWorth(
        returns.subarray(0, days - forwardRun.own.equity.length),
        forwardRun.own.equity.length,
        startingCash,
      ),
      ...measureForward({
        kind: definition.kind,
        inSample: before,
        forward: computeReturns(forwardRun.own.equity, startingCash),
        timing: measureTiming(forwardRun.ownRun, seen, seen.time.length),
      }),
    },
    ofBenchmark: computeFigures(benchmark, null),
    beside: beside.map(({ of, assets }) => {
      const held = runBuyAndHold(
        takeBarsUntil(pick(market, assets), options.until),
        own.firstDay,
        definition,
        startingCash,
      )
      return { of, figures: computeFigures(held, null) }
    }),
    worstFalls: listWorstFalls(own),
    years: listYears(own),
    benchmarkYears: listYears(benchmark),
    rollingYear: computeRollingYear(own.equity, own.before, own.firstDay),
    benchmarkRollingYear: computeRollingYear(benchmark.equity, benchmark.before, benchmark.firstDay),
    missingDays: listMissingDays(seen, own.firstDay),
    worstYear: findWorstYear(own),
    stopped: own.stopped && { day: toDayName(own.firstDay + own.stopped.day), by: own.stopped.by },
    pauses: own.pauses.map(({ from, until }) => ({
      from: toDayName(own.firstDay + from),
      until: until === null ? null : toDayName(own.firstDay + until),
    })),
    trades: {
      all: own.trades.length,
      open: own.trades.filter(({ closedBar }) => closedBar === null).length,
      won: own.trades.filter(({ cost, proceeds }) => proceeds > cost).length,
      lost: own.trades.filter(({ cost, proceeds }) => proceeds < cost).length,
    },
    overfit: light
      ? null
      : measureOverfit({
          kind: definition.kind,
          costs: definition.costs,
          inSample: before,
          holdOut: after,
          forward: forwardReturns,
          trials: tried,
          timing: measureTiming(ownRun, seen, holdOutBar),
        }),
    // Returns after trading has ended are not the strategy's.
    band: computeForwardBand(returns.subarray(0, active)),
  }
}

function* runTrialsBefore(
  market: Market,
  definition: Definition,
  startingCash: number,
  holdOutBar: number,
): Generator<number, readonly Trial[]> {
  const steps = runTrials(market, STRATEGIES[definition.kind], definition, startingCash, holdOutBar)
  for (let done = 1; ; done++) {
    const step = steps.next()
    if (step.done) return step.value
    yield 0.05 + (0.85 * done) / step.value
  }
}

/**
 * Runs the strategy, and its benchmark: the same assets in equal parts, bought once. Both start at the same bar, at the
 * earliest `from`.
 */
function runWithBenchmark(
  market: Market,
  { kind, values, costs, risk }: Definition,
  startingCash: number,
  costMultiple: CostMultiple,
  from = 0,
) {
  const options = { startingCash, costs, costMultiple }
  const own = run(market, STRATEGIES[kind], values, { ...options, risk, from })
  const holding = run(market, buyAndHold, {}, { ...options, from: own.from })
  return {
    own: toDailyRun(own, market.intervalMs),
    benchmark: toDailyRun(holding, market.intervalMs),
    ownRun: own,
  }
}

/** What cash becomes in so many days, if they are like the days of these returns. Rounded to cents. */
function expectWorth(returns: Float64Array, days: number, startingCash: number): Forward['expected'] {
  const { lower99, median, upper99 } = computeBandLines(computeForwardBand(returns), days)
  return {
    least: roundToParts(startingCash * lower99, 100),
    median: roundToParts(startingCash * median, 100),
    most: roundToParts(startingCash * upper99, 100),
  }
}

/** The test of timing on a run's bars before a bar. */
function measureTiming(own: Run, market: Market, before: number): number | null {
  const bars = Math.max(0, before - own.from)
  const invested = computeInvestedShares(own, market).subarray(0, bars)
  return computeTimingChance(invested, computeMarketReturns(market, own.from).subarray(0, bars))
}

/** Holds all assets of a market in equal parts from a day on. */
function runBuyAndHold(
  market: Market,
  firstDay: number,
  { costs }: Definition,
  startingCash: number,
): DailyRun {
  const from = market.time.indexOf(firstDay * DAY_MS)
  return toDailyRun(run(market, buyAndHold, {}, { startingCash, costs, from }), market.intervalMs)
}

function listMissingDays({ time, assets, candles }: Market, firstDay: number): Backtest['missingDays'] {
  const begins = candles.map(({ close }) => close.findIndex((price) => !Number.isNaN(price)))
  return Array.from(time, (opens, bar) => ({
    day: toDayName(Math.floor(opens / DAY_MS)),
    assets: assets.filter(
      (_, asset) => bar > (begins[asset] ?? 0) && Number.isNaN(candles[asset]?.close[bar]),
    ),
  })).filter(({ day, assets }) => assets.length > 0 && day >= toDayName(firstDay))
}

function buildPart(own: DailyRun, benchmark: DailyRun): Part {
  return {
    firstDay: toDayName(own.firstDay),
    lastDay: toDayName(own.firstDay + own.equity.length - 1),
    figures: computeFigures(own, benchmark),
  }
}

/** The market reduced to these assets, in their order, from the first bar that one of them has. */
export function pick(market: Market, assets: readonly string[]): Market {
  const candles = assets.map((asset) => {
    const found = market.candles[market.assets.indexOf(asset)]
    if (found === undefined) throw new MarketError('assets', `${asset} is not in the market.`)
    return found
  })
  const first = Math.min(...candles.map(({ close }) => close.findIndex((price) => !Number.isNaN(price))))
  return takeExcerpt({ ...market, assets, candles }, Math.max(0, first))
}

export function takeBarsUntil(market: Market, day: Day | undefined): Market {
  return day === undefined ? market : takeExcerpt(market, 0, countBarsUntil(market, toDayNumber(day)))
}

/** How many bars have closed by the end of a day since 1970-01-01. */
export function countBarsUntil({ time, intervalMs }: Market, day: number): number {
  let bars = time.length
  while (bars > 0 && toClosingDay(at(time, bars - 1), intervalMs) > day) bars--
  return bars
}

function roundToParts(value: number, parts: number): number {
  return Math.round(value * parts) / parts
}
