import { at } from './at.ts'
import type { Check, Overfit, OverfitCheck, OverfitLevel } from './backtestResult.ts'
import type { Costs } from './definition.ts'
import { deviation } from './metrics/moments.ts'
import { deflatedSharpe, probabilisticSharpe, sharpeEstimate } from './metrics/probabilisticSharpe.ts'
import { dailySharpe, sharpe } from './metrics/ratios.ts'
import type { Trial } from './trials.ts'
import { walkForward } from './walkForward.ts'

/** Against below the first, for from the second on; set once for all strategies, before any of them was tested. */
const BOUNDS: Readonly<Record<OverfitCheck, readonly [against: number, inFavour: number]>> = {
  'deflated-sharpe': [0.5, 0.95],
  'hold-out': [0, 0.5],
  neighbours: [0.5, 0.75],
  'walk-forward': [0, 0.5],
}

/** Days of hold-out under which nothing is said of it. */
const FEWEST_DAYS = 90

/**
 * How likely a test's figures are owed to luck, from the daily returns before and in the hold-out and all trials before it. A kind without
 * parameters has one trial, and is not asked for its neighbours.
 */
export function overfit(
  inSample: Float64Array,
  holdOut: Float64Array,
  trials: readonly Trial[],
  costs: Costs,
): Overfit {
  const estimate = sharpeEstimate(inSample)
  const tried = Math.max(1, trials.length)
  const before = sharpe(inSample)
  const after = holdOut.length < FEWEST_DAYS ? null : sharpe(holdOut)
  const kept = shareOf(after, before)
  const returns = trials.map(finalReturn)
  const others = returns.slice(1)
  const won = others.length > 0 ? others.filter((value) => value > 0).length / others.length : null
  const walked = walkForward(trials, costs)
  const deflated = estimate && deflatedSharpe(estimate, tried, varianceOf(trials))
  const checks = [
    check('deflated-sharpe', deflated),
    check('hold-out', kept),
    ...(trials.length > 1
      ? [check('neighbours', won), check('walk-forward', shareOf(walked?.sharpe ?? null, before))]
      : []),
  ]
  return {
    trials: tried,
    probabilisticSharpe: estimate && probabilisticSharpe(estimate),
    deflatedSharpe: deflated,
    inSampleSharpe: before,
    holdOutSharpe: after,
    keptOfSharpe: kept,
    neighboursThatWon: won,
    neighbourReturns: spreadOf(returns),
    walkForward: walked,
    checks,
    level: levelOf(checks),
  }
}

function check(of: OverfitCheck, value: number | null): Check {
  const [against, inFavour] = BOUNDS[of]
  const stands =
    value === null ? 'unclear' : value < against ? 'against' : value >= inFavour ? 'for' : 'unclear'
  return { of, value, against, for: inFavour, stands }
}

function levelOf(checks: readonly Check[]): OverfitLevel {
  if (checks.some(({ stands }) => stands === 'against')) return 'luck'
  return checks.every(({ stands }) => stands === 'for') ? 'held-up' : 'uncertain'
}

/** How much the daily Sharpe ratios of all trials vary; those that never traded have none. */
function varianceOf(trials: readonly Trial[]): number {
  const ratios = trials.map(({ returns }) => dailySharpe(returns)).filter((ratio) => ratio !== null)
  return (deviation(Float64Array.from(ratios)) ?? 0) ** 2
}

/** One Sharpe ratio for each unit of the other; null where that is not above 0. */
function shareOf(ratio: number | null, whole: number | null): number | null {
  return ratio === null || whole === null || whole <= 0 ? null : ratio / whole
}

function finalReturn({ daily: { equity, before } }: Trial): number {
  return at(equity, equity.length - 1) / before - 1
}

function spreadOf(returns: readonly number[]): Overfit['neighbourReturns'] {
  const sorted = Float64Array.from(returns).sort()
  if (sorted.length < 2) return null
  return {
    least: at(sorted, 0),
    median: at(sorted, Math.floor(sorted.length / 2)),
    most: at(sorted, sorted.length - 1),
  }
}
