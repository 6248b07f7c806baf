import { type DailyRun, dailyRun } from './dailyRun.ts'
import type { Definition } from './definition.ts'
import { excerpt } from './excerpt.ts'
import type { Market } from './market.ts'
import { returnsOf } from './metrics/returns.ts'
import { neighbourhood } from './neighbours.ts'
import { run } from './run.ts'
import type { Strategy, Values } from './strategy.ts'

/** One combination of parameters and what came of it, all over the same days. */
export interface Trial {
  readonly values: Values
  readonly daily: DailyRun
  readonly returns: Float64Array
}

const FEWEST_BARS = 30

/**
 * Tries a strategy's neighbourhood on the market before `holdOutBar`, which is cut off first: nothing of the hold-out can be seen. All begin at
 * the same bar, the one at which the longest warm-up is over; combinations that would leave less than half of the bars are left out. The
 * strategy's own values come first. Yields after each trial how many there are.
 */
export function* trials(
  market: Market,
  strategy: Strategy,
  definition: Definition,
  startingCash: number,
  holdOutBar: number,
): Generator<number, readonly Trial[]> {
  const seen = excerpt(market, 0, holdOutBar)
  const latest = Math.max(strategy.warmUp(definition.values), seen.time.length / 2)
  const combinations = neighbourhood(strategy, definition.values).filter(
    (values) => strategy.warmUp(values) <= latest,
  )
  const from = combinations.reduce((last, values) => Math.max(last, strategy.warmUp(values)), 1)
  const found: Trial[] = []
  if (seen.time.length - from < FEWEST_BARS) return found
  for (const values of combinations) {
    const { costs, risk } = definition
    const daily = dailyRun(run(seen, strategy, values, { startingCash, costs, risk, from }), seen.intervalMs)
    found.push({ values, daily, returns: returnsOf(daily.equity, daily.before) })
    yield combinations.length
  }
  return found
}
