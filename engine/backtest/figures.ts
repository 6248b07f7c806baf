import { at } from '../at.ts'
import type { DailyRun } from '../dailyRun.ts'
import {
  computeLongestUnderWater,
  computeMaximumDrawdown,
  computeUnderWaterShare,
  listFalls,
} from '../metrics/drawdown.ts'
import { computeMean } from '../metrics/moments.ts'
import {
  computeCalmar,
  computeProfitFactor,
  computeSharpe,
  computeSortino,
  computeTurnover,
  computeVolatility,
} from '../metrics/ratios.ts'
import { computeCagr, computeReturns, computeTotalReturn } from '../metrics/returns.ts'
import { computeExpectedShortfall95, valueAtRisk95 } from '../metrics/tailRisk.ts'
import {
  computeBeta,
  computeCorrelation,
  computeDownCapture,
  computeInformationRatio,
  computeTrackingError,
  computeUpCapture,
} from '../metrics/versus.ts'
import type { Figures, Versus } from './backtestResult.ts'

/** The figures of a run, with a comparison if a benchmark over the same days is given. */
export function computeFigures(run: DailyRun, benchmark: DailyRun | null): Figures {
  const { equity, before, exposure, trades } = run
  const returns = computeReturns(equity, before)
  const annualGrowth = computeCagr(equity, before)
  const deepest = computeMaximumDrawdown(equity, before)
  return {
    days: equity.length,
    finalEquity: equity.length > 0 ? at(equity, equity.length - 1) : before,
    totalReturn: computeTotalReturn(equity, before) ?? 0,
    cagr: annualGrowth,
    volatility: computeVolatility(returns),
    sharpe: computeSharpe(returns),
    sortino: computeSortino(returns),
    calmar: computeCalmar(annualGrowth, deepest),
    maximumDrawdown: deepest,
    longestUnderWaterDays: computeLongestUnderWater(listFalls(equity, before), equity.length),
    underWater: computeUnderWaterShare(equity, before),
    valueAtRisk95: valueAtRisk95(returns),
    expectedShortfall95: computeExpectedShortfall95(returns),
    profitFactor: computeProfitFactor(trades),
    exposure: computeMean(exposure) ?? 0,
    turnover: computeTurnover(sum(run.traded), equity),
    costs: sum(run.costs),
    versus: benchmark && compareToBenchmark(run, benchmark, returns),
  }
}

function compareToBenchmark(run: DailyRun, benchmark: DailyRun, returns: Float64Array): Versus {
  const benchmarkReturns = computeReturns(benchmark.equity, benchmark.before)
  const own = computeTotalReturn(run.equity, run.before) ?? 0
  return {
    excessReturn: own - (computeTotalReturn(benchmark.equity, benchmark.before) ?? 0),
    beta: computeBeta(returns, benchmarkReturns),
    correlation: computeCorrelation(returns, benchmarkReturns),
    trackingError: computeTrackingError(returns, benchmarkReturns),
    informationRatio: computeInformationRatio(returns, benchmarkReturns),
    upCapture: computeUpCapture(returns, benchmarkReturns),
    downCapture: computeDownCapture(returns, benchmarkReturns),
  }
}

function sum(values: Float64Array): number {
  let total = 0
  for (let i = 0; i < values.length; i++) total += at(values, i)
  return total
}
