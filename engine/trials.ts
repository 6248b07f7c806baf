import { type DailyRun, dailyRun } from './dailyRun.ts'
import type { Definition } from './definition.ts'
import { excerpt, type Market } from './market.ts'
import { returnsOf } from './metrics/returns.ts'
import { run } from './run.ts'
import type { Parameter, Strategy, Values } from './strategy.ts'

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

/** How many values are tried on each side of a parameter's own, by how many parameters there are: never more than 243 in all. */
const STEPS_ASIDE = [0, 4, 3, 2, 1, 1] as const
const FARTHEST = 0.5

/**
 * The combinations around given values, those themselves first: each parameter from half to one and a half times its value, in even steps, put
 * on the parameter's own steps and within its range. The same for the same values, whatever the market did.
 */
export function neighbourhood(strategy: Strategy, values: Values): readonly Values[] {
  const names = Object.keys(strategy.parameters)
  const aside = STEPS_ASIDE[Math.min(names.length, STEPS_ASIDE.length - 1)] ?? 0
  let combinations: Values[] = [{}]
  for (const name of names) {
    const parameter = strategy.parameters[name]
    const own = values[name]
    if (parameter === undefined || own === undefined) continue
    const tried = around(own, parameter, aside)
    combinations = combinations.flatMap((combination) =>
      tried.map((value) => ({ ...combination, [name]: value })),
    )
  }
  const isOwn = (combination: Values) => names.every((name) => combination[name] === values[name])
  return [...combinations.filter(isOwn), ...combinations.filter((combination) => !isOwn(combination))]
}

function around(own: number, { least, most, step }: Parameter, aside: number): number[] {
  const tried = new Set([own])
  for (let i = -aside; i <= aside; i++) {
    if (i === 0) continue
    const wanted = own * (1 + (FARTHEST * i) / aside)
    const steps = Math.round((Math.min(most, Math.max(least, wanted)) - least) / step)
    tried.add(Number((least + steps * step).toPrecision(12)))
  }
  return [...tried].filter((value) => value <= most).sort((a, b) => a - b)
}
