import { at } from './at.ts'
import type { Figures, Versus } from './backtestResult.ts'
import type { DailyRun } from './dailyRun.ts'
import { falls, longestUnderWater, maximumDrawdown, underWaterShare } from './metrics/drawdown.ts'
import { mean } from './metrics/moments.ts'
import { calmar, profitFactor, sharpe, sortino, turnover, volatility } from './metrics/ratios.ts'
import { cagr, returnsOf, totalReturn } from './metrics/returns.ts'
import { expectedShortfall95, valueAtRisk95 } from './metrics/tailRisk.ts'
import {
  beta,
  correlation,
  downCapture,
  informationRatio,
  trackingError,
  upCapture,
} from './metrics/versus.ts'

/** The figures of a run, with a comparison if a benchmark over the same days is given. */
export function figuresOf(run: DailyRun, benchmark: DailyRun | null): Figures {
  const { equity, before, exposure, trades } = run
  const returns = returnsOf(equity, before)
  const annualGrowth = cagr(equity, before)
  const deepest = maximumDrawdown(equity, before)
  return {
    days: equity.length,
    finalEquity: equity.length > 0 ? at(equity, equity.length - 1) : before,
    totalReturn: totalReturn(equity, before) ?? 0,
    cagr: annualGrowth,
    volatility: volatility(returns),
    sharpe: sharpe(returns),
    sortino: sortino(returns),
    calmar: calmar(annualGrowth, deepest),
    maximumDrawdown: deepest,
    longestUnderWaterDays: longestUnderWater(falls(equity, before), equity.length),
    underWater: underWaterShare(equity, before),
    valueAtRisk95: valueAtRisk95(returns),
    expectedShortfall95: expectedShortfall95(returns),
    profitFactor: profitFactor(trades),
    exposure: mean(exposure) ?? 0,
    turnover: turnover(sum(run.traded), equity),
    costs: sum(run.costs),
    versus: benchmark && versus(run, benchmark, returns),
  }
}

function versus(run: DailyRun, benchmark: DailyRun, returns: Float64Array): Versus {
  const benchmarkReturns = returnsOf(benchmark.equity, benchmark.before)
  const own = totalReturn(run.equity, run.before) ?? 0
  return {
    excessReturn: own - (totalReturn(benchmark.equity, benchmark.before) ?? 0),
    beta: beta(returns, benchmarkReturns),
    correlation: correlation(returns, benchmarkReturns),
    trackingError: trackingError(returns, benchmarkReturns),
    informationRatio: informationRatio(returns, benchmarkReturns),
    upCapture: upCapture(returns, benchmarkReturns),
    downCapture: downCapture(returns, benchmarkReturns),
  }
}

function sum(values: Float64Array): number {
  let total = 0
  for (let i = 0; i < values.length; i++) total += at(values, i)
  return total
}
