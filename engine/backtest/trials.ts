import { type DailyRun, toDailyRun } from '../dailyRun.ts'
import type { Definition } from '../definition.ts'
import { type Market, takeExcerpt } from '../market/market.ts'
import { computeReturns, computeTotalReturn } from '../metrics/returns.ts'
import { run } from '../run.ts'
import type { Parameter, Strategy, Values } from '../strategy.ts'

/** The result of one parameter combination. All trials cover the same days. */
export interface Trial {
  readonly values: Values
  readonly daily: DailyRun
  readonly returns: Float64Array
}

/** The total return of a trial. */
export function computeTrialReturn({ daily: { equity, before } }: Trial): number {
  return computeTotalReturn(equity, before) ?? 0
}

const FEWEST_BARS = 30

/**
 * Tries parameter combinations near the strategy's own on the market before `holdOutBar`, so the out-of-sample period stays
 * unseen. All start at the bar where the longest warm-up ends. Combinations that would leave less than half of the bars are
 * skipped. The strategy's own values come first. If its drawdown limit only pauses it, its own values without a way back in come last,
 * because that is a choice, too. Yields the number of combinations after each trial.
 */
export function* runTrials(
  market: Market,
  strategy: Strategy,
  definition: Definition,
  startingCash: number,
  holdOutBar: number,
): Generator<number, readonly Trial[]> {
  const seen = takeExcerpt(market, 0, holdOutBar)
  const latest = Math.max(strategy.warmUp(definition.values), seen.time.length / 2)
  const combinations = listNeighbours(strategy, definition.values).filter(
    (values) => strategy.warmUp(values) <= latest,
  )
  const from = combinations.reduce((last, values) => Math.max(last, strategy.warmUp(values)), 1)
  const found: Trial[] = []
  if (seen.time.length - from < FEWEST_BARS) return found
  const { values: own, costs, risk } = definition
  const { pauseDays, ...ending } = risk
  const tried = [
    ...combinations.map((values) => ({ values, risk })),
    ...(pauseDays === undefined ? [] : [{ values: own, risk: ending }]),
  ]
  for (const { values, risk } of tried) {
    const daily = toDailyRun(
      run(seen, strategy, values, { startingCash, costs, risk, from }),
      seen.intervalMs,
    )
    found.push({ values, daily, returns: computeReturns(daily.equity, daily.before) })
    yield tried.length
  }
  return found
}

/** Values tried on each side of a parameter's own, by the number of parameters: at most 243 combinations. */
const STEPS_ASIDE = [0, 4, 3, 2, 1, 1] as const
const MAX_DISTANCE = 0.5

/**
 * The combinations around given values, the given ones first. Each parameter goes from half to one and a half times its value, in
 * even steps, rounded to the parameter's steps and range. Independent of the market.
 */
export function listNeighbours(strategy: Strategy, values: Values): readonly Values[] {
  const names = Object.keys(strategy.parameters)
  const stepsAside = STEPS_ASIDE[Math.min(names.length, STEPS_ASIDE.length - 1)] ?? 0
  let combinations: Values[] = [{}]
  for (const name of names) {
    const parameter = strategy.parameters[name]
    const own = values[name]
    if (parameter === undefined || own === undefined) continue
    const tried = listValuesAround(own, parameter, stepsAside)
    combinations = combinations.flatMap((combination) =>
      tried.map((value) => ({ ...combination, [name]: value })),
    )
  }
  const isOwn = (combination: Values) => names.every((name) => combination[name] === values[name])
  return [...combinations.filter(isOwn), ...combinations.filter((combination) => !isOwn(combination))]
}

function listValuesAround(own: number, { least, most, step }: Parameter, stepsAside: number): number[] {
  const tried = new Set([own])
  for (let i = -stepsAside; i <= stepsAside; i++) {
    if (i === 0) continue
    const wanted = own * (1 + (MAX_DISTANCE * i) / stepsAside)
    const steps = Math.round((Math.min(most, Math.max(least, wanted)) - least) / step)
    tried.add(Number((least + steps * step).toPrecision(12)))
  }
  return [...tried].filter((value) => value <= most).sort((a, b) => a - b)
}
