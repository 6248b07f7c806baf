import { at } from '../at.ts'
import type { Costs, StrategyKind } from '../definition.ts'
import { computeDeviation } from '../metrics/moments.ts'
import { computeOverfittingProbability } from '../metrics/overfittingProbability.ts'
import {
  computeDeflatedSharpe,
  computeProbabilisticSharpe,
  computeSharpeEstimate,
} from '../metrics/probabilisticSharpe.ts'
import { computeDailySharpe, computeSharpe } from '../metrics/ratios.ts'
import type { Check, Overfit, OverfitCheck, OverfitLevel } from './backtestResult.ts'
import { buildSweep } from './sweep.ts'
import { computeTrialReturn, type Trial } from './trials.ts'
import { runWalkForward } from './walkForward.ts'

/**
 * The check fails below the first bound and passes from the second. Where the second is lower, it fails from the first and passes up
 * to the second. Set once for all strategies, before any test.
 */
const THRESHOLDS: Readonly<Record<OverfitCheck, readonly [against: number, inFavour: number]>> = {
  'deflated-sharpe': [0.5, 0.95],
  'hold-out': [0, 0.5],
  neighbours: [0.5, 0.75],
  'walk-forward': [0, 0.5],
  overfitting: [0.5, 0.05],
  timing: [0.5, 0.05],
  forward: [0, 0.5],
  'probabilistic-sharpe': [0.5, 0.95],
}

/** Rules that buy or rebalance whatever the price claim no timing. */
const UNTIMED: readonly StrategyKind[] = ['buy-and-hold', 'cost-averaging', 'rebalanced-basket']

/** The shortest out-of-sample period that is judged. */
const FEWEST_DAYS = 90

/** What the checks look at. */
export interface OverfitEvidence {
  readonly kind: StrategyKind
  readonly costs: Costs
  /** Daily returns of both periods. */
  readonly inSample: Float64Array
  readonly holdOut: Float64Array
  /** Daily returns of the forward period; null for a test without one. */
  readonly forward: Float64Array | null
  /** In-sample trials, the strategy's own values first. */
  readonly trials: readonly Trial[]
  /** The in-sample result of `computeTimingChance`. */
  readonly timing: number | null
}

/**
 * Estimates how likely a test's figures are luck. A kind without parameters has one trial and skips the checks on neighbours, and a
 * kind that does not time the market skips the check of timing.
 */
export function measureOverfit(evidence: OverfitEvidence): Overfit {
  const { kind, costs, inSample, holdOut, forward, trials, timing } = evidence
  const estimate = computeSharpeEstimate(inSample)
  const tried = Math.max(1, trials.length)
  const before = computeSharpe(inSample)
  const after = computeJudgedSharpe(holdOut)
  const kept = computeRatioShare(after, before)
  const returns = trials.map(computeTrialReturn)
  const others = returns.slice(1)
  const won = others.length > 0 ? others.filter((value) => value > 0).length / others.length : null
  const walked = runWalkForward(trials, costs)
  const deflated = estimate && computeDeflatedSharpe(estimate, tried, computeSharpeVariance(trials))
  const overfitting = computeOverfittingProbability(trials.map(({ returns }) => returns))
  const checks = [
    check('deflated-sharpe', deflated),
    check('hold-out', kept),
    ...(trials.length > 1
      ? [
          check('neighbours', won),
          check('walk-forward', computeRatioShare(walked?.sharpe ?? null, before)),
          check('overfitting', overfitting),
        ]
      : []),
    ...(UNTIMED.includes(kind) ? [] : [check('timing', timing)]),
    ...(forward === null ? [] : [check('forward', computeRatioShare(computeJudgedSharpe(forward), before))]),
  ]
  return {
    trials: tried,
    probabilisticSharpe: estimate && computeProbabilisticSharpe(estimate),
    deflatedSharpe: deflated,
    inSampleSharpe: before,
    holdOutSharpe: after,
    keptOfSharpe: kept,
    neighboursThatWon: won,
    neighbourReturns: computeReturnSpread(returns),
    walkForward: walked,
    sweep: buildSweep(trials),
    checks,
    level: decideLevel(checks),
  }
}

/**
 * Checks the forward period by its own days: whether its true Sharpe ratio is above 0, how much of the in-sample ratio was kept, and
 * its timing.
 */
export function measureForward({
  kind,
  inSample,
  forward,
  timing,
}: Pick<OverfitEvidence, 'kind' | 'inSample' | 'timing'> & { readonly forward: Float64Array }) {
  const estimate = forward.length < FEWEST_DAYS ? null : computeSharpeEstimate(forward)
  const checks = [
    check('probabilistic-sharpe', estimate && computeProbabilisticSharpe(estimate)),
    check('forward', computeRatioShare(computeJudgedSharpe(forward), computeSharpe(inSample))),
    ...(UNTIMED.includes(kind) ? [] : [check('timing', timing)]),
  ]
  return { checks, level: decideLevel(checks) }
}

/** Null for a period that is too short to judge. */
function computeJudgedSharpe(returns: Float64Array): number | null {
  return returns.length < FEWEST_DAYS ? null : computeSharpe(returns)
}

function check(of: OverfitCheck, value: number | null): Check {
  const [against, inFavour] = THRESHOLDS[of]
  return { of, value, against, for: inFavour, stands: judge(value, against, inFavour) }
}

function judge(value: number | null, against: number, inFavour: number): Check['stands'] {
  if (value === null) return 'unclear'
  const isLowBetter = inFavour < against
  if (isLowBetter ? value >= against : value < against) return 'against'
  return (isLowBetter ? value <= inFavour : value >= inFavour) ? 'for' : 'unclear'
}

function decideLevel(checks: readonly Check[]): OverfitLevel {
  if (checks.some(({ stands }) => stands === 'against')) return 'luck'
  return checks.every(({ stands }) => stands === 'for') ? 'held-up' : 'uncertain'
}

/** The variance of the daily Sharpe ratios of all trials that traded. */
function computeSharpeVariance(trials: readonly Trial[]): number {
  const ratios = trials.map(({ returns }) => computeDailySharpe(returns)).filter((ratio) => ratio !== null)
  return (computeDeviation(Float64Array.from(ratios)) ?? 0) ** 2
}

/** The quotient of two Sharpe ratios; null if the second is not above 0. */
function computeRatioShare(ratio: number | null, whole: number | null): number | null {
  return ratio === null || whole === null || whole <= 0 ? null : ratio / whole
}

function computeReturnSpread(returns: readonly number[]): Overfit['neighbourReturns'] {
  const sorted = Float64Array.from(returns).sort()
  if (sorted.length < 2) return null
  return {
    least: at(sorted, 0),
    median: at(sorted, Math.floor(sorted.length / 2)),
    most: at(sorted, sorted.length - 1),
  }
}
