import { at } from '../at.ts'
import type { Costs } from '../definition.ts'
import { toDayName } from '../metrics/dailyEquity.ts'
import { computeSharpe } from '../metrics/ratios.ts'
import type { WalkForward, WalkForwardWindow } from './backtestResult.ts'
import type { Trial } from './trials.ts'

const CHOSEN_DAYS = 730
const FOLLOWED_DAYS = 180
const FEWEST_DAYS = 60
/** Smaller differences are rounding and must not decide. */
const ROUNDING = 1e-9

/**
 * Walk-forward analysis (R. Pardo, The Evaluation and Optimization of Trading Strategies, 2008, ch. 11): choose the combination
 * with the highest Sharpe ratio over two years, use it for the next 180 days, and repeat. A change sells the old holdings and
 * buys the new ones, at the strategy's costs. Null with fewer than two trials or too little time.
 */
export function runWalkForward(trials: readonly Trial[], costs: Costs): WalkForward | null {
  const [first] = trials
  if (first === undefined || trials.length < 2) return null
  const { firstDay, equity } = first.daily
  const costRate = (costs.feeBasisPoints + costs.slippageBasisPoints) / 10_000
  const windows: WalkForwardWindow[] = []
  const followed: number[] = []
  let former: Trial | null = null
  for (let start = CHOSEN_DAYS; start + FEWEST_DAYS <= equity.length; start += FOLLOWED_DAYS) {
    const end = Math.min(start + FOLLOWED_DAYS, equity.length)
    const chosen = findBestTrial(trials, start - CHOSEN_DAYS, start)
    let grown = 1
    for (let day = start; day < end; day++) {
      const cost =
        day === start && chosen !== former
          ? costRate * (getExposureBefore(former, day) + getExposureBefore(chosen, day))
          : 0
      const daily = (1 + (chosen ? at(chosen.returns, day) : 0)) * (1 - cost)
      followed.push(daily - 1)
      grown *= daily
    }
    windows.push({
      chosenFrom: toDayName(firstDay + start - CHOSEN_DAYS),
      followedFrom: toDayName(firstDay + start),
      followedTo: toDayName(firstDay + end - 1),
      values: chosen?.values ?? null,
      chosenReturn: computeGrowthBetween(chosen, start - CHOSEN_DAYS, start) - 1,
      followedReturn: grown - 1,
    })
    former = chosen
  }
  if (windows.length === 0) return null
  return {
    windows,
    totalReturn: followed.reduce((product, value) => product * (1 + value), 1) - 1,
    sharpe: computeSharpe(Float64Array.from(followed)),
  }
}

/** The first trial with the highest Sharpe ratio over these days; null if none has one. */
function findBestTrial(trials: readonly Trial[], from: number, before: number): Trial | null {
  const ratios = trials.map(
    ({ returns }) => computeSharpe(returns.subarray(from, before)) ?? Number.NEGATIVE_INFINITY,
  )
  const highest = Math.max(...ratios)
  if (highest === Number.NEGATIVE_INFINITY) return null
  return trials[ratios.findIndex((ratio) => highest - ratio < ROUNDING)] ?? null
}

function getExposureBefore(trial: Trial | null, day: number): number {
  return trial === null ? 0 : at(trial.daily.exposure, day - 1)
}

function computeGrowthBetween(trial: Trial | null, from: number, before: number): number {
  if (trial === null) return 1
  const { equity, before: cash } = trial.daily
  return at(equity, before - 1) / (from === 0 ? cash : at(equity, from - 1))
}
